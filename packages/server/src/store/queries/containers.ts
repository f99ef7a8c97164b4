import type { NodeId } from "@clew/graph";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import { batches, excluded, nodeIdOf, nodeIdOrNull, nodeKey, nodeKeyOrNull } from "./statements.ts";

/* Data sources and blocks: containers that are not nodes themselves. */

/** Rows to a statement. */
const batchSize = 1000;

/** A source of rows, and the database that it belongs to. */
interface DataSource {
  readonly id: string;
  readonly databaseId: NodeId;
  /** When the latest complete listing of its rows began, by the provider's clock; null if there was none. */
  readonly listedAt: number | null;
}

export async function dataSourcesOf(db: ReadHandle, connectionId: number): Promise<DataSource[]> {
  const rows = await db
    .selectFrom("data_sources")
    .select(["id", "database_id", "listed_at"])
    .where("connection_id", "=", connectionId)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: nodeIdOf(row.id),
    databaseId: nodeIdOf(row.database_id),
    listedAt: row.listed_at,
  }));
}

/** Stores the database of each of these data sources; it must be a node. */
export async function setDatabases(
  trx: WriteTransaction,
  connectionId: number,
  databases: ReadonlyMap<string, NodeId>,
): Promise<void> {
  for (const some of batches([...databases], batchSize)) {
    await trx
      .insertInto("data_sources")
      .values(
        some.map(([id, databaseId]) => ({
          connection_id: connectionId,
          id: nodeKey(id),
          database_id: nodeKey(databaseId),
          listed_at: null,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(["connection_id", "id"]).doUpdateSet(excluded(["database_id"])),
      )
      .execute();
  }
}

/** Records when a complete listing of a data source's rows began, by the provider's clock. */
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

export async function forgetDataSource(
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
