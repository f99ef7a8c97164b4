import type { NodeId, Reference } from "@clew/graph";
import { batches } from "../batches.ts";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import type { ReferenceSource } from "../schema.ts";
import { precompiled } from "../sqlite/precompiled.ts";
import { stampNode } from "./changes.ts";
import { nodeIdOf, nodeKey } from "./node-key.ts";

/** Rows to a statement. */
const batch = 500;

/**
 * Replaces what one source of a node holds; true where that changed anything. The node must exist. References of the
 * same type, target and name are summed.
 */
export async function replaceReferences(
  trx: WriteTransaction,
  connectionId: number,
  from: { nodeId: NodeId; source: ReferenceSource },
  references: readonly Reference[],
): Promise<boolean> {
  const fromId = nodeKey(from.nodeId);
  const next = summed(references);
  const before = await referencesOf(trx, connectionId, from);
  if (before.length === next.length && before.every((reference, at) => sameReference(reference, next[at])))
    return false;

  await trx
    .deleteFrom("node_references")
    .where("connection_id", "=", connectionId)
    .where("from_id", "=", fromId)
    .where("source", "=", from.source)
    .execute();
  const rows = next.map((reference, position) => ({
    connection_id: connectionId,
    from_id: fromId,
    source: from.source,
    position,
    type: reference.type,
    target_id: nodeKey(reference.targetId),
    name: reference.name,
    target_name: reference.targetName ?? null,
    count: reference.count,
  }));
  for (const some of batches(rows, batch)) await trx.insertInto("node_references").values(some).execute();
  return true;
}

const referencesFrom = precompiled((db, connectionId: number, fromId: Uint8Array, source: ReferenceSource) =>
  db
    .selectFrom("node_references")
    .select(["type", "target_id", "name", "target_name", "count"])
    .where("connection_id", "=", connectionId)
    .where("from_id", "=", fromId)
    .where("source", "=", source)
    .orderBy("position"),
);

/** What one source of a node holds. */
export async function referencesOf(
  db: ReadHandle,
  connectionId: number,
  from: { nodeId: NodeId; source: ReferenceSource },
): Promise<Reference[]> {
  const rows = await referencesFrom(db, connectionId, nodeKey(from.nodeId), from.source);
  return rows.map(({ target_id, target_name, ...row }) => ({
    ...row,
    targetId: nodeIdOf(target_id),
    ...(target_name === null ? {} : { targetName: target_name }),
  }));
}

/** One reference for each type, target and name, in the order of their first occurrence. */
function summed(references: readonly Reference[]): Reference[] {
  const byEdge = new Map<string, Reference>();
  for (const { targetName, ...reference } of references) {
    const name = reference.name?.toWellFormed() ?? null;
    const edge = JSON.stringify([reference.type, reference.targetId, name]);
    const before = byEdge.get(edge);
    byEdge.set(edge, {
      ...reference,
      ...(targetName === undefined ? {} : { targetName: targetName.toWellFormed() }),
      ...before,
      name,
      count: reference.count + (before?.count ?? 0),
    });
  }
  return [...byEdge.values()];
}

function sameReference(one: Reference, other: Reference | undefined): boolean {
  return (
    one.type === other?.type &&
    one.targetId === other.targetId &&
    one.name === other.name &&
    one.targetName === other.targetName &&
    one.count === other.count
  );
}

/** What the references of one source of a node lead to. */
export async function targetsOf(
  db: ReadHandle,
  connectionId: number,
  from: { nodeId: NodeId; source: ReferenceSource },
): Promise<Set<NodeId>> {
  return new Set((await referencesOf(db, connectionId, from)).map(({ targetId }) => targetId));
}

/** Leads the references to data sources on to the databases that those fold into. */
export async function leadToDatabases(trx: WriteTransaction, connectionId: number): Promise<void> {
  const rows = await trx
    .selectFrom("node_references")
    .innerJoin("data_sources", (join) =>
      join
        .onRef("data_sources.connection_id", "=", "node_references.connection_id")
        .onRef("data_sources.id", "=", "node_references.target_id"),
    )
    .select([
      "node_references.from_id",
      "node_references.source",
      "node_references.position",
      "data_sources.database_id",
    ])
    .where("node_references.connection_id", "=", connectionId)
    .execute();
  for (const row of rows) {
    await trx
      .updateTable("node_references")
      .set({ target_id: row.database_id })
      .where("connection_id", "=", connectionId)
      .where("from_id", "=", row.from_id)
      .where("source", "=", row.source)
      .where("position", "=", row.position)
      .execute();
    await stampNode(trx, connectionId, nodeIdOf(row.from_id));
  }
}
