import { blocksOf, dataSourcesOf } from "../../store/queries/containers.ts";
import { endCrawl, recordCrawlStart } from "../../store/queries/crawl-checkpoints.ts";
import { knownLocations } from "../../store/queries/known-nodes.ts";
import { requeueRecentlyEdited } from "../../store/queries/reading-list.ts";
import { retryListOnce } from "../provider-calls.ts";
import type { SyncRun } from "../sync-run.ts";
import { lookupOf } from "../work-queue.ts";

/** Loads what earlier syncs found out about the workspace. */
export async function loadKnownState({ state, plan, connectionId, database }: SyncRun): Promise<void> {
  for await (const { id, containerId } of knownLocations(database.read, connectionId))
    state.foundNode(id, containerId);
  for (const { id, databaseId, listedAt, hasColumns } of await dataSourcesOf(database.read, connectionId)) {
    state.knewDataSource(id, databaseId, listedAt);
    if (hasColumns && plan.kind !== "full") state.foundColumns(id);
  }
  for (const [id, containerId] of await blocksOf(database.read, connectionId))
    state.foundBlock(id, containerId);
}

/** Takes in what the provider's search lists, written meanwhile, and queues the rows of all data sources. */
export async function listWorkspace(run: SyncRun): Promise<void> {
  const { state, connectionId, database, reader, report } = run;
  let hasBegun = false;
  const begin = async () => {
    if (!hasBegun) await database.transaction((trx) => recordCrawlStart(trx, connectionId, reader.time()));
    hasBegun = true;
  };
  const entries = retryListOnce(
    () => reader.search(),
    (error) => {
      state.couldNotList("search-rest");
      report.unanswered(`failed to list the rest of the search: ${error.message}`);
      run.log.warn({ err: error }, "failed to list the rest of the search, so this sync removes no pages");
    },
  );
  for await (const entry of entries) {
    await begin();
    if (entry.type === "unsupported") report.unsupported([entry.unsupported]);
    else if (entry.type === "cut")
      report.unanswered("failed to list everything: the search of the provider ended at its limit");
    else if (entry.type === "unreadable") {
      state.couldNotList("search-entry");
      run.queue.add(lookupOf(entry, "search"));
    } else await run.writer.add({ node: entry, by: "search" });
  }
  await begin();
  await run.writer.flush();
  run.breaker.succeeded();
  for (const id of state.dataSourceIds()) run.queue.followDataSource(id);
}

/** Notes that everything was listed; from then on a restart reads no text twice (SYNC-6). */
export async function endListing({ connectionId, database }: SyncRun): Promise<void> {
  await database.transaction(async (trx) => {
    if (await endCrawl(trx, connectionId)) await requeueRecentlyEdited(trx, connectionId);
  });
}
