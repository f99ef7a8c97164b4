import { endCrawl, recordCrawlStart } from "../store/queries/crawl-checkpoints.ts";
import { requeueRecentlyEdited } from "../store/queries/reading-list.ts";
import { crawl } from "./crawl.ts";
import { loadState } from "./load-state.ts";
import { removeUnseen } from "./missing.ts";
import { createNodeWriter, type NodeWriter } from "./node-writer.ts";
import { retryListOnce } from "./retry-list.ts";
import { settleGraph } from "./settle-graph.ts";
import type { SyncRun } from "./sync-run.ts";
import { createWorkQueue, type WorkQueue } from "./work-queue.ts";

/**
 * The first phase (SYNC-2): finds pages and databases through search and by following what that names, and writes and
 * publishes titles, parents and relations, so that they can be searched within seconds. Nodes are written as they are
 * listed, and asked about only where they are new or changed (SYNC-3).
 */
export async function readTitlesPhase(run: SyncRun): Promise<void> {
  const { state, connectionId, database } = run;
  run.progress.begin("titles", null);
  await loadState(run);
  const queue = createWorkQueue(state);
  const writer = createNodeWriter(queue, run, (count) => run.progress.reach(count, null));
  await listAll(queue, writer, run);
  for (const id of state.databases.keys()) queue.list(id);
  await crawl(queue, writer, run);
  if (state.isSearchWhole) await removeUnseen(queue, writer, run);
  run.progress.reach(writer.taken.size, writer.taken.size);
  await settleGraph(run);
  await database.transaction(async (trx) => {
    // Once in a sync: what it has read before a restart is not read again after it (SYNC-6).
    if (await endCrawl(trx, connectionId)) await requeueRecentlyEdited(trx, connectionId);
  });
  await run.publisher.publish();
}

/** Takes in what search lists. */
async function listAll(queue: WorkQueue, writer: NodeWriter, run: SyncRun): Promise<void> {
  const { state, connectionId, database, reader, report, signal } = run;
  let isBegun = false;
  const begin = async () => {
    if (!isBegun) await database.transaction((trx) => recordCrawlStart(trx, connectionId, reader.time()));
    isBegun = true;
  };
  const entries = retryListOnce(
    () => reader.search(signal),
    (error) => {
      state.isSearchWhole = false;
      report.unanswered(`The search broke off: ${error.message}`);
      run.log.warn({ err: error }, "the sync removes nothing: its search broke off");
    },
  );
  for await (const entry of entries) {
    await begin();
    if (entry.type === "unsupported") report.unsupported([entry.unsupported]);
    else if (entry.type === "cut") report.unanswered("search lists less than there is");
    else if (entry.type === "unreadable") {
      state.isSearchReadable = false;
      queue.lookUp(entry, "search");
    } else await writer.add({ node: entry, by: "search" });
  }
  await begin();
  await writer.flush();
  run.breaker.answered();
}
