import type { NodeType } from "@clew/contract";
import type { NodeId, Reference } from "@clew/graph";
import { sql } from "kysely";
import type { Json } from "../../model/node.ts";
import type { FoundBy } from "../../model/sync-report.ts";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";
import { factColumns, type StoredFacts } from "./node-facts.ts";
import { precompiled } from "./precompiled.ts";
import { referencesOf } from "./references.ts";
import { batches, countRows, nodeIdOf, nodeIdOrNull, nodeKey, nodesOf, setInNodes } from "./statements.ts";

/* Queries with which a sync reads the nodes that earlier syncs found. */

/** Nodes read at a time. */
const pageSize = 1000;

/** The place of a node. */
export interface KnownLocation {
  readonly id: NodeId;
  /** The page, database, collection or block that contains it; null at the top. */
  readonly containerId: string | null;
  readonly parentId: NodeId | null;
}

/** All nodes of a connection, by id. */
export async function* knownLocations(db: ReadHandle, connectionId: number): AsyncGenerator<KnownLocation> {
  for (let after = new Uint8Array(); ; ) {
    const rows = await locationsAfter(db, connectionId, after);
    yield* rows.map(locationOf);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = new Uint8Array(last.id);
  }
}

function locationOf(row: Pick<Tables["nodes"], "id" | "container_id" | "parent_id">): KnownLocation {
  return {
    id: nodeIdOf(row.id),
    containerId: nodeIdOrNull(row.container_id),
    parentId: nodeIdOrNull(row.parent_id),
  };
}

const locationsAfter = precompiled((db, connectionId: number, after: Uint8Array) =>
  nodesOf(db, connectionId)
    .select(["id", "container_id", "parent_id"])
    .where("id", ">", after)
    .orderBy("id")
    .limit(({ lit }) => lit(pageSize)),
);

/** The number of stored nodes of a connection. */
export function countNodes(db: ReadHandle, connectionId: number): Promise<number> {
  return countRows(nodesOf(db, connectionId));
}

/** The places of the stored ones of these nodes. */
export async function locationsOf(
  db: ReadHandle,
  connectionId: number,
  ids: readonly NodeId[],
): Promise<KnownLocation[]> {
  const locations: KnownLocation[] = [];
  for (const some of batches(ids, pageSize)) {
    const rows = await nodesOf(db, connectionId)
      .select(["id", "container_id", "parent_id"])
      .where("id", "in", some.map(nodeKey))
      .execute();
    locations.push(...rows.map(locationOf));
  }
  return locations;
}

/** The stored children of these nodes. */
export async function childrenOf(
  db: ReadHandle,
  connectionId: number,
  ids: readonly NodeId[],
): Promise<NodeId[]> {
  const children: NodeId[] = [];
  for (const some of batches(ids, pageSize)) {
    const rows = await nodesOf(db, connectionId)
      .select("id")
      .where("parent_id", "in", some.map(nodeKey))
      .execute();
    children.push(...rows.map((row) => nodeIdOf(row.id)));
  }
  return children;
}

/** The nodes at the top that have a container: it is not stored, or the way up from it leads back to the node. */
export async function cutOffNodes(db: ReadHandle, connectionId: number): Promise<NodeId[]> {
  const rows = await nodesOf(db, connectionId)
    .select("id")
    .where("parent_id", "is", null)
    .where("container_id", "is not", null)
    .execute();
  return rows.map((row) => nodeIdOf(row.id));
}

/** A stored node, with what a listing may show anew. */
export interface KnownNode extends KnownLocation {
  readonly updatedAt: number;
  readonly isUnsettled: boolean;
  readonly foundBy: FoundBy;
  /** Its facts as they are stored, to compare with others. */
  readonly facts: StoredFacts;
}

/** The stored ones of these nodes. */
export async function knownNodes(
  db: ReadHandle,
  connectionId: number,
  ids: readonly NodeId[],
): Promise<Map<NodeId, KnownNode>> {
  const known = new Map<NodeId, KnownNode>();
  for (const some of batches(ids, pageSize)) {
    const rows = await nodesOf(db, connectionId)
      .select(["id", "container_id", "unsettled", "found_by", ...factColumns])
      .where("id", "in", some.map(nodeKey))
      .execute();
    for (const row of rows) {
      const location = locationOf(row);
      known.set(location.id, {
        ...location,
        updatedAt: row.updated_at,
        isUnsettled: row.unsettled === 1,
        foundBy: row.found_by,
        facts: row,
      });
    }
  }
  return known;
}

/** A node's properties and the references in them. */
export interface KnownFacts {
  readonly properties: Readonly<Record<string, Json>>;
  readonly references: readonly Reference[];
}

/** A node's stored properties and references; empty if the node is missing. */
export async function knownFacts(db: ReadHandle, connectionId: number, id: NodeId): Promise<KnownFacts> {
  const row = await nodesOf(db, connectionId)
    .select("properties")
    .where("id", "=", nodeKey(id))
    .executeTakeFirst();
  return {
    // Written by `upsertNodes`.
    properties: row === undefined ? {} : (JSON.parse(row.properties) as Record<string, Json>),
    references: await referencesOf(db, connectionId, { nodeId: id, source: "properties" }),
  };
}

/** Marks nodes as unsettled: something about them is still to be looked up. */
export async function unsettleNodes(
  trx: WriteTransaction,
  connectionId: number,
  ids: readonly NodeId[],
): Promise<void> {
  await setInNodes(trx, connectionId, ids, { unsettled: 1 });
}

/** A node whose provider is to be asked whether it is still there. */
export interface DoubtfulNode {
  readonly id: NodeId;
  readonly type: NodeType;
}

/** Those of these nodes that were found in one of these ways or are not completely looked up, by id. */
export async function nodesFoundBy(
  db: ReadHandle,
  connectionId: number,
  ids: readonly NodeId[],
  foundBy: readonly FoundBy[],
): Promise<DoubtfulNode[]> {
  const nodes: DoubtfulNode[] = [];
  for (const some of batches(ids.toSorted(), pageSize)) {
    const rows = await nodesOf(db, connectionId)
      .select(["id", "type"])
      .where("id", "in", some.map(nodeKey))
      .where((where) => where.or([where("found_by", "in", foundBy), where("unsettled", "=", 1)]))
      .orderBy("id")
      .execute();
    nodes.push(...rows.map(({ id, type }) => ({ id: nodeIdOf(id), type })));
  }
  return nodes;
}

/** Nodes whose parent was removed. */
export async function orphanedNodes(db: ReadHandle, connectionId: number): Promise<DoubtfulNode[]> {
  const rows = await nodesOf(db, connectionId)
    .leftJoin("nodes as parent", (join) =>
      join
        .onRef("parent.connection_id", "=", "nodes.connection_id")
        .onRef("parent.id", "=", "nodes.parent_id"),
    )
    .select(["nodes.id", "nodes.type"])
    .where("nodes.parent_id", "is not", null)
    .where("parent.id", "is", null)
    .orderBy("nodes.id")
    .execute();
  return rows.map(({ id, type }) => ({ id: nodeIdOf(id), type }));
}

/** The nodes that are not completely looked up. */
export async function unsettledNodes(db: ReadHandle, connectionId: number): Promise<NodeId[]> {
  const rows = await nodesOf(db, connectionId).select("id").where("unsettled", "=", sql.lit(1)).execute();
  return rows.map(({ id }) => nodeIdOf(id));
}

/** Marks nodes as completely looked up. */
export async function settleNodes(
  trx: WriteTransaction,
  connectionId: number,
  ids: readonly NodeId[],
): Promise<void> {
  await setInNodes(trx, connectionId, ids, { unsettled: 0 });
}
