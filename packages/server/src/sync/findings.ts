import type { NodeId } from "../model/node-id.ts";
import type { ListedNode, NodeReference, ParentRef } from "../provider/port.ts";
import type { Catalog } from "./catalog.ts";

/**
 * A question to the provider: the rows of a data source, what a listing left out of a node, where a block hangs,
 * which database a data source belongs to, or whether a node was shared.
 */
export interface Task {
  readonly kind: TaskKind;
  /** Of the data source, the node or the block. */
  readonly id: string;
  /** What kind of node a look-up expects. */
  readonly type?: NodeReference["type"];
}

type TaskKind = (typeof kinds)[number];

/** Lists before look-ups, since they answer many questions in one call. */
const kinds = ["rows", "complete", "climb", "find-database", "look-up"] as const;

/** Nodes found together, and the questions that they raise. */
export interface Findings {
  readonly nodes: ReadonlyMap<NodeId, ListedNode>;
  /** Takes in a node; one that lies in the trash is none. A database is listed once for each data source. */
  add(node: ListedNode): void;
  /** Puts what is now known in full in the place of what was listed. */
  complete(node: ListedNode): void;
  /** Names a node that may have been shared. */
  refer(reference: NodeReference): void;
  /** Names where something hangs. */
  follow(parent: ParentRef): void;
  /** The questions that are open now, all of one kind; none when nothing is open any more. */
  next(): Task[];
}

export function createFindings(catalog: Catalog): Findings {
  const nodes = new Map<NodeId, ListedNode>();
  const open = new Map(kinds.map((kind) => [kind, new Map<string, Task>()]));
  const ask = (task: Task) => open.get(task.kind)?.set(task.id, task);

  const isOpen = ({ kind, id }: Task): boolean => {
    if (kind === "climb") return !catalog.blocks.has(id);
    if (kind === "find-database") return !catalog.databases.has(id);
    return kind !== "look-up" || !catalog.asked.has(id);
  };

  /** Asks for all that a node names. */
  const followUp = (node: ListedNode) => {
    for (const id of node.dataSourceIds) {
      if (!catalog.databases.has(id)) ask({ kind: "rows", id });
      catalog.databases.set(id, node.id);
    }
    findings.follow(node.parent);
    for (const held of [node, ...node.cutProperties]) {
      for (const reference of held.mentioned) findings.refer(reference);
    }
  };

  const findings: Findings = {
    nodes,

    add(node) {
      catalog.asked.add(node.id);
      if (node.inTrash) return;
      const before = nodes.get(node.id);
      const sources = new Set([...(before?.dataSourceIds ?? []), ...node.dataSourceIds]);
      nodes.set(node.id, { ...(before ?? node), dataSourceIds: [...sources] });
      // Only the database itself tells the title that several sources share.
      const isSplit = before !== undefined && sources.size > before.dataSourceIds.length;
      if (isSplit || node.cutProperties.length > 0) ask({ kind: "complete", id: node.id });
      followUp(node);
    },

    complete(node) {
      if (node.inTrash) nodes.delete(node.id);
      else nodes.set(node.id, node);
      followUp(node);
    },

    refer({ id, type }) {
      ask({ kind: "look-up", id, type });
    },

    follow(parent) {
      if (parent.kind === "node") findings.refer(parent);
      if (parent.kind === "block") ask({ kind: "climb", id: parent.id });
      if (parent.kind !== "data-source") return;
      if (parent.databaseId !== null) findings.refer({ id: parent.databaseId, type: "database" });
      else ask({ kind: "find-database", id: parent.id });
    },

    next() {
      for (const kind of kinds) {
        const tasks = [...(open.get(kind)?.values() ?? [])].filter(isOpen);
        open.get(kind)?.clear();
        if (tasks.length > 0) return tasks;
      }
      return [];
    },
  };
  return findings;
}
