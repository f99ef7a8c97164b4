import { blocksOf, dataSourcesOf } from "../store/queries/containers.ts";
import { beginCrawl } from "../store/queries/crawl-checkpoints.ts";
import { knownLocations } from "../store/queries/known-nodes.ts";
import { overlap } from "../store/queries/reading-list.ts";
import type { SyncRun } from "./sync-run.ts";

/** Begins the listing of a sync, or goes on with it after a restart, with what earlier ones found out. */
export async function loadState(run: SyncRun): Promise<void> {
  const { state, connectionId, database, kind, number, startedAt } = run;
  const listing = await database.transaction((trx) =>
    beginCrawl(trx, connectionId, { startedAt, run: number }),
  );
  state.isFull = kind === "full";
  state.firstRun = listing.firstRun;
  if (listing.since !== null) state.quietBefore = listing.since - overlap;

  for await (const { id, containerId } of knownLocations(database.read, connectionId))
    state.nodes.set(id, containerId);
  for (const { id, databaseId, listedAt } of await dataSourcesOf(database.read, connectionId)) {
    state.databases.set(id, databaseId);
    state.rowsKnownSince.set(id, listedAt);
  }
  for (const [id, containerId] of await blocksOf(database.read, connectionId))
    state.blocks.set(id, containerId);
}
