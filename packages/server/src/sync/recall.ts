import { blocksOf, dataSourcesOf } from "../store/holders.ts";
import { knownPlaces } from "../store/known-nodes.ts";
import { beginListing } from "../store/listings.ts";
import { overlap } from "../store/reading-list.ts";
import type { Run } from "./run.ts";

/** Begins the listing of a sync, or goes on with it after a restart, with what earlier ones found out. */
export async function recall(run: Run): Promise<void> {
  const { catalog, connectionId, database, kind, number, startedAt } = run;
  const listing = await database.transaction((trx) =>
    beginListing(trx, connectionId, { startedAt, run: number }),
  );
  catalog.isFull = kind === "full";
  catalog.firstRun = listing.firstRun;
  if (listing.since !== null) catalog.quietBefore = listing.since - overlap;

  for await (const { id, hangsIn } of knownPlaces(database.read, connectionId))
    catalog.nodes.set(id, hangsIn);
  for (const { id, databaseId, listedAt } of await dataSourcesOf(database.read, connectionId)) {
    catalog.databases.set(id, databaseId);
    catalog.rowsKnownSince.set(id, listedAt);
  }
  for (const [id, hangsIn] of await blocksOf(database.read, connectionId)) catalog.blocks.set(id, hangsIn);
}
