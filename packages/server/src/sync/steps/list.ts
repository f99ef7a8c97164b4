import type { WorkspaceReader } from "@clew/provider";
import { blocksOf, collectionsOf } from "../../store/queries/containers.ts";
import { endCrawl, lookedUpNodes, recordCrawlStart } from "../../store/queries/crawl-checkpoints.ts";
import { knownLocations } from "../../store/queries/known-nodes.ts";
import { requeueRecentlyEdited } from "../../store/queries/reading-list.ts";
import type { StoreToRead, StoreToWrite, SyncContext } from "../context.ts";
import { retryListOnce } from "../provider-calls.ts";
import { lookupOf } from "../work-queue.ts";

/** Loads what earlier syncs found out about the workspace into the state. */
export async function loadKnownState({
  connectionId,
  database,
  plan,
  state,
}: StoreToRead & Pick<SyncContext, "plan" | "state">): Promise<void> {
  for await (const { id, containerId } of knownLocations(database.read, connectionId))
    state.addNode(id, containerId);
  for (const { id, databaseId, listedAt, hasColumns } of await collectionsOf(database.read, connectionId)) {
    state.addCollection(id, databaseId, listedAt);
    if (hasColumns && plan.kind !== "full") state.markColumnsKnown(id);
  }
  for (const [id, containerId] of await blocksOf(database.read, connectionId))
    state.addBlock(id, containerId);
  for (const id of await lookedUpNodes(database.read, connectionId)) state.addLookedUp(id);
}

interface ListContext
  extends StoreToWrite,
    Pick<SyncContext, "breaker" | "state" | "queue" | "writer" | "report" | "log"> {
  readonly reader: Pick<WorkspaceReader, "search" | "time">;
}

/** Takes in what the provider's search lists, written meanwhile, and queues the rows of all collections. */
export async function listWorkspace(context: ListContext): Promise<void> {
  const { state, connectionId, database, reader, report, writer, queue, log } = context;
  let hasBegun = false;
  const begin = async () => {
    if (!hasBegun) await database.transaction((trx) => recordCrawlStart(trx, connectionId, reader.time()));
    hasBegun = true;
  };
  const entries = retryListOnce(
    () => reader.search(),
    (error) => {
      state.markUnlisted("search-rest");
      report.unanswered(`failed to list the rest of the search: ${error.message}`);
      log.warn({ err: error }, "failed to list the rest of the search, so this sync removes no pages");
    },
  );
  for await (const entry of entries) {
    await begin();
    if (entry.type === "unsupported") report.unsupported([entry.unsupported]);
    else if (entry.type === "cut")
      report.unanswered("failed to list everything: the search of the provider ended at its limit");
    else if (entry.type === "unreadable") {
      state.markUnlisted("search-entry");
      queue.add(lookupOf(entry, "search"));
    } else await writer.add({ node: entry, by: "search" });
  }
  await begin();
  await writer.flush();
  context.breaker.succeeded();
  for (const id of state.collectionIds()) queue.followCollection(id);
}

/** Notes that everything was listed; from then on a restart reads no text twice (SYNC-6). */
export async function endListing({ connectionId, database }: StoreToWrite): Promise<void> {
  await database.transaction(async (trx) => {
    if (await endCrawl(trx, connectionId)) await requeueRecentlyEdited(trx, connectionId);
  });
}
