import { isDeepStrictEqual } from "node:util";
import { combined, type NodeId, type Reference } from "@clew/graph";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import type { ReferenceSource } from "../schema.ts";
import { stampChanged } from "./changes.ts";
import { batches, nodeIdOf, nodeKey } from "./statements.ts";

/** All columns, since rows are compared with those to be written. */
const rowColumns = [
  "connection_id",
  "from_id",
  "source",
  "position",
  "type",
  "target_id",
  "name",
  "target_name",
  "count",
] as const;

/** Rows to a statement: SQLite takes 32 766 parameters, PostgreSQL 65 535. */
const batchSize = 3000;

/**
 * Replaces what one source of these nodes holds, and sums equal edges; returns those that changed. The nodes must exist. Only
 * those of `known` may hold any so far.
 */
export async function replaceReferences(
  trx: WriteTransaction,
  connectionId: number,
  source: ReferenceSource,
  held: ReadonlyMap<NodeId, readonly Reference[]>,
  known: readonly NodeId[] = [...held.keys()],
): Promise<NodeId[]> {
  const changed = await otherReferences(trx, connectionId, source, held, known);
  const outdated = changed.flatMap(({ nodeId, hadSome }) => (hadSome ? nodeKey(nodeId) : []));
  if (outdated.length > 0) {
    await trx
      .deleteFrom("node_references")
      .where("connection_id", "=", connectionId)
      .where("from_id", "in", outdated)
      .where("source", "=", source)
      .execute();
  }
  const rows = changed.flatMap((node) => node.rows);
  for (const some of batches(rows, batchSize)) await trx.insertInto("node_references").values(some).execute();
  return changed.map(({ nodeId }) => nodeId);
}

/** Those of these nodes of which one source holds other references than are stored. */
export async function nodesWithOtherReferences(
  db: ReadHandle,
  connectionId: number,
  source: ReferenceSource,
  held: ReadonlyMap<NodeId, readonly Reference[]>,
): Promise<Set<NodeId>> {
  const others = await otherReferences(db, connectionId, source, held, [...held.keys()]);
  return new Set(others.map(({ nodeId }) => nodeId));
}

/** The rows of those nodes whose references are stored otherwise, and whether any were stored. */
async function otherReferences(
  db: ReadHandle,
  connectionId: number,
  source: ReferenceSource,
  held: ReadonlyMap<NodeId, readonly Reference[]>,
  known: readonly NodeId[],
) {
  const stored = known.length === 0 ? [] : await rowsOf(db, connectionId, source, known);
  const before = Map.groupBy(stored, ({ from_id }) => nodeIdOf(from_id));
  return [...held].flatMap(([nodeId, references]) => {
    const rows = summed(references).map((reference, position) => ({
      connection_id: connectionId,
      from_id: nodeKey(nodeId),
      source,
      position,
      type: reference.type,
      target_id: nodeKey(reference.targetId),
      name: reference.name,
      target_name: reference.targetName ?? null,
      count: reference.count,
    }));
    const earlier = before.get(nodeId) ?? [];
    if (isDeepStrictEqual(rows, earlier)) return [];
    return [{ nodeId, rows, hadSome: earlier.length > 0 }];
  });
}

/** Stores the names that texts give to the targets of the references that they hold. */
export async function saveTargetNames(
  trx: WriteTransaction,
  connectionId: number,
  held: ReadonlyMap<NodeId, readonly Reference[]>,
): Promise<void> {
  const edgeOf = (from: NodeId, type: string, to: NodeId) => `${from} ${type} ${to}`;
  const names = new Map<string, string>();
  for (const [from, references] of held)
    for (const { type, targetId, targetName } of references.toReversed())
      if (targetName !== undefined) names.set(edgeOf(from, type, targetId), targetName);
  for (const row of await rowsOf(trx, connectionId, "text", [...held.keys()])) {
    const name = names.get(edgeOf(nodeIdOf(row.from_id), row.type, nodeIdOf(row.target_id)));
    if (name === undefined || name === row.target_name) continue;
    await trx
      .updateTable("node_references")
      .set({ target_name: name })
      .where("connection_id", "=", connectionId)
      .where("from_id", "=", row.from_id)
      .where("source", "=", "text")
      .where("position", "=", row.position)
      .execute();
  }
}

/** The references of one source of a node, in order. */
export async function referencesOf(
  db: ReadHandle,
  connectionId: number,
  { nodeId, source }: { nodeId: NodeId; source: ReferenceSource },
): Promise<Reference[]> {
  const rows = await rowsOf(db, connectionId, source, [nodeId]);
  return rows.map(({ type, target_id, name, target_name, count }) => ({
    type,
    targetId: nodeIdOf(target_id),
    name,
    ...(target_name === null ? {} : { targetName: target_name }),
    count,
  }));
}

function rowsOf(db: ReadHandle, connectionId: number, source: ReferenceSource, ids: readonly NodeId[]) {
  return db
    .selectFrom("node_references")
    .select(rowColumns)
    .where("connection_id", "=", connectionId)
    .where("from_id", "in", ids.map(nodeKey))
    .where("source", "=", source)
    .orderBy("from_id")
    .orderBy("position")
    .execute();
}

/** One reference for each type, target and name, in the order of their first occurrence. */
function summed(references: readonly Reference[]): Reference[] {
  const byEdge = new Map<string, Reference>();
  for (const { targetName, ...reference } of references) {
    const name = reference.name?.toWellFormed() ?? null;
    const edge = JSON.stringify([reference.type, reference.targetId, name]);
    const before = byEdge.get(edge);
    const named = {
      ...reference,
      name,
      ...(targetName === undefined ? {} : { targetName: targetName.toWellFormed() }),
    };
    byEdge.set(edge, before === undefined ? named : combined(before, named));
  }
  return [...byEdge.values()];
}

/** The offsets of the references of a text, in the order in which `replaceReferences` stores them: see schema.ts. */
export function offsetsOf(references: readonly Reference[]): string {
  return JSON.stringify(summed(references).map(({ offsets }) => offsets ?? []));
}

/** The targets of the references of one source of a node. */
export async function targetsOf(
  db: ReadHandle,
  connectionId: number,
  from: { nodeId: NodeId; source: ReferenceSource },
): Promise<Set<NodeId>> {
  return new Set((await referencesOf(db, connectionId, from)).map(({ targetId }) => targetId));
}

/** References of these connections to nodes that are not there. */
export function unresolvedReferences(db: ReadHandle, connectionIds: readonly number[]) {
  return db
    .selectFrom("node_references as reference")
    .where("reference.connection_id", "in", connectionIds)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("nodes as target")
            .select("target.id")
            .whereRef("target.connection_id", "=", "reference.connection_id")
            .whereRef("target.id", "=", "reference.target_id"),
        ),
      ),
    );
}

/** Replaces references to collections by references to their databases. */
export async function redirectToDatabases(trx: WriteTransaction, connectionId: number): Promise<void> {
  const rows = await trx
    .updateTable("node_references")
    .from("data_sources")
    .set(({ ref }) => ({ target_id: ref("data_sources.database_id") }))
    .where("node_references.connection_id", "=", connectionId)
    .where("data_sources.connection_id", "=", connectionId)
    .whereRef("data_sources.id", "=", "node_references.target_id")
    .returning("node_references.from_id")
    .execute();
  const changed = new Set(rows.map(({ from_id }) => nodeIdOf(from_id)));
  await stampChanged(trx, connectionId, "references", [...changed]);
}
