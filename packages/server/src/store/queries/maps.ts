import type { ReadHandle, WriteTransaction } from "../port.ts";
import { countChanged } from "./statements.ts";

/* The map by links of each connection (GRAPH-30), and the lease of the instance that makes the next one. */

/** A stored map without its bytes. */
export interface StoredMap {
  /** The version of the graph that it is of. */
  readonly graphVersion: number;
  /** Identifies its bytes. */
  readonly digest: string;
}

/** An instance's lease of a connection's map. */
export interface MapClaim {
  readonly connectionId: number;
  readonly worker: string;
}

/** The stored map of a connection; null if none was made. */
export async function findMap(db: ReadHandle, connectionId: number): Promise<StoredMap | null> {
  const row = await db
    .selectFrom("maps")
    .select(["graph_version", "digest"])
    .where("connection_id", "=", connectionId)
    .executeTakeFirst();
  if (row === undefined || row.graph_version === null || row.digest === null) return null;
  return { graphVersion: row.graph_version, digest: row.digest };
}

/** The bytes of a stored map; null once another one has replaced it. */
export async function mapBytes(
  db: ReadHandle,
  connectionId: number,
  digest: string,
): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom("maps")
    .select("bytes")
    .where("connection_id", "=", connectionId)
    .where("digest", "=", digest)
    .executeTakeFirst();
  return row?.bytes ?? null;
}

/** The state that the next map of a connection starts from; null if there is no map. */
export async function mapState(db: ReadHandle, connectionId: number): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom("maps")
    .select("state")
    .where("connection_id", "=", connectionId)
    .executeTakeFirst();
  return row?.state ?? null;
}

/**
 * Leases the map of a connection from `now` until `until`, in milliseconds since the Unix epoch, or renews the lease; false while
 * another instance has it, or if the connection is gone.
 */
export async function leaseMap(
  trx: WriteTransaction,
  { connectionId, worker }: MapClaim,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<boolean> {
  const live = await trx
    .selectFrom("connections")
    .select("id")
    .where("id", "=", connectionId)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  if (live === undefined) return false;
  const found = await trx
    .selectFrom("maps")
    .select(["worker", "leased_until"])
    .where("connection_id", "=", connectionId)
    .executeTakeFirst();
  const isFree = found === undefined || found.worker === null || found.worker === worker;
  if (!isFree && (found.leased_until ?? 0) > now) return false;
  const lease = { worker, leased_until: until };
  await trx
    .insertInto("maps")
    .values({ connection_id: connectionId, ...lease })
    .onConflict((conflict) => conflict.column("connection_id").doUpdateSet(lease))
    .execute();
  return true;
}

/** Ends a lease, if the instance still has it. */
export async function releaseMap(trx: WriteTransaction, { connectionId, worker }: MapClaim): Promise<void> {
  await trx
    .updateTable("maps")
    .set({ worker: null, leased_until: null })
    .where("connection_id", "=", connectionId)
    .where("worker", "=", worker)
    .execute();
}

/** Stores a map and ends the lease; false if the instance no longer has it. */
export async function saveMap(
  trx: WriteTransaction,
  { connectionId, worker }: MapClaim,
  {
    graphVersion,
    digest,
    bytes,
    state,
  }: StoredMap & { readonly bytes: Uint8Array; readonly state: Uint8Array },
): Promise<boolean> {
  const saved = trx
    .updateTable("maps")
    .set({ graph_version: graphVersion, digest, bytes, state, worker: null, leased_until: null })
    .where("connection_id", "=", connectionId)
    .where("worker", "=", worker);
  return (await countChanged(saved)) > 0;
}

/** Deletes the map of a connection: it has titles of pages. */
export async function deleteMap(trx: WriteTransaction, connectionId: number): Promise<void> {
  await trx.deleteFrom("maps").where("connection_id", "=", connectionId).execute();
}
