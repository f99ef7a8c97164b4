import type { NodeId } from "@clew/graph";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import { batches, countChanged, nodeIdOf, nodeKey } from "./statements.ts";

/* How far the listing of a sync got, for the run that resumes the sync after a restart. */

/** Rows to a statement. */
const batchSize = 1000;

/**
 * Begins the listing of the sync that began at this time, or resumes it. Returns the time, by the provider's clock, before
 * which an earlier listing saw all changes; null for the first listing.
 */
export async function beginCrawl(
  trx: WriteTransaction,
  connectionId: number,
  startedAt: number,
): Promise<number | null> {
  const before = await trx
    .selectFrom("crawl_checkpoints")
    .select(["sync_started_at", "begun_at", "previous_at", "is_done"])
    .where("connection_id", "=", connectionId)
    .executeTakeFirst();
  if (before?.sync_started_at === startedAt) return before.previous_at ?? before.begun_at;
  const previous = before?.is_done === 1 ? before.begun_at : (before?.previous_at ?? null);
  const fresh = {
    sync_started_at: startedAt,
    begun_at: null,
    previous_at: previous,
    is_done: 0,
  };
  await trx
    .insertInto("crawl_checkpoints")
    .values({ connection_id: connectionId, ...fresh })
    .onConflict((conflict) => conflict.column("connection_id").doUpdateSet(fresh))
    .execute();
  await trx.deleteFrom("looked_up_nodes").where("connection_id", "=", connectionId).execute();
  return previous;
}

/** The time, by the provider's clock, until which all edits are known; null before the first listing has ended. */
export async function editsKnownUntil(db: ReadHandle, connectionId: number): Promise<number | null> {
  const row = await db
    .selectFrom("crawl_checkpoints")
    .select(checkpointTimes)
    .where("connection_id", "=", connectionId)
    .executeTakeFirst();
  return row === undefined ? null : knownUntil(row);
}

/** The columns of a checkpoint that `knownUntil` reads. */
export const checkpointTimes = ["begun_at", "previous_at", "is_done", "edits_at"] as const;

/** The later of the last listing that ended and the last reading of edits; null if there was none. */
export function knownUntil({
  begun_at,
  previous_at,
  is_done,
  edits_at,
}: {
  readonly [Column in (typeof checkpointTimes)[number]]: number | null;
}): number | null {
  const listedAt = is_done === 1 ? begun_at : previous_at;
  return Math.max(listedAt ?? 0, edits_at ?? 0) || null;
}

/** Records when a reading of edits that missed nothing began to list, by the provider's clock. */
export async function recordEdits(trx: WriteTransaction, connectionId: number, at: number): Promise<void> {
  await updateCheckpoint(trx, connectionId).set({ edits_at: at }).execute();
}

/** Records when the listing began, by the provider's clock; later calls change nothing. */
export async function recordCrawlStart(
  trx: WriteTransaction,
  connectionId: number,
  at: number,
): Promise<void> {
  await updateCheckpoint(trx, connectionId).set({ begun_at: at }).where("begun_at", "is", null).execute();
}

/** Records that the listing has ended; false if it had ended before. */
export async function endCrawl(trx: WriteTransaction, connectionId: number): Promise<boolean> {
  const ended = updateCheckpoint(trx, connectionId).set({ is_done: 1 }).where("is_done", "=", 0);
  return (await countChanged(ended)) > 0;
}

/** Records that the sync is over: the next one does not resume its listing. */
export async function closeCrawl(trx: WriteTransaction, connectionId: number): Promise<void> {
  await updateCheckpoint(trx, connectionId).set({ sync_started_at: null }).execute();
  await trx.deleteFrom("looked_up_nodes").where("connection_id", "=", connectionId).execute();
}

/** Records nodes that look-ups of the unfinished sync found. */
export async function recordLookedUp(
  trx: WriteTransaction,
  connectionId: number,
  ids: readonly NodeId[],
): Promise<void> {
  for (const some of batches(ids, batchSize)) {
    await trx
      .insertInto("looked_up_nodes")
      .values(some.map((id) => ({ connection_id: connectionId, id: nodeKey(id) })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The nodes that look-ups of the unfinished sync found, in earlier runs. */
export async function lookedUpNodes(db: ReadHandle, connectionId: number): Promise<NodeId[]> {
  const rows = await db
    .selectFrom("looked_up_nodes")
    .select("id")
    .where("connection_id", "=", connectionId)
    .execute();
  return rows.map(({ id }) => nodeIdOf(id));
}

function updateCheckpoint(trx: WriteTransaction, connectionId: number) {
  return trx.updateTable("crawl_checkpoints").where("connection_id", "=", connectionId);
}
