import type { NodeId } from "@clew/graph";
import type { Verification } from "@clew/provider";
import { expressionBuilder, sql } from "kysely";
import type { Json, StoredDetail, UnresolvedReference } from "../../model/node.ts";
import type { ReadHandle } from "../port.ts";
import type { Tables, TextState } from "../schema.ts";
import { precompiled, precompiledLists } from "./precompiled.ts";
import { unresolvedReferences } from "./references.ts";
import { sharedRead } from "./shared-reads.ts";
import { batches, countRows, nodeIdOf, nodeKey, nodesOf } from "./statements.ts";

/** A row of `detailRows`: the node of an id, or one of its references to a page that is not there. */
type DetailRow = {
  readonly connection_id: number;
  readonly node_id: Uint8Array;
} & { readonly [Column in keyof DetailColumns]: DetailColumns[Column] | null };

type ReferenceRow = Pick<DetailRow, "type" | "target_id" | "target_name" | "count" | "source" | "position">;

type DetailColumns = Pick<
  Tables["nodes"],
  "properties" | "content_state" | "content_error" | "unread" | "verification"
> &
  Pick<Tables["node_references"], "type" | "target_id" | "target_name" | "count" | "source" | "position">;

/**
 * One statement, so that the nodes and their references are of the same moment. In no order: SQLite takes four times as long
 * to sort a compound select of a few rows.
 */
const detailRows = precompiledLists(
  (
    db,
    connectionIds: readonly number[],
    nodeIds: readonly Uint8Array[],
    sameConnectionIds: readonly number[],
    fromIds: readonly Uint8Array[],
  ) =>
    db
      .selectFrom("nodes")
      .select(["connection_id", "id as node_id", "properties", "content_state", "content_error"])
      .select(["unread", "verification"])
      .select([none.as("type"), none.as("target_id"), none.as("target_name"), none.as("count")])
      .select([none.as("source"), none.as("position")])
      .where("connection_id", "in", connectionIds)
      .where("id", "in", nodeIds)
      .$castTo<DetailRow>()
      .unionAll(
        unresolvedReferences(db, sameConnectionIds)
          .select(["connection_id", "from_id as node_id"])
          .select([none.as("properties"), none.as("content_state"), none.as("content_error")])
          .select([none.as("unread"), none.as("verification")])
          .select(["type", "target_id", "target_name", "count", "source", "position"])
          .where("from_id", "in", fromIds)
          .$castTo<DetailRow>(),
      ),
);

const none = sql<null>`null`;

/** Which node is meant. */
interface NodeKey {
  readonly connectionId: number;
  readonly nodeId: NodeId;
}

const detailOf = sharedRead(async (db, keys: readonly NodeKey[]): Promise<(StoredDetail | null)[]> => {
  const connectionIds = [...new Set(keys.map(({ connectionId }) => connectionId))];
  const nodeIds = keys.map(({ nodeId }) => nodeKey(nodeId));
  // Nodes of the same id in several connections may be found without having been asked for.
  const rows = await detailRows(db, connectionIds, nodeIds, connectionIds, nodeIds);
  const byNode = Map.groupBy(rows, (row) => `${row.connection_id} ${nodeIdOf(row.node_id)}`);
  return keys.map(({ connectionId, nodeId }) => detailIn(byNode.get(`${connectionId} ${nodeId}`) ?? []));
});

/** A node's detail; null if there is no such node. */
export function readNodeDetail(
  db: ReadHandle,
  connectionId: number,
  nodeId: NodeId,
): Promise<StoredDetail | null> {
  return detailOf(db, { connectionId, nodeId });
}

function detailIn(rows: readonly DetailRow[]): StoredDetail | null {
  const node = rows.find(({ properties }) => properties !== null);
  if (!node?.properties || node.content_state === null) return null;
  return {
    // Written by `upsertNodes`.
    properties: JSON.parse(node.properties) as Record<string, Json>,
    contentState: node.content_state,
    contentError: node.content_error,
    unread: node.unread === null ? [] : (JSON.parse(node.unread) as string[]),
    verification: node.verification === null ? null : (JSON.parse(node.verification) as Verification),
    unresolved: unresolvedIn(rows),
  };
}

/** The properties of nodes. */
export async function readProperties(
  db: ReadHandle,
  connectionId: number,
  nodeIds: readonly NodeId[],
): Promise<ReadonlyMap<NodeId, Record<string, Json>>> {
  const rows = await nodesOf(db, connectionId)
    .select(["id", "properties"])
    .where("id", "in", nodeIds.map(nodeKey))
    .execute();
  // Written by `upsertNodes`.
  return new Map(
    rows.map(({ id, properties }) => [nodeIdOf(id), JSON.parse(properties) as Record<string, Json>]),
  );
}

/** The references of nodes to nodes that are not there: one for each type and target, by target, then by type. */
export async function readUnresolved(
  db: ReadHandle,
  connectionId: number,
  nodeIds: readonly NodeId[],
): Promise<ReadonlyMap<NodeId, readonly UnresolvedReference[]>> {
  const found: UnresolvedRow[] = [];
  for (const ids of batches(nodeIds, nodesAtOnce))
    found.push(
      ...(await unresolvedReferences(db, [connectionId])
        .select(["from_id", "type", "target_id", "target_name", "count", "source", "position"])
        .where("from_id", "in", ids.map(nodeKey))
        .execute()),
    );
  const byNode = Map.groupBy(found, ({ from_id }) => nodeIdOf(from_id));
  return new Map(
    [...byNode].map(([id, rows]) => [
      id,
      unresolvedIn(rows).sort((a, b) => compareText(a.targetId, b.targetId) || compareText(a.type, b.type)),
    ]),
  );
}

type UnresolvedRow = ReferenceRow & { readonly from_id: Uint8Array };

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The nodes whose references are read in one statement. */
const nodesAtOnce = 500;

/** One for each type and target, in that order, with the first name and the sum of the counts. */
function unresolvedIn(rows: readonly ReferenceRow[]): UnresolvedReference[] {
  const references = new Map<string, UnresolvedReference>();
  for (const { type, target_id, target_name, count } of rows.toSorted(inText)) {
    if (type === null || target_id === null) continue;
    const targetId = nodeIdOf(target_id);
    const key = `${type} ${targetId}`;
    const before = references.get(key);
    references.set(key, {
      type,
      targetId,
      name: before?.name ?? target_name,
      count: (count ?? 0) + (before?.count ?? 0),
    });
  }
  return [...references].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, reference]) => reference);
}

/** Orders references as the page has them: those of its properties, then those of its text. */
function inText(one: ReferenceRow, other: ReferenceRow): number {
  if (one.source !== other.source) return one.source === "properties" ? -1 : 1;
  return (one.position ?? 0) - (other.position ?? 0);
}

/** A node's text. */
interface StoredContent {
  readonly markdown: string;
  /** Length in code points. */
  readonly totalChars: number;
  /** SHA-256 of the text's UTF-8, base64url. */
  readonly digest: string;
  /** The edit of the page that this text shows, in milliseconds since the Unix epoch. */
  readonly updatedAt: number;
  /** Whether a part of the page's text is missing, because it could not be read whole. */
  readonly truncated: boolean;
}

/** How much of the page's text is stored, for each text in `contents`. */
const stateOfText = expressionBuilder<Tables, "contents">()
  .selectFrom("nodes")
  .select("text_state")
  .whereRef("nodes.connection_id", "=", "contents.connection_id")
  .whereRef("nodes.id", "=", "contents.node_id");

/** The text of a node as it was last read, even if it is to be read again; null if there is none. */
export async function readContent(
  db: ReadHandle,
  connectionId: number,
  nodeId: NodeId,
): Promise<StoredContent | null> {
  const content = await db
    .selectFrom("contents")
    .select(["markdown", "total_chars as totalChars", "digest", "updated_at as updatedAt"])
    .select(stateOfText.as("state"))
    .where("connection_id", "=", connectionId)
    .where("node_id", "=", nodeKey(nodeId))
    .executeTakeFirst();
  return content === undefined ? null : withoutState(content);
}

/** The lengths in code points of the texts after a node, in the order of the nodes' ids. */
export async function contentSizes(
  db: ReadHandle,
  connectionId: number,
  after: NodeId | null,
  limit: number,
): Promise<{ nodeId: NodeId; totalChars: number }[]> {
  const rows = await contentsAfter(db, connectionId, after)
    .select(["node_id", "total_chars"])
    .orderBy("node_id")
    .limit(limit)
    .execute();
  return rows.map(({ node_id, total_chars }) => ({ nodeId: nodeIdOf(node_id), totalChars: total_chars }));
}

/** The texts after one node up to another, in the order of the nodes' ids. */
export async function contentsBetween(
  db: ReadHandle,
  connectionId: number,
  after: NodeId | null,
  last: NodeId,
): Promise<({ nodeId: NodeId } & Pick<StoredContent, "markdown" | "updatedAt" | "truncated">)[]> {
  const rows = await contentsAfter(db, connectionId, after)
    .select(["node_id", "markdown", "updated_at as updatedAt", stateOfText.as("state")])
    .where("node_id", "<=", nodeKey(last))
    .orderBy("node_id")
    .execute();
  return rows.map(({ node_id, ...text }) => ({ nodeId: nodeIdOf(node_id), ...withoutState(text) }));
}

function withoutState<Row extends { readonly state: TextState | null }>({
  state,
  ...text
}: Row): Omit<Row, "state"> & Pick<StoredContent, "truncated"> {
  return { ...text, truncated: state === "partial" };
}

function contentsAfter(db: ReadHandle, connectionId: number, after: NodeId | null) {
  const contents = db.selectFrom("contents").where("connection_id", "=", connectionId);
  return after === null ? contents : contents.where("node_id", ">", nodeKey(after));
}

/**
 * Counts nodes and edges: children and resolved references, each once, none to itself. Several statements: give it a
 * snapshot.
 */
export async function countGraph(
  db: ReadHandle,
  connectionId: number,
): Promise<{ nodes: number; edges: number }> {
  const nodes = nodesOf(db, connectionId);
  const children = nodes.innerJoin("nodes as parent", (join) =>
    join
      .onRef("parent.connection_id", "=", "nodes.connection_id")
      .onRef("parent.id", "=", "nodes.parent_id")
      .onRef("parent.id", "!=", "nodes.id"),
  );
  const references = db.selectFrom((from) =>
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
  );
  return {
    nodes: await countRows(nodes),
    edges: (await countRows(children)) + (await countRows(references)),
  };
}

/** Whether a graph has more than `nodes` nodes, or more than `4 * nodes` references. Does not count them all. */
export async function isLargerThan(db: ReadHandle, connectionId: number, nodes: number): Promise<boolean> {
  const beyond = await Promise.all([
    nodeAt(db, connectionId, nodes),
    referenceAt(db, connectionId, 4 * nodes),
  ]);
  return beyond.some(({ length }) => length > 0);
}

const nodeAt = precompiled((db, connectionId: number, offset: number) =>
  nodesOf(db, connectionId)
    .select("connection_id")
    .limit(({ lit }) => lit(1))
    .offset(offset),
);

const referenceAt = precompiled((db, connectionId: number, offset: number) =>
  db
    .selectFrom("node_references")
    .select("connection_id")
    .where("connection_id", "=", connectionId)
    .limit(({ lit }) => lit(1))
    .offset(offset),
);
