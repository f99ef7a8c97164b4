import type { NodeId } from "@clew/graph";
import { uuidOf } from "@clew/text/basics";
import {
  type AnyColumn,
  type DeleteResult,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type Updateable,
  type UpdateResult,
} from "kysely";
import type { ReadHandle, RecordTransaction, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";
import { profileOf } from "./profile.ts";

/* The parts that statements share: ids as bytes, lists of bounded length, and the nodes of a connection. */

/** A node id as the store keeps it: the 16 bytes of the UUID instead of 36 characters. */
export function nodeKey(id: NodeId): Uint8Array {
  const key = Buffer.from(id.replaceAll("-", ""), "hex");
  if (key.length !== 16) throw new TypeError(`Not a node id: ${JSON.stringify(id)}`);
  return key;
}

/** The node id of 16 stored bytes: a lower-case UUID with dashes. */
export function nodeIdOf(key: Uint8Array): NodeId {
  return uuidOf(Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString("hex"));
}

export const nodeKeyOrNull = (id: NodeId | null) => (id === null ? null : nodeKey(id));

export const nodeIdOrNull = (key: Uint8Array | null) => (key === null ? null : nodeIdOf(key));

/** Cuts a list into lists of at most `size`: a statement takes a bounded number of parameters. */
export function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/**
 * For `update … set`: gives a column the value of the node that has the row's `id`, and leaves it as it is in other rows.
 * The column as last alternative is what tells PostgreSQL the type of the parameters.
 */
export function valueById<T, Node extends { readonly id: NodeId }>(
  column: string,
  nodes: readonly Node[],
  pick: (node: Node) => T,
): RawBuilder<T> {
  if (nodes.length === 0) return sql<T>`${sql.ref(column)}`;
  const cases = nodes.map((node) => sql`when ${nodeKey(node.id)} then ${pick(node)}`);
  return sql<T>`case id ${sql.join(cases, sql` `)} else ${sql.ref(column)} end`;
}

/** For an upsert: replaces these columns with those of the row that was to be inserted. */
export function excluded(
  columns: readonly AnyColumn<Tables, keyof Tables>[],
): Record<string, RawBuilder<never>> {
  return Object.fromEntries(columns.map((column) => [column, sql.ref<never>(`excluded.${column}`)]));
}

/** A connection's nodes; what to select is still to be added. */
export function nodesOf(db: ReadHandle, connectionId: number) {
  return db.selectFrom("nodes").where("nodes.connection_id", "=", connectionId);
}

/**
 * True of all changes. A query that reads them in order states it: PostgreSQL takes a connection that its statistics do not cover
 * to be nearly empty, and would read and sort all of it for each page of changes. This condition seems expensive, but not to the
 * index that has it.
 */
export function readsByChange(db: ReadHandle, table: "nodes" | "tombstones"): RawBuilder<boolean> {
  if (!profileOf(db).marksChanges) return sql`true`;
  return sql`is_read_by_change(${sql.ref(`${table}.added_revision`)})`;
}

/** A position among the nodes of a connection in the order of their changes. */
export interface NodePosition {
  readonly revision: number;
  readonly key: Uint8Array;
}

/** A connection's nodes after a position in the order of their changes; what to select is still to be added. */
export function nodesChangedAfter(db: ReadHandle, connectionId: number, { revision, key }: NodePosition) {
  return nodesOf(db, connectionId)
    .where(readsByChange(db, "nodes"))
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("changed_revision", "nodes.id"), ">", tuple(revision, key)),
    );
}

/** An update of these nodes of a connection; what it sets is still to be added. */
export function updateNodes(trx: WriteTransaction, connectionId: number, ids: readonly NodeId[]) {
  return trx
    .updateTable("nodes")
    .where("connection_id", "=", connectionId)
    .where("id", "in", ids.map(nodeKey));
}

/** Sets the same values in each of these nodes of a connection. */
export async function setInNodes(
  trx: WriteTransaction,
  connectionId: number,
  ids: readonly NodeId[],
  values: Updateable<Tables["nodes"]>,
): Promise<void> {
  for (const some of batches(ids, 1000)) await updateNodes(trx, connectionId, some).set(values).execute();
}

/** An update of a connection; what it sets is still to be added. */
export function updateConnection(trx: RecordTransaction, connectionId: number) {
  return trx.updateTable("connections").where("id", "=", connectionId);
}

/** Counts the rows of a query that selects nothing yet. */
export async function countRows<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
): Promise<number> {
  const counted = query.select(({ fn }) => fn.countAll<number>().as("count")).$castTo<{ count: number }>();
  return (await counted.executeTakeFirstOrThrow()).count;
}

/** Runs an update or a delete; returns how many rows it changed. */
export async function countChanged(query: {
  executeTakeFirstOrThrow(): Promise<UpdateResult | DeleteResult>;
}): Promise<number> {
  const result = await query.executeTakeFirstOrThrow();
  return Number("numDeletedRows" in result ? result.numDeletedRows : result.numUpdatedRows);
}
