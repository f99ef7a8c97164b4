import type { NodeId } from "@clew/graph";
import { expressionBuilder } from "kysely";
import type { Json } from "../../model/node.ts";
import type { ReadHandle } from "../port.ts";
import type { Tables } from "../schema.ts";
import { precompiled } from "./precompiled.ts";
import { nodesToRead } from "./reading-list.ts";
import { countRows, type NodePosition, nodeIdOf, nodeKey, nodesChangedAfter, nodesOf } from "./statements.ts";

/* Queries with which text search reads pages and databases. */

/** A node as far as its text is searched, but for the text. */
export interface SearchedNode {
  readonly key: Uint8Array;
  readonly title: string;
  /** JSON array; null if it has none. */
  readonly aliases: string | null;
  /** JSON object. */
  readonly properties: string;
  readonly changedRevision: number;
  /** Identifies the stored text; null if there is none. */
  readonly digest: string | null;
  /** Code points of the text. */
  readonly chars: number;
}

/**
 * A column of the text of each node in `nodes`. PostgreSQL may plan a join as a search among all texts of the connection, if its
 * statistics do not cover that; this is a look-up by key.
 */
const ofText = <Column extends "digest" | "total_chars">(column: Column) =>
  expressionBuilder<Tables, "nodes">()
    .selectFrom("contents")
    .select(column)
    .whereRef("contents.connection_id", "=", "nodes.connection_id")
    .whereRef("contents.node_id", "=", "nodes.id");

const nodesAfter = precompiled((db, connectionId: number, revision: number, key: Uint8Array, limit: number) =>
  nodesChangedAfter(db, connectionId, { revision, key })
    .select(["nodes.id as key", "title", "aliases", "properties", "changed_revision as changedRevision"])
    .select([ofText("digest").as("digest"), ofText("total_chars").as("chars")])
    .orderBy("changed_revision")
    .orderBy("nodes.id")
    .limit(limit),
);

/** The nodes that changed after a position, in that order, at most `limit`. */
export async function searchedNodesAfter(
  db: ReadHandle,
  connectionId: number,
  { revision, key }: NodePosition,
  limit: number,
): Promise<SearchedNode[]> {
  const rows = await nodesAfter(db, connectionId, revision, key, limit);
  return rows.map((row) => ({ ...row, chars: row.chars ?? 0 }));
}

/** The stored texts of nodes. */
export async function textsOf(
  db: ReadHandle,
  connectionId: number,
  keys: readonly Uint8Array[],
): Promise<Map<NodeId, string>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom("contents")
    .select(["node_id", "markdown"])
    .where("connection_id", "=", connectionId)
    .where("node_id", "in", keys)
    .execute();
  return new Map(rows.map(({ node_id, markdown }) => [nodeIdOf(node_id), markdown]));
}

/** A page or database with all that is searched of it. */
export interface SearchedPage {
  readonly title: string;
  readonly aliases: readonly string[];
  readonly properties: Readonly<Record<string, Json>>;
  readonly markdown: string;
}

const pageOf = precompiled((db, connectionId: number, key: Uint8Array) =>
  nodesOf(db, connectionId)
    .leftJoin("contents", (join) =>
      join
        .onRef("contents.connection_id", "=", "nodes.connection_id")
        .onRef("contents.node_id", "=", "nodes.id"),
    )
    .select(["title", "aliases", "properties", "contents.markdown", "text_state"])
    .where("nodes.id", "=", key),
);

/** One page with its text, and whether a part of that is missing; null if there is no such node. */
export async function readSearchedPage(
  db: ReadHandle,
  connectionId: number,
  nodeId: NodeId,
): Promise<(SearchedPage & { readonly truncated: boolean }) | null> {
  const [row] = await pageOf(db, connectionId, nodeKey(nodeId));
  if (row === undefined) return null;
  return {
    title: row.title,
    // Written by `upsertNodes`.
    aliases: row.aliases === null ? [] : (JSON.parse(row.aliases) as string[]),
    properties: JSON.parse(row.properties) as Record<string, Json>,
    markdown: row.markdown ?? "",
    truncated: row.text_state === "partial",
  };
}

/** The number of pages of a connection. Reads all of its nodes. */
export function countPages(db: ReadHandle, connectionId: number): Promise<number> {
  return countRows(nodesOf(db, connectionId).where("type", "=", "page"));
}

/** The number of pages whose text is not stored yet. */
export function countAwaitedTexts(db: ReadHandle, connectionId: number): Promise<number> {
  const awaited = nodesToRead(db, connectionId)
    .where("type", "=", "page")
    .leftJoin("contents", (join) =>
      join
        .onRef("contents.connection_id", "=", "nodes.connection_id")
        .onRef("contents.node_id", "=", "nodes.id"),
    )
    .where("content_state", "=", "pending")
    .where("contents.node_id", "is", null);
  return countRows(awaited);
}

/** The number of pages that changed after a position. */
export function countChangedAfter(
  db: ReadHandle,
  connectionId: number,
  position: NodePosition,
): Promise<number> {
  return countRows(nodesChangedAfter(db, connectionId, position).where("type", "=", "page"));
}

/** Ids read at a time. */
const idsAtATime = 10_000;

/** The ids of a connection's nodes in order, 16 bytes each. */
export async function nodeKeysOf(db: ReadHandle, connectionId: number): Promise<Buffer> {
  const keys: Uint8Array[] = [];
  for (let after: Uint8Array = new Uint8Array(); ; ) {
    const rows = await nodesOf(db, connectionId)
      .select("id")
      .where("id", ">", after)
      .orderBy("id")
      .limit(idsAtATime)
      .execute();
    for (const { id } of rows) keys.push(id);
    const last = rows.at(-1);
    if (last === undefined) return Buffer.concat(keys);
    after = last.id;
  }
}
