import { setImmediate } from "node:timers/promises";
import type { NodeId, Reference } from "@clew/graph";
import type { NamedNode } from "@clew/graph/testing";
import type { Selectable } from "kysely";
import type { ReadHandle } from "../port.ts";
import { precompiled } from "../queries/precompiled.ts";
import { nodeIdOf } from "../queries/statements.ts";
import type { Tables } from "../schema.ts";

/** A connection's whole graph, as of one moment. */
interface StoredGraph {
  readonly revision: number;
  readonly publishedRevision: number;
  readonly nodes: NamedNode[];
  /** Those to nodes that are not there (yet) included, and those of a node to itself. */
  readonly references: { from: NodeId; reference: Reference }[];
}

/** Nodes read at a time, between which other work gets its turn. */
const page = 1000;

/**
 * Reads a connection's graph page by page into plain objects: a reference that both a node's text and its properties hold is
 * one, its counts summed. Empty if the connection is gone. Give it a snapshot if something may write at the same time.
 */
export async function readGraph(db: ReadHandle, connectionId: number): Promise<StoredGraph> {
  const revisions = await db
    .selectFrom("connections")
    .select(["revision", "published_revision as publishedRevision"])
    .where("id", "=", connectionId)
    .executeTakeFirst();
  const graph: StoredGraph = { revision: 0, publishedRevision: 0, ...revisions, nodes: [], references: [] };
  const id = sharedIds();
  let after = new Uint8Array();
  for (;;) {
    const nodes = await nodesAfter(db, connectionId, after);
    const last = nodes.at(-1);
    if (last === undefined) return graph;
    for (const row of nodes) graph.nodes.push(nodeOf(row, id));
    for (const row of await referencesBetween(db, connectionId, after, last.id)) {
      const reference = {
        type: row.type,
        targetId: id(row.target_id),
        name: row.name,
        count: Number(row.count),
      };
      graph.references.push({ from: id(row.from_id), reference });
    }
    after = new Uint8Array(last.id);
    await setImmediate();
  }
}

const nodesAfter = precompiled((db, connectionId: number, after: Uint8Array) =>
  db
    .selectFrom("nodes")
    .select(["id", "type", "title", "aliases", "icon", "url", "parent_id", "created_at", "updated_at"])
    .where("connection_id", "=", connectionId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(({ lit }) => lit(page)),
);

const referencesBetween = precompiled((db, connectionId: number, after: Uint8Array, last: Uint8Array) =>
  db
    .selectFrom("node_references")
    .select(["from_id", "type", "target_id", "name"])
    .select(({ fn }) => fn.sum<number | string>("count").as("count"))
    .where("connection_id", "=", connectionId)
    .where("from_id", ">", after)
    .where("from_id", "<=", last)
    .groupBy(["from_id", "type", "target_id", "name"])
    .orderBy("from_id")
    .orderBy("type")
    .orderBy("target_id")
    .orderBy("name"),
);

/** Reads ids so that every mention of a node shares one string. */
function sharedIds(): (key: Uint8Array) => NodeId {
  const known = new Map<NodeId, NodeId>();
  return (key) => {
    const id = nodeIdOf(key);
    const shared = known.get(id);
    if (shared !== undefined) return shared;
    known.set(id, id);
    return id;
  };
}

type NodeColumns = Pick<
  Selectable<Tables["nodes"]>,
  "id" | "type" | "title" | "aliases" | "icon" | "url" | "parent_id" | "created_at" | "updated_at"
>;

function nodeOf(row: NodeColumns, id: (key: Uint8Array) => NodeId): NamedNode {
  return {
    id: id(row.id),
    type: row.type,
    title: row.title,
    ...(row.aliases === null ? {} : { aliases: JSON.parse(row.aliases) }),
    icon: row.icon,
    url: row.url,
    parentId: row.parent_id === null ? null : id(row.parent_id),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
