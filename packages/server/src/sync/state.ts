import type { NodeId, Reference } from "@clew/graph";
import type { Collection, NodeReference, ParentRef } from "@clew/provider";
import type { FoundBy } from "../model/sync-report.ts";
import { IdMap } from "./id-map.ts";

/** Lists before look-ups, since a list answers many questions in one call. */
export const lookupKinds = [
  "rows",
  "find-container",
  "find-database",
  "look-up",
  "retrieve",
  "columns",
] as const;

/**
 * A question to the provider. `rows`: the rows of a collection; `find-container`: the parent of a block;
 * `find-database`: the database of a collection; `look-up`: a node that may have been shared; `retrieve`: all that a
 * database says of itself; `columns`: the columns of a collection.
 */
export interface Lookup {
  readonly kind: (typeof lookupKinds)[number];
  /** Of the collection, the node or the block. */
  readonly id: string;
  /** The type of node that a look-up expects. */
  readonly type?: NodeReference["type"];
}

/**
 * Tells one question from another. A page and a database of one id are two: a page may name a database as if it were a
 * page, and the provider answers for the right kind alone.
 */
export function lookupKey({ kind, id, type }: Lookup): string {
  return type === undefined ? `${kind} ${id}` : `${kind} ${type} ${id}`;
}

/** Lists that a run could not read to their end: the rest of the search, an entry of the search, or rows. */
type ListingGap = "search-rest" | "search-entry" | "rows";

/**
 * The facts that a run knows of a workspace: ids and where they are. All else stays in the store. Methods that change it
 * begin with `mark`, `add`, `drop`, `hold` or `release`; all others only read (`StateReader`).
 */
export class SyncState {
  /** The container of each loaded node (`NodeLoader`): a page, database, collection or block; null at the top. */
  readonly #containers = new IdMap();
  /** Nodes that this run has seen. */
  readonly #seen = new IdMap();
  /** Nodes that look-ups of earlier runs of this sync found. */
  readonly #lookedUpBefore = new Set<NodeId>();
  /** The database of each collection. */
  readonly #databases = new Map<string, NodeId>();
  /** For each collection: the time (provider's clock) since which its rows are known. */
  readonly #rowsListedAt = new Map<string, number>();
  /** The container of each block; null if that leads nowhere. */
  readonly #blocks = new Map<string, string | null>();
  readonly #asked = new Set<string>();
  readonly #unanswered = new Set<string>();
  /** Collections that this run observed. */
  readonly #observedCollections = new Set<string>();
  /** Collections whose columns this run need not look up. */
  readonly #collectionsWithColumns = new Set<string>();
  readonly #unsettled = new Set<NodeId>();
  readonly #gone = new Set<NodeId>();
  readonly #removed = new Set<NodeId>();
  /** Databases that lost a collection to another one. */
  readonly #formerDatabases = new Set<NodeId>();
  #hasNewCollections = false;
  readonly #gaps = new Set<ListingGap>();
  #editsListedAt: number | null = null;
  #pendingCharacters = 0;

  // Transitions

  /** Adds a collection that an earlier sync stored; `listedAt` is null if its rows never were listed to their end. */
  addCollection(id: string, databaseId: NodeId, listedAt: number | null): void {
    this.#databases.set(id, databaseId);
    if (listedAt !== null) this.#rowsListedAt.set(id, listedAt);
  }

  /** Adds a block whose container was found, now or by an earlier sync. */
  addBlock(id: string, containerId: string | null): void {
    this.#blocks.set(id, containerId);
  }

  /** Adds a node that an earlier sync stored, unless this run found or removed it since. */
  addStored(id: NodeId, containerId: string | null): void {
    if (!this.#containers.has(id) && !this.#removed.has(id)) this.#containers.set(id, containerId);
  }

  /** Adds a node that this run found, with collections that it observed. */
  addNode(id: NodeId, containerId: string | null, collections: readonly Pick<Collection, "id">[] = []): void {
    this.#containers.set(id, containerId);
    this.#gone.delete(id);
    for (const collection of collections) {
      const before = this.#databases.get(collection.id);
      if (before === undefined) this.#hasNewCollections = true;
      else if (before !== id) this.#formerDatabases.add(before);
      this.#databases.set(collection.id, id);
      this.#observedCollections.add(collection.id);
    }
  }

  /** Adds a node that a look-up found in an earlier run of this sync. */
  addLookedUp(id: NodeId): void {
    this.#lookedUpBefore.add(id);
  }

  /** Marks a node as seen by this run. False if it was before. */
  markSeen(id: NodeId): boolean {
    if (this.#seen.has(id)) return false;
    this.#seen.set(id, null);
    return true;
  }

  /** Marks the columns of a collection as shown, or known from an earlier sync. */
  markColumnsKnown(collectionId: string): void {
    this.#collectionsWithColumns.add(collectionId);
  }

  /** Marks a question as asked. False if this run asked it before: none is asked twice. */
  markAsked(lookup: Lookup): boolean {
    const key = lookupKey(lookup);
    if (this.#asked.has(key)) return false;
    this.#asked.add(key);
    return true;
  }

  /** Marks a question that the provider did not answer. */
  markUnanswered(lookup: Lookup): void {
    this.#unanswered.add(lookupKey(lookup));
    if (lookup.kind === "rows") this.markUnlisted("rows");
  }

  /** Marks a node with a reference or an omitted part that could not be looked up. */
  markUnsettled(id: NodeId): void {
    this.#unsettled.add(id);
  }

  /** Marks a node that, as the provider says, is not there or in the trash. */
  markGone(id: NodeId): void {
    this.#gone.add(id);
  }

  /** Marks a node as removed from the store. */
  markRemoved(id: NodeId): void {
    this.#containers.delete(id);
    this.#removed.add(id);
  }

  /** Drops a collection that, as the provider says, is not there. */
  dropCollection(id: string): void {
    this.#databases.delete(id);
  }

  /** Marks the stored references to collections as redirected to their databases. */
  markRedirected(): void {
    this.#hasNewCollections = false;
  }

  /** Marks a list that ended early, or held something that could not be read. */
  markUnlisted(gap: ListingGap): void {
    this.#gaps.add(gap);
  }

  /** Marks the edits as listed, by a list that began at this time of the provider's. */
  markEditsListed(at: number): void {
    this.#editsListedAt = at;
  }

  /** Counts a fetched text as held, until `releaseText`. */
  holdText(characters: number): void {
    this.#pendingCharacters += characters;
  }

  /** Counts a text as written, and held no more. */
  releaseText(characters: number): void {
    this.#pendingCharacters -= characters;
  }

  // Reads

  /** Whether a node is stored, among those that were loaded. */
  hasNode(id: string): boolean {
    return this.#containers.has(id);
  }

  nodeIds(): Iterable<NodeId> {
    return this.#containers.keys();
  }

  /** Those of these nodes that are stored and that this sync has not seen. */
  unseenOf(ids: Iterable<NodeId>): NodeId[] {
    return [...ids].filter((id) => this.hasNode(id) && !this.wasSeenBySync(id));
  }

  /** The nodes that this run has seen. */
  seenNodes(): Iterable<NodeId> {
    return this.#seen.keys();
  }

  /** Nodes that this run removed, and databases that lost a collection: what was in them may be elsewhere now. */
  formerParents(): readonly NodeId[] {
    return [...this.#removed, ...this.#formerDatabases];
  }

  /** Whether this run has seen a node. */
  wasSeen(id: NodeId): boolean {
    return this.#seen.has(id);
  }

  /** Whether this run has seen a node, or an earlier run of the same sync looked it up. */
  wasSeenBySync(id: NodeId): boolean {
    return this.wasSeen(id) || this.#lookedUpBefore.has(id);
  }

  databaseOf(collectionId: string): NodeId | undefined {
    return this.#databases.get(collectionId);
  }

  collectionIds(): readonly string[] {
    return [...this.#databases.keys()];
  }

  collectionsOf(databaseId: NodeId): string[] {
    return [...this.#databases].filter(([, id]) => id === databaseId).map(([collection]) => collection);
  }

  /** Whether something else in the workspace showed a collection to this run. */
  isObservedCollection(id: string): boolean {
    return this.#observedCollections.has(id);
  }

  /** Whether the columns of a collection need not be looked up. */
  hasColumns(collectionId: string): boolean {
    return this.#collectionsWithColumns.has(collectionId);
  }

  /** The time (provider's clock) since which the rows of a collection are known; null if they are not. */
  rowsKnownSince(collectionId: string): number | null {
    return this.#rowsListedAt.get(collectionId) ?? null;
  }

  /** The container of a block; null if that leads nowhere, undefined if it is not known. */
  containerOfBlock(id: string): string | null | undefined {
    return this.#blocks.get(id);
  }

  /** The blocks that contain a node, from the innermost outwards, as far as the run knows. */
  blocksAround(id: NodeId): readonly string[] {
    const blocks = new Set<string>();
    let here = this.#containers.get(id) ?? null;
    while (here !== null && this.#blocks.has(here) && !blocks.has(here)) {
      blocks.add(here);
      here = this.#blocks.get(here) ?? null;
    }
    return [...blocks];
  }

  wasAsked(lookup: Lookup): boolean {
    return this.#asked.has(lookupKey(lookup));
  }

  wasUnanswered(lookup: Lookup): boolean {
    return this.#unanswered.has(lookupKey(lookup));
  }

  unsettledNodes(): ReadonlySet<NodeId> {
    return this.#unsettled;
  }

  isGone(id: NodeId): boolean {
    return this.#gone.has(id);
  }

  /** Nodes that the provider said are gone, those included that are removed or never were stored. */
  goneNodes(): readonly NodeId[] {
    return [...this.#gone];
  }

  /** Whether a collection was new to this run, so that references to it may be stored as they were named. */
  get hasNewCollections(): boolean {
    return this.#hasNewCollections;
  }

  get isSearchComplete(): boolean {
    return !this.#gaps.has("search-rest");
  }

  /** Whether search and rows were listed to their end. */
  get isListingComplete(): boolean {
    return this.isSearchComplete && !this.#gaps.has("rows");
  }

  /** When the list of edits began, by the provider's clock; null if it did not end, or held something unreadable. */
  get editsListedAt(): number | null {
    return this.#gaps.size === 0 ? this.#editsListedAt : null;
  }

  /**
   * How a node counts as found. While the search is incomplete or in part unreadable, the next one is expected to list
   * what this one did not.
   */
  foundBy(by: FoundBy): FoundBy {
    return this.isSearchComplete && !this.#gaps.has("search-entry") ? by : "search";
  }

  /** Whether nothing is known of where a node is. */
  isUnplaced(id: NodeId): boolean {
    return this.#containers.get(id) === id;
  }

  /** The page, database, collection or block that contains one of these, as far as the run knows; null if nothing does. */
  containerOf(id: string): string | null {
    const ofNode = this.#containers.get(id);
    return ofNode === undefined ? (this.#databases.get(id) ?? this.#blocks.get(id) ?? null) : ofNode;
  }

  /** The nearest node that contains a node, as far as the run knows; null if there is none. */
  parentOf(id: NodeId): NodeId | null {
    const visited = new Set<string>();
    let here = this.#containers.get(id) ?? null;
    while (here !== null && !this.hasNode(here) && !visited.has(here)) {
      visited.add(here);
      here = this.containerOf(here);
    }
    return here !== null && this.hasNode(here) ? here : null;
  }

  /** Replaces mentions of collections by mentions of their databases. */
  redirect(references: readonly Reference[]): Reference[] {
    return references.map((reference) => ({
      ...reference,
      targetId: this.#databases.get(reference.targetId) ?? reference.targetId,
    }));
  }

  /** Estimated bytes that the run holds in memory. */
  heldBytes(): number {
    const facts = [
      this.#databases,
      this.#rowsListedAt,
      this.#blocks,
      this.#asked,
      this.#unanswered,
      this.#unsettled,
      this.#gone,
      this.#lookedUpBefore,
    ].reduce((sum, { size }) => sum + size, 0);
    const texts = this.#pendingCharacters * bytesPerCharacter;
    return heldBytesOf(this.#containers.size) + facts * bytesPerFact + texts;
  }
}

/** The state for code that only reads it. */
export type StateReader = Pick<
  SyncState,
  Exclude<keyof SyncState, `${"mark" | "add" | "drop" | "hold" | "release"}${string}`>
>;

/* Estimated from what was measured (docs/operations.md). */

/** Of a sync that has seen nothing yet: its reader, and a few answers that are being read. */
const baseBytes = 128 * 1024;
/** Of each node: its id and container here, in the report and in the list of texts to be fetched. */
const bytesPerNode = 350;
/** Of each other fact in the state. */
const bytesPerFact = 250;
/** Of a text whose references were found. */
const bytesPerCharacter = 4;

/** Estimated bytes that the sync of a workspace with `nodes` nodes holds when it begins. */
export function heldBytesOf(nodes: number): number {
  return baseBytes + nodes * bytesPerNode;
}

/** The id of the container that a parent names, as far as that can be followed. */
export function containerOf(parent: ParentRef): string | null {
  switch (parent.kind) {
    case "node":
    case "block":
      return parent.id;
    case "collection":
      return parent.databaseId ?? parent.id;
    default:
      return null;
  }
}
