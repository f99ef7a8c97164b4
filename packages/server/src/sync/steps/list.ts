import { endCrawl, recordCrawlStart } from "../../store/queries/crawl-checkpoints.ts";
import { requeueRecentlyEdited } from "../../store/queries/reading-list.ts";
import { retryListOnce } from "../provider-calls.ts";
import type { SyncRun } from "../sync-run.ts";

/** Takes in what the provider's search lists. Nodes are written while they are listed. */
export async function listWorkspace(run: SyncRun): Promise<void> {
  const { state, connectionId, database, reader, report, signal } = run;
  let hasBegun = false;
  const begin = async () => {
    if (!hasBegun) await database.transaction((trx) => recordCrawlStart(trx, connectionId, reader.time()));
    hasBegun = true;
  };
  const entries = retryListOnce(
    () => reader.search(signal),
    (error) => {
      state.searchBroke();
      report.unanswered(`The search broke off: ${error.message}`);
      run.log.warn({ err: error }, "the search broke off, so this sync removes no pages");
    },
  );
  for await (const entry of entries) {
    await begin();
    if (entry.type === "unsupported") report.unsupported([entry.unsupported]);
    else if (entry.type === "cut") report.unanswered("search lists less than there is");
    else if (entry.type === "unreadable") {
      state.searchWasUnreadable();
      run.queue.lookUpUnreadable(entry, "search");
    } else await run.writer.add({ node: entry, by: "search" });
  }
  await begin();
  await run.writer.flush();
  run.breaker.succeeded();
}

/** Notes that everything was listed; from then on a restart reads no text twice (SYNC-6). */
export async function endListing({ connectionId, database }: SyncRun): Promise<void> {
  await database.transaction(async (trx) => {
    if (await endCrawl(trx, connectionId)) await requeueRecentlyEdited(trx, connectionId);
  });
}
