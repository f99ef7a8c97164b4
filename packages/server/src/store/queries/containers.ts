import type { NodeId } from "@clew/graph";
import type { Column } from "@clew/provider";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import { stampChanged } from "./changes.ts";
import { batches, excluded, nodeIdOf, nodeIdOrNull, nodeKey, nodeKeyOrNull } from "./statements.ts";

/* Collections and blocks: containers that are not nodes themselves. */

/** Rows to a statement. */
const batchSize = 1000;

/** A collection of rows, and the database that has it. */
interface StoredCollection {
  readonly id: string;
  readonly databaseId: NodeId;
  /** When the latest complete listing of its rows began, by the provider's clock; null if there was none. */
  readonly listedAt: number | null;
  readonly hasColumns: boolean;
}

export async function collectionsOf(db: ReadHandle, connectionId: number): Promise<StoredCollection[]> {
  const rows = await db
    .selectFrom("data_sources")
    .select(["id", "database_id", "listed_at"])
    .select(({ eb }) => eb("columns", "is not", null).as("hasColumns"))
    .where("connection_id", "=", connectionId)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: nodeIdOf(row.id),
    databaseId: nodeIdOf(row.database_id),
    listedAt: row.listed_at,
    hasColumns: Boolean(row.hasColumns),
  }));
}

/** A collection as a sync found it. */
export interface FoundCollection {
  readonly id: string;
  /** It must be a node. */
  readonly databaseId: NodeId;
  /** Null if they are not known: those that are stored stay. */
  readonly columns: readonly Column[] | null;
}

/** Those of these collections that are not stored as they were found. */
export async function unstoredCollections(
  db: ReadHandle,
  connectionId: number,
  collections: readonly FoundCollection[],
): Promise<FoundCollection[]> {
  const rows = await rowsOf(db, connectionId, collections);
  const stored = new Map(rows.map((row) => [nodeIdOf(row.id), row]));
  return collections.filter(({ id, databaseId, columns }) => {
    const row = stored.get(id);
    if (row === undefined || nodeIdOf(row.database_id) !== databaseId) return true;
    return columns !== null && JSON.stringify(columns) !== row.columns;
  });
}

/** Stores these collections. Other columns than before count as a change of the database's properties (GRAPH-27). */
export async function upsertCollections(
  trx: WriteTransaction,
  connectionId: number,
  collections: readonly FoundCollection[],
): Promise<void> {
  const distinct = [...new Map(collections.map((collection) => [collection.id, collection])).values()];
  for (const some of batches(distinct, batchSize)) {
    const properties = await databasesWithOtherColumns(trx, connectionId, some);
    await trx
      .insertInto("data_sources")
      .values(
        some.map(({ id, databaseId, columns }) => ({
          connection_id: connectionId,
          id: nodeKey(id),
          database_id: nodeKey(databaseId),
          listed_at: null,
          columns: columns === null ? null : JSON.stringify(columns),
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(["connection_id", "id"]).doUpdateSet(({ fn, ref }) => ({
          ...excluded(["database_id"]),
          columns: fn.coalesce(ref("excluded.columns"), ref("data_sources.columns")),
        })),
      )
      .execute();
    await stampChanged(trx, connectionId, "properties", properties);
  }
}

/** The databases of those of these collections that are stored with other columns. */
async function databasesWithOtherColumns(
  db: ReadHandle,
  connectionId: number,
  collections: readonly FoundCollection[],
): Promise<NodeId[]> {
  const withColumns = collections.filter(({ columns }) => columns !== null);
  const shown = new Map(withColumns.map(({ id, columns }) => [id, JSON.stringify(columns)]));
  const stored = await rowsOf(db, connectionId, withColumns);
  const others = stored.filter(({ id, columns }) => columns !== null && columns !== shown.get(nodeIdOf(id)));
  return [...new Set(others.map(({ database_id }) => nodeIdOf(database_id)))];
}

/** The stored rows of these collections. */
async function rowsOf(
  db: ReadHandle,
  connectionId: number,
  collections: readonly Pick<FoundCollection, "id">[],
) {
  if (collections.length === 0) return [];
  return db
    .selectFrom("data_sources")
    .select(["id", "database_id", "columns"])
    .where("connection_id", "=", connectionId)
    .where("id", "in", [...new Set(collections.map(({ id }) => id))].map(nodeKey))
    .execute();
}

/**
 * The columns of a database: those of all of its collections, each name once. If types differ, the column is text. Null
 * if none are known.
 */
export async function columnsOfDatabase(
  db: ReadHandle,
  connectionId: number,
  databaseId: NodeId,
): Promise<Column[] | null> {
  const rows = await db
    .selectFrom("data_sources")
    .select("columns")
    .where("connection_id", "=", connectionId)
    .where("database_id", "=", nodeKey(databaseId))
    .where("columns", "is not", null)
    .orderBy("id")
    .execute();
  const columns = new Map<string, Column>();
  for (const row of rows) {
    // Written by `upsertCollections`.
    for (const column of JSON.parse(row.columns ?? "[]") as Column[]) {
      const before = columns.get(column.name);
      columns.set(column.name, before === undefined ? column : united(before, column));
    }
  }
  return rows.length === 0 ? null : [...columns.values()];
}

function united(one: Column, other: Column): Column {
  if (one.type !== other.type) return { name: one.name, type: "text", options: [] };
  return { ...one, options: [...new Set([...one.options, ...other.options])] };
}

/** Records when a complete listing of a collection's rows began, by the provider's clock. */
export async function recordRowsListed(
  trx: WriteTransaction,
  connectionId: number,
  id: string,
  at: number,
): Promise<void> {
  await trx
    .updateTable("data_sources")
    .set({ listed_at: at })
    .where("connection_id", "=", connectionId)
    .where("id", "=", nodeKey(id))
    .execute();
}

export async function forgetCollection(
  trx: WriteTransaction,
  connectionId: number,
  id: string,
): Promise<void> {
  await trx
    .deleteFrom("data_sources")
    .where("connection_id", "=", connectionId)
    .where("id", "=", nodeKey(id))
    .execute();
}

/** The container of each block; null if unknown. */
export async function blocksOf(db: ReadHandle, connectionId: number): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom("blocks")
    .select(["id", "container_id"])
    .where("connection_id", "=", connectionId)
    .execute();
  return new Map(rows.map(({ id, container_id }) => [nodeIdOf(id), nodeIdOrNull(container_id)]));
}

/** Stores the containers of these blocks; null if unknown. */
export async function setBlockContainers(
  trx: WriteTransaction,
  connectionId: number,
  containers: ReadonlyMap<string, string | null>,
): Promise<void> {
  for (const some of batches([...containers], batchSize)) {
    await trx
      .insertInto("blocks")
      .values(
        some.map(([id, containerId]) => ({
          connection_id: connectionId,
          id: nodeKey(id),
          container_id: nodeKeyOrNull(containerId),
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(["connection_id", "id"]).doUpdateSet(excluded(["container_id"])),
      )
      .execute();
  }
}
