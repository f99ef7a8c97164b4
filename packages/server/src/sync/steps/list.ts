import type { ListedNode, NodeReference, SearchEntry, WorkspaceReader } from "@clew/provider";
import { blocksOf, collectionsOf } from "../../store/queries/containers.ts";
import { endCrawl, lookedUpNodes, recordCrawlStart } from "../../store/queries/crawl-checkpoints.ts";
import { unsettledNodes } from "../../store/queries/known-nodes.ts";
import { knownEdits } from "../../store/queries/looks.ts";
import {
  firstEntries,
  requeueDoubtfulTexts,
  requeueDueRereadings,
  requeueTexts,
} from "../../store/queries/reading-list.ts";
import type { StoreToRead, StoreToWrite, SyncContext, SyncPlan } from "../context.ts";
import { retryListOnce } from "../provider-calls.ts";
import { lookupOf } from "../work-queue.ts";

/** Loads what earlier syncs found out about the workspace into the state. Nodes are loaded as edits name them. */
export async function loadKnownState({
  connectionId,
  database,
  plan,
  state,
  loader,
}: StoreToRead &
  Pick<SyncContext, "state" | "loader"> & { readonly plan: Pick<SyncPlan, "kind"> }): Promise<void> {
  if (plan.kind !== "edits") await loader.loadAll();
  // Of an unsettled database, those that are stored may be outdated: they could not be retrieved.
  const unsettled = new Set(await unsettledNodes(database.read, connectionId));
  for (const { id, databaseId, listedAt, hasColumns } of await collectionsOf(database.read, connectionId)) {
    state.addCollection(id, databaseId, listedAt);
    if (hasColumns && plan.kind !== "full" && !unsettled.has(databaseId)) state.markColumnsKnown(id);
  }
  for (const [id, containerId] of await blocksOf(database.read, connectionId))
    state.addBlock(id, containerId);
  for (const id of await lookedUpNodes(database.read, connectionId)) state.addLookedUp(id);
}

interface ListContext
  extends StoreToWrite,
    Pick<SyncContext, "breaker" | "state" | "loader" | "queue" | "writer" | "report" | "log"> {
  readonly reader: Pick<WorkspaceReader, "search" | "trashed" | "time">;
}

/** Takes in what the provider's search lists, written meanwhile, and queues the rows of all collections. */
export async function listWorkspace(context: ListContext): Promise<void> {
  const { state, connectionId, database, reader, writer, queue } = context;
  let hasBegun = false;
  const begin = async () => {
    if (!hasBegun) await database.transaction((trx) => recordCrawlStart(trx, connectionId, reader.time()));
    hasBegun = true;
  };
  const lost = "failed to list the rest of the search, so this sync removes no pages";
  for await (const entry of searched({}, lost, context)) {
    await begin();
    await takeIn(entry, context);
  }
  await begin();
  await writer.flush();
  context.breaker.succeeded();
  for (const id of state.collectionIds()) queue.followCollection(id);
}

/**
 * Takes in what was edited since a time of the provider's: search lists the latest edits first (SYNC-11). Of the first entries, also
 * those that are listed late: they are not stored as they are.
 */
export async function listEdits(since: number, context: ListContext): Promise<void> {
  const { state, reader, writer } = context;
  let begunAt: number | null = null;
  let read = 0;
  const late: ListedNode[] = [];
  for await (const entry of searched({ few: true }, "failed to list the rest of the edits", context)) {
    // The first answer gave the provider's time.
    begunAt ??= reader.time();
    read += 1;
    const isOld = "updatedAt" in entry && entry.updatedAt < since;
    if (!isOld) await takeIn(entry, context);
    else if (read <= firstEntries) late.push(entry);
    if (isOld && read >= firstEntries) break;
  }
  const ids = late.map(({ id }) => id);
  const known = await knownEdits(context.database.read, context.connectionId, ids);
  for (const node of late) if (known.get(node.id)?.updatedAt !== node.updatedAt) await takeIn(node, context);
  await queueTrashed(context);
  await writer.flush();
  context.breaker.succeeded();
  state.markEditsListed(begunAt ?? reader.time());
}

/** Has the stored ones of the pages in the trash looked up: the provider must confirm that they are gone (SYNC-7). */
async function queueTrashed({ state, loader, queue, reader }: ListContext): Promise<void> {
  const trashed: NodeReference[] = [];
  for await (const entry of reader.trashed?.() ?? [])
    if ((entry.type === "page" || entry.type === "database") && entry.inTrash)
      trashed.push({ id: entry.id, type: entry.type });
  await loader.load(trashed.map(({ id }) => id));
  for (const node of trashed) if (state.hasNode(node.id)) queue.lookUp(node, null, "gone");
}

/** The entries that search lists. A list that breaks off twice ends there, and the run knows it. */
function searched(
  options: Parameters<WorkspaceReader["search"]>[0],
  lost: string,
  { state, reader, report, log }: Pick<ListContext, "state" | "reader" | "report" | "log">,
): AsyncIterable<SearchEntry> {
  return retryListOnce(
    () => reader.search(options),
    (error) => {
      state.markUnlisted("search-rest");
      report.unanswered(`failed to list the rest of the search: ${error.message}`);
      log.warn({ err: error }, lost);
    },
  );
}

async function takeIn(
  entry: SearchEntry,
  { state, queue, writer, report }: Pick<ListContext, "state" | "queue" | "writer" | "report">,
): Promise<void> {
  if (entry.type === "unsupported") report.unsupported([entry.unsupported]);
  else if (entry.type === "cut")
    report.unanswered("failed to list everything: the search of the provider ended at its limit");
  else if (entry.type === "unreadable") {
    state.markUnlisted("search-entry");
    queue.add(lookupOf(entry, "search"));
  } else await writer.add({ node: entry, by: "search" });
}

/** Has what was named looked up, and its texts read again. What the provider no longer has is gone. */
export async function queueNamed({
  plan,
  queue,
  connectionId,
  database,
}: StoreToWrite & Pick<SyncContext, "plan" | "queue">): Promise<void> {
  const pages = plan.named.filter(({ of }) => of === "page").map(({ id }) => id);
  await database.transaction((trx) => requeueTexts(trx, connectionId, pages));
  for (const named of plan.named) {
    const lookup = lookupOf(named, "search");
    queue.add(lookup.kind === "look-up" ? { ...lookup, doubt: "gone" } : lookup);
  }
}

/** Notes that everything was listed; from then on a restart reads no text twice (SYNC-6). */
export async function endListing({
  connectionId,
  database,
  reader,
}: StoreToWrite & { readonly reader: Pick<WorkspaceReader, "roundsEditTimes"> }): Promise<void> {
  await database.transaction(async (trx) => {
    if (await endCrawl(trx, connectionId)) await requeueDoubtfulTexts(trx, connectionId, reader);
  });
}

/** Has texts read again that were read soon after an edit, once another edit would have another time (SYNC-7). */
export async function endEdits({
  connectionId,
  database,
  reader,
}: StoreToWrite & { readonly reader: Pick<WorkspaceReader, "roundsEditTimes" | "time"> }): Promise<void> {
  if (!reader.roundsEditTimes) return;
  await database.transaction((trx) => requeueDueRereadings(trx, connectionId, reader.time()));
}
