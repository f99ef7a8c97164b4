import type { NodeType } from "@clew/contract";
import type { NodeId, Reference } from "@clew/graph";
import type { Json } from "../../model/node.ts";
import type { FoundBy } from "../../model/sync-report.ts";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";
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

/** The facts of a stored node that show whether a listing has anything new. */
export interface KnownNode extends KnownLocation {
  readonly updatedAt: number;
  readonly isUnsettled: boolean;
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
      .select(["id", "container_id", "parent_id", "updated_at", "unsettled"])
      .where("id", "in", some.map(nodeKey))
      .execute();
    for (const row of rows) {
      const location = locationOf(row);
      known.set(location.id, { ...location, updatedAt: row.updated_at, isUnsettled: row.unsettled === 1 });
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

/** A node that no run of a sync saw. */
export interface UnseenNode {
  readonly id: NodeId;
  readonly type: NodeType;
}

/** Nodes last seen before a run, and either found in one of these ways or not completely looked up. */
export async function unseenNodes(
  db: ReadHandle,
  connectionId: number,
  before: { readonly run: number; readonly foundBy: readonly FoundBy[] },
): Promise<UnseenNode[]> {
  const rows = await nodesOf(db, connectionId)
    .select(["id", "type"])
    .where("run", "<", before.run)
    .where((where) => where.or([where("found_by", "in", before.foundBy), where("unsettled", "=", 1)]))
    .orderBy("id")
    .execute();
  return rows.map(({ id, type }) => ({ id: nodeIdOf(id), type }));
}

/** Nodes whose parent was removed, last seen before a run. */
export async function orphanedNodes(
  db: ReadHandle,
  connectionId: number,
  beforeRun: number,
): Promise<UnseenNode[]> {
  const rows = await nodesOf(db, connectionId)
    .leftJoin("nodes as parent", (join) =>
      join
        .onRef("parent.connection_id", "=", "nodes.connection_id")
        .onRef("parent.id", "=", "nodes.parent_id"),
    )
    .select(["nodes.id", "nodes.type"])
    .where("nodes.run", "<", beforeRun)
    .where("nodes.parent_id", "is not", null)
    .where("parent.id", "is", null)
    .orderBy("nodes.id")
    .execute();
  return rows.map(({ id, type }) => ({ id: nodeIdOf(id), type }));
}

/** Marks the nodes seen since a run, except some, as completely looked up. */
export async function markSettled(
  trx: WriteTransaction,
  connectionId: number,
  since: { readonly run: number; readonly except: ReadonlySet<NodeId> },
): Promise<void> {
  const rows = await nodesOf(trx, connectionId)
    .select("id")
    .where("unsettled", "=", 1)
    .where("run", ">=", since.run)
    .execute();
  const settled = rows.map(({ id }) => nodeIdOf(id)).filter((id) => !since.except.has(id));
  await setInNodes(trx, connectionId, settled, { unsettled: 0 });
}
