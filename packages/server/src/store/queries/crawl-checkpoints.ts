import type { WriteTransaction } from "../port.ts";
import { countChanged } from "./statements.ts";

/** How the listing of a sync begins, or resumes after a restart. */
interface CrawlCheckpoint {
  /** The number of the sync's first run: this sync saw every node that this run or a later one saw. */
  readonly firstRun: number;
  /** Changes before this time, by the provider's clock, were seen by an earlier listing; null for the first listing. */
  readonly since: number | null;
}

/** Begins the listing of the sync that began at this time, or resumes it. */
export async function beginCrawl(
  trx: WriteTransaction,
  connectionId: number,
  { startedAt, run }: { readonly startedAt: number; readonly run: number },
): Promise<CrawlCheckpoint> {
  const before = await trx
    .selectFrom("crawl_checkpoints")
    .select(["sync_started_at", "first_run", "begun_at", "previous_at", "is_done"])
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
}

function updateCheckpoint(trx: WriteTransaction, connectionId: number) {
  return trx.updateTable("crawl_checkpoints").where("connection_id", "=", connectionId);
}
