import type { NodeId } from "@clew/graph";
import type { FoundBy } from "../model/sync-report.ts";
import type { ListedNode, NodeReference, ParentRef, UnreadableEntry } from "../provider/port.ts";
import type { SyncState } from "./state.ts";

/**
 * A question to the provider: the rows of a data source, where a block hangs, which database a data source belongs
 * to, or whether a node was shared.
 */
export interface Lookup {
  readonly kind: LookupKind;
  /** Of the data source, the node or the block. */
  readonly id: string;
  /** What kind of node a look-up expects. */
  readonly type?: NodeReference["type"];
  /** The node that raised the question. */
  readonly for: NodeId | null;
  /** Whether what is known of the node is in doubt. */
  readonly isDoubt?: boolean;
  /** What told of the node, where it was a list. */
  readonly by?: FoundBy;
}

type LookupKind = (typeof kinds)[number];

/**
 * What tells one question from another. A page and a database of one id are two: something may name a database as if it
 * were a page, and the provider answers for the right kind alone.
 */
export function lookupKey({ kind, id, type }: Pick<Lookup, "kind" | "id" | "type">): string {
  return type === undefined ? `${kind} ${id}` : `${kind} ${type} ${id}`;
}

/** The question that a list leaves open of something that cannot be read there. */
export function lookUpOf({ of, id }: UnreadableEntry, by: FoundBy): Lookup {
  const task = { id, for: null, isDoubt: true, by };
  return of === "data-source" ? { ...task, kind: "find-database" } : { ...task, kind: "look-up", type: of };
}

/** Lists before look-ups, since they answer many questions in one call. */
const kinds = ["rows", "climb", "find-database", "look-up"] as const;

/** Questions that nodes and texts raise. */
export interface WorkQueue {
  /** Asks for all that a node names. */
  followUp(node: ListedNode): void;
  /** Asks for the rows of a data source. */
  list(dataSourceId: string): void;
  /** Names a node that may have been shared. */
  refer(reference: NodeReference, by: NodeId | null): void;
  /** Names a node that may be otherwise than it is known. */
  doubt(reference: NodeReference, by: NodeId): void;
  /** Names what a list holds and does not tell of in a way that can be read. */
  lookUp(entry: UnreadableEntry, by: FoundBy): void;
  /** Names where something hangs. */
  follow(parent: ParentRef, by: NodeId | null): void;
  /** The questions that are open now, all of one kind; none when nothing is open any more. */
  next(): Lookup[];
}

/** No question is open at first. What the state knows is not asked for. */
export function createWorkQueue(state: SyncState): WorkQueue {
  const open = new Map(kinds.map((kind) => [kind, new Map<string, Lookup>()]));
  const ask = (task: Lookup) => {
    const tasks = open.get(task.kind);
    if (tasks?.has(lookupKey(task)) === false) tasks.set(lookupKey(task), task);
  };

  const isOpen = (task: Lookup): boolean => {
    const { kind, id, isDoubt } = task;
    if (state.asked.has(lookupKey(task))) return false;
    if (kind === "climb") return state.isFull || !state.blocks.has(id);
    if (kind === "find-database") return isDoubt === true || !state.databases.has(id);
    return kind !== "look-up" || isDoubt === true || !state.nodes.has(id);
  };

  const queue: WorkQueue = {
    followUp(node) {
      for (const id of node.dataSourceIds) queue.list(id);
      queue.follow(node.parent, node.id);
      for (const held of [node, ...node.cutProperties]) {
        for (const reference of held.mentioned) queue.refer(reference, node.id);
      }
    },

    list(id) {
      ask({ kind: "rows", id, for: null });
    },

    refer({ id, type }, by) {
      ask({ kind: "look-up", id, type, for: by });
    },

    doubt({ id, type }, by) {
      ask({ kind: "look-up", id, type, for: by, isDoubt: true });
    },

    lookUp(entry, by) {
      ask(lookUpOf(entry, by));
    },

    follow(parent, by) {
      if (parent.kind === "node") queue.refer(parent, by);
      if (parent.kind === "block") ask({ kind: "climb", id: parent.id, for: by });
      if (parent.kind !== "data-source") return;
      if (parent.databaseId !== null) queue.refer({ id: parent.databaseId, type: "database" }, by);
      else ask({ kind: "find-database", id: parent.id, for: by });
    },

    next() {
      for (const kind of kinds) {
        const tasks = [...(open.get(kind)?.values() ?? [])].filter(isOpen);
        open.get(kind)?.clear();
        for (const task of tasks) state.asked.add(lookupKey(task));
        if (tasks.length > 0) return tasks;
      }
      return [];
    },
  };
  return queue;
}
