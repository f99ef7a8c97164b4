import type { WriteTransaction } from "../port.ts";

/** How the listing of a sync begins, or goes on after a restart. */
export interface CrawlCheckpoint {
  /** The number of the sync's first run: what runs since then saw, this sync saw. */
  readonly firstRun: number;
  /**
   * Since when everything that changed was looked at by an earlier listing, or by this one before a restart; by the
   * provider's clock. Null for the very first.
   */
  readonly since: number | null;
}

/** Begins the listing of a sync, told by the time at which it first began, or goes on with it. */
export async function beginCrawl(
  trx: WriteTransaction,
  connectionId: number,
  { startedAt, run }: { readonly startedAt: number; readonly run: number },
): Promise<CrawlCheckpoint> {
  const before = await trx
    .selectFrom("crawl_checkpoints")
    .selectAll()
    .where("connection_id", "=", connectionId)
    .executeTakeFirst();
  if (before?.sync_started_at === startedAt)
    return { firstRun: before.first_run, since: before.previous_at ?? before.begun_at };
  const previous = before?.is_done === 1 ? before.begun_at : (before?.previous_at ?? null);
  const fresh = {
    sync_started_at: startedAt,
    first_run: run,
    begun_at: null,
    previous_at: previous,
    is_done: 0,
  };
  await trx
    .insertInto("crawl_checkpoints")
    .values({ connection_id: connectionId, ...fresh })
    .onConflict((conflict) => conflict.column("connection_id").doUpdateSet(fresh))
    .execute();
  return { firstRun: run, since: previous };
}

/** Notes when the listing began, by the provider's clock; the first word counts. */
export async function recordCrawlStart(
  trx: WriteTransaction,
  connectionId: number,
  at: number,
): Promise<void> {
  await trx
    .updateTable("crawl_checkpoints")
    .set({ begun_at: at })
    .where("connection_id", "=", connectionId)
    .where("begun_at", "is", null)
    .execute();
}

/** Notes that the listing came to its end; false where that was noted before. */
export async function endCrawl(trx: WriteTransaction, connectionId: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("crawl_checkpoints")
    .set({ is_done: 1 })
    .where("connection_id", "=", connectionId)
    .where("is_done", "=", 0)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Notes that the sync is over: the next one is another, whenever it begins. */
export async function closeCrawl(trx: WriteTransaction, connectionId: number): Promise<void> {
  await trx
    .updateTable("crawl_checkpoints")
    .set({ sync_started_at: null })
    .where("connection_id", "=", connectionId)
    .execute();
}
