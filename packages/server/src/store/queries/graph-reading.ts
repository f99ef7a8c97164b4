import type { ContentState, EdgeType } from "@clew/contract";
import type { NodeId } from "@clew/graph";
import type { Json } from "../../model/node.ts";
import type { ReadHandle } from "../port.ts";
import { nodeIdOf, nodeKey } from "./node-key.ts";

/** What is known of a node beside its place in the graph. */
export interface NodeDetail {
  readonly properties: Readonly<Record<string, Json>>;
  readonly contentState: ContentState;
  /** Why the text could not be read, where the state is `failed`. */
  readonly contentError: string | null;
  /** References to pages that were not shared or do not exist. */
  readonly unresolved: UnresolvedReference[];
}

/** All that a node holds of one type to a page that is not there. */
interface UnresolvedReference {
  readonly type: EdgeType;
  readonly targetId: NodeId;
  /** What the text calls it where it first does; null where it does not, as relations. */
  readonly name: string | null;
  readonly count: number;
}

/** A node's detail; null where there is no such node. */
export async function readNodeDetail(
  db: ReadHandle,
  connectionId: number,
  nodeId: NodeId,
): Promise<NodeDetail | null> {
  const node = await db
    .selectFrom("nodes")
    .select(["properties", "content_state", "content_error"])
    .where("connection_id", "=", connectionId)
    .where("id", "=", nodeKey(nodeId))
    .executeTakeFirst();
  if (node === undefined) return null;
  return {
    // Written by `upsertNodes`.
    properties: JSON.parse(node.properties) as Record<string, Json>,
    contentState: node.content_state,
    contentError: node.content_error,
    unresolved: await unresolvedFrom(db, connectionId, nodeId),
  };
}

async function unresolvedFrom(
  db: ReadHandle,
  connectionId: number,
  nodeId: NodeId,
): Promise<UnresolvedReference[]> {
  const rows = await db
    .selectFrom("node_references")
    .leftJoin("nodes as target", (join) =>
      join
        .onRef("target.connection_id", "=", "node_references.connection_id")
        .onRef("target.id", "=", "node_references.target_id"),
    )
    .select([
      "node_references.type",
      "node_references.target_id",
      "node_references.target_name",
      "node_references.count",
    ])
    .where("node_references.connection_id", "=", connectionId)
    .where("node_references.from_id", "=", nodeKey(nodeId))
    .where("target.id", "is", null)
    .orderBy("node_references.type")
    .orderBy("node_references.target_id")
    // Properties stand above the text.
    .orderBy("node_references.source")
    .orderBy("node_references.position")
    .execute();
  const references = new Map<string, UnresolvedReference>();
  for (const { type, target_id, target_name, count } of rows) {
    const targetId = nodeIdOf(target_id);
    const before = references.get(`${type} ${targetId}`);
    references.set(`${type} ${targetId}`, {
      type,
      targetId,
      name: before?.name ?? target_name,
      count: count + (before?.count ?? 0),
    });
  }
  return [...references.values()];
}

/** A node's text. */
export interface StoredContent {
  readonly markdown: string;
  /** Length in code points. */
  readonly totalChars: number;
  /** SHA-256 of the text's UTF-8, base64url: changes with the text alone. */
  readonly digest: string;
  /** As of which edit of the page this text is, in milliseconds since the Unix epoch. */
  readonly updatedAt: number;
}

/** The text of a node that was read last, even where a newer one is awaited; null where there is none. */
export async function readContent(
  db: ReadHandle,
  connectionId: number,
  nodeId: NodeId,
): Promise<StoredContent | null> {
  const content = await db
    .selectFrom("contents")
    .select(["markdown", "total_chars as totalChars", "digest", "updated_at as updatedAt"])
    .where("connection_id", "=", connectionId)
    .where("node_id", "=", nodeKey(nodeId))
    .executeTakeFirst();
  return content ?? null;
}

/**
 * Nodes and edges of a connection's graph: references that resolve, each once however often it occurs, and child edges;
 * none of a node to itself.
 */
export async function countGraph(
  db: ReadHandle,
  connectionId: number,
): Promise<{ nodes: number; edges: number }> {
  const { nodes, children } = await db
    .selectFrom("nodes")
    .leftJoin("nodes as parent", (join) =>
      join
        .onRef("parent.connection_id", "=", "nodes.connection_id")
        .onRef("parent.id", "=", "nodes.parent_id")
        .onRef("parent.id", "!=", "nodes.id"),
    )
    .select(({ fn }) => [
      fn.count<number | string>("nodes.id").as("nodes"),
      fn.count<number | string>("parent.id").as("children"),
    ])
    .where("nodes.connection_id", "=", connectionId)
    .executeTakeFirstOrThrow();
  const { references } = await db
    .selectFrom((from) =>
      from
        .selectFrom("node_references")
        .innerJoin("nodes as target", (join) =>
          join
            .onRef("target.connection_id", "=", "node_references.connection_id")
            .onRef("target.id", "=", "node_references.target_id"),
        )
        .select([
          "node_references.from_id",
          "node_references.type",
          "node_references.target_id",
          "node_references.name",
        ])
        .distinct()
        .where("node_references.connection_id", "=", connectionId)
        .whereRef("node_references.from_id", "!=", "node_references.target_id")
        .as("resolved"),
    )
    .select(({ fn }) => fn.countAll<number | string>().as("references"))
    .executeTakeFirstOrThrow();
  return { nodes: Number(nodes), edges: Number(children) + Number(references) };
}
