import type { NodeId } from "@clew/graph";
import type { ListedNode, NamedObject, NodeReference, ParentRef } from "@clew/provider";
import type { FoundBy, RunKind } from "../model/sync-report.ts";
import { type Lookup, lookupKey, lookupKinds, type SyncState } from "./state.ts";

/** A lookup that waits to be made. */
export interface QueuedLookup extends Lookup {
  /** The node that raised the question. */
  readonly raisedBy: NodeId | null;
  /** Why a node is looked up although it is known: it may have changed, or be gone. */
  readonly doubt?: "changed" | "gone";
  /** The list that showed the node, if one did. */
  readonly foundBy?: FoundBy;
}

/** The lookups that nodes and texts have made necessary. What the state knows is not looked up, except blocks in full syncs. */
export class WorkQueue {
  readonly #state: SyncState;
  readonly #isFull: boolean;
  readonly #waiting = new Map(lookupKinds.map((kind) => [kind, new Map<string, QueuedLookup>()]));

  constructor(state: SyncState, kind: RunKind) {
    this.#state = state;
    this.#isFull = kind === "full";
  }

  add(lookup: QueuedLookup): void {
    const waiting = this.#waiting.get(lookup.kind);
    const key = lookupKey(lookup);
    if (waiting?.has(key) === false) waiting.set(key, lookup);
  }

  /** Looks up all that a node names. */
  followUp(node: ListedNode): void {
    for (const { id } of node.collections) this.followCollection(id);
    this.follow(node.parent, node.id);
    for (const { mentioned } of [node, ...node.partial.cut])
      for (const reference of mentioned) this.lookUp(reference, node.id);
  }

  /** Lists the rows of a collection, and looks up its columns if nothing showed them. */
  followCollection(id: string): void {
    this.add({ kind: "rows", id, raisedBy: null });
    this.add({ kind: "columns", id, raisedBy: null });
  }

  /** Looks up a node that may have been shared, or, with a doubt, one that is known. */
  lookUp({ id, type }: NodeReference, raisedBy: NodeId | null, doubt?: QueuedLookup["doubt"]): void {
    this.add({ kind: "look-up", id, type, raisedBy, ...(doubt && { doubt }) });
  }

  /** Looks up where something is, one level up. */
  follow(parent: ParentRef, raisedBy: NodeId | null): void {
    if (parent.kind === "node") this.lookUp(parent, raisedBy);
    if (parent.kind === "block") this.add({ kind: "find-container", id: parent.id, raisedBy });
    if (parent.kind !== "collection") return;
    if (parent.databaseId !== null) this.lookUp({ id: parent.databaseId, type: "database" }, raisedBy);
    else this.add({ kind: "find-database", id: parent.id, raisedBy });
  }

  /** The ids of what the waiting lookups are about: whether they are needed depends on whether those are known. */
  waitingIds(): string[] {
    return [...this.#waiting.values()].flatMap((lookups) => [...lookups.values()].map(({ id }) => id));
  }

  /** Takes the waiting lookups of one kind; none when nothing waits any more. */
  takeNext(): QueuedLookup[] {
    for (const kind of lookupKinds) {
      const lookups = [...(this.#waiting.get(kind)?.values() ?? [])].filter((one) => this.#isNeeded(one));
      this.#waiting.get(kind)?.clear();
      for (const lookup of lookups) this.#state.markAsked(lookup);
      if (lookups.length > 0) return lookups;
    }
    return [];
  }

  #isNeeded(lookup: QueuedLookup): boolean {
    const { kind, id, doubt } = lookup;
    const state = this.#state;
    if (state.wasAsked(lookup)) return false;
    if (doubt !== undefined || kind === "rows") return true;
    if (kind === "find-container") return this.#isFull || state.containerOfBlock(id) === undefined;
    if (kind === "find-database") return state.databaseOf(id) === undefined;
    if (kind === "columns") return !state.hasColumns(id);
    return !state.hasNode(id);
  }
}

/** The question that is open if only the id of something that may have changed is known. */
export function lookupOf({ of, id }: NamedObject, foundBy: FoundBy): QueuedLookup {
  const lookup = { id, raisedBy: null, doubt: "changed", foundBy } as const;
  return of === "collection"
    ? { ...lookup, kind: "find-database" }
    : { ...lookup, kind: "look-up", type: of };
}
