import type { NodeId } from "@clew/graph";
import { ProviderError } from "@clew/provider";
import { forgetCollection, recordRowsListed, upsertCollections } from "../../store/queries/containers.ts";
import { unsettleNodes } from "../../store/queries/known-nodes.ts";
import { editOverlapMs } from "../../store/queries/reading-list.ts";
import { recordUnanswered, type StateToRead, type StoreToWrite, type SyncContext } from "../context.ts";
import { forEachConcurrently, maxConcurrentCalls, retryListOnce, singleFailure } from "../provider-calls.ts";
import { containerOf } from "../state.ts";
import { lookupOf, type QueuedLookup } from "../work-queue.ts";

/** Looking up takes all but what tells people how far the sync is. */
export type CrawlContext = StoreToWrite &
  Pick<
    SyncContext,
    "plan" | "reader" | "breaker" | "state" | "loader" | "queue" | "writer" | "report" | "log"
  >;

/**
 * Makes the queued lookups, and those that their answers make necessary, until none is left (SYNC-1): rows of databases,
 * parents, blocks up to their page, targets of mentions and relations. A node that the provider does not have was not
 * shared. Any other failure of a single lookup is noted, and the next sync asks again.
 */
export async function crawl(context: CrawlContext): Promise<void> {
  const { loader, queue, writer } = context;
  await writer.flush();
  for (;;) {
    await loader.load(queue.waitingIds());
    const lookups = queue.takeNext();
    if (lookups.length === 0) return;
    await forEachConcurrently(lookups, maxConcurrentCalls, (lookup) => attempt(lookup, context));
    await writer.flush();
  }
}

async function attempt(lookup: QueuedLookup, context: CrawlContext): Promise<void> {
  const { connectionId, database, state, breaker } = context;
  try {
    await perform(lookup, context);
    breaker.succeeded();
  } catch (thrown) {
    if (singleFailure(thrown).code === "not_found" && (await acceptAbsence(lookup, context)))
      return breaker.succeeded();
    state.markUnanswered(lookup);
    const node = nodeOf(lookup, context);
    if (node !== null) {
      state.markUnsettled(node);
      await database.transaction((trx) => unsettleNodes(trx, connectionId, [node]));
    }
    const action = lookup.doubt === "gone" ? "failed to find out whether" : actions[lookup.kind];
    const what = `${action} ${lookup.id}${lookup.doubt === "gone" ? " is gone" : ""}`;
    recordUnanswered(lookup.raisedBy, what, thrown, context);
  }
}

const actions: Readonly<Record<QueuedLookup["kind"], string>> = {
  rows: "failed to list all rows of collection",
  "find-container": "failed to find the page that holds block",
  "find-database": "failed to find the database of collection",
  columns: "failed to read the columns of collection",
  "look-up": "failed to look up",
  retrieve: "failed to retrieve database",
};

/** The known node that a lookup is about; null if there is none. */
function nodeOf({ kind, id }: QueuedLookup, { state }: StateToRead): NodeId | null {
  const node = kind === "find-database" || kind === "columns" ? state.databaseOf(id) : id;
  return node !== undefined && state.hasNode(node) ? node : null;
}

async function perform(lookup: QueuedLookup, context: CrawlContext): Promise<void> {
  const { reader, writer } = context;
  const { kind, id, type, foundBy: by = "crawl" } = lookup;
  if (kind === "rows") return listRows(id, context);
  if (kind === "find-container") return findContainer(lookup, context);
  if (kind === "find-database") return writer.add({ node: await reader.databaseOf(id), by });
  if (kind === "columns") return readColumns(id, context);
  // Search lists all tags, however this one was found first.
  if (type === "tag") return writer.add({ node: await reader.page(id), by: "search" });
  return writer.add(
    type === "database"
      ? { node: await reader.database(id), by, isWhole: true }
      : { node: await reader.page(id), by },
  );
}

/** Finds the container of a block. One whose parent is of an unknown type keeps the container that is known. */
async function findContainer(
  { id, raisedBy }: QueuedLookup,
  {
    reader,
    writer,
    queue,
    report,
    state,
  }: StateToRead & Pick<SyncContext, "reader" | "writer" | "queue" | "report">,
): Promise<void> {
  const parent = await reader.parentOfBlock(id);
  if (parent.kind === "unknown" || parent.kind === "foreign")
    report.unsupported([{ kind: "parent", type: parent.type }]);
  if (parent.kind === "unknown") {
    if ((state.containerOfBlock(id) ?? null) !== null) return;
    throw new ProviderError("malformed", `a parent of the type ${parent.type} is not supported`);
  }
  await writer.addBlock(id, containerOf(parent));
  queue.follow(parent, raisedBy);
}

/** Reads the columns of a collection. Other facts of its database are left to `database`, which knows all collections. */
async function readColumns(
  id: string,
  { state, connectionId, database, reader }: StoreToWrite & Pick<SyncContext, "reader" | "state">,
): Promise<void> {
  const { collections } = await reader.databaseOf(id);
  const databaseId = state.databaseOf(id);
  const columns = collections.find((collection) => collection.id === id)?.columns ?? null;
  if (databaseId === undefined || !state.hasNode(databaseId)) return;
  await database.transaction((trx) => upsertCollections(trx, connectionId, [{ id, databaseId, columns }]));
  state.markColumnsKnown(id);
}

/** Lists the rows of a collection that were edited since they were last listed, or all of them (SYNC-3). */
async function listRows(id: string, context: CrawlContext): Promise<void> {
  const { state, plan, connectionId, database, reader, writer, report } = context;
  const known = plan.kind === "full" ? null : state.rowsKnownSince(id);
  const begunAt = reader.time();
  let broken: ProviderError | null = null;
  let count = 0;
  const unreadable = new Map<string, QueuedLookup>();
  const rows = () => reader.rows(id, known === null ? null : known - editOverlapMs);
  for await (const entry of retryListOnce(rows, (error) => {
    broken = error;
  })) {
    count += 1;
    if (entry.type === "unsupported") report.unsupported([entry.unsupported]);
    else if (entry.type === "unreadable") unreadable.set(entry.id, lookupOf(entry, "rows"));
    else await writer.add({ node: entry, by: "rows" });
  }
  for (const lookup of unreadable.values()) if (state.markAsked(lookup)) await attempt(lookup, context);
  await writer.flush();
  if (broken !== null) throw broken;
  // Rows that could not be read are listed again by the next sync.
  if ([...unreadable.values()].some((lookup) => state.wasUnanswered(lookup)))
    return state.markUnlisted("rows");
  // Without an edit since, the next listing may begin where this one did (SYNC-11).
  if (known === null || count > 0)
    await database.transaction((trx) => recordRowsListed(trx, connectionId, id, begunAt));
}

/** Accepts that the provider does not have what was looked up; false if that cannot be true. */
async function acceptAbsence(
  { kind, id, doubt }: QueuedLookup,
  { state, connectionId, database, writer }: StoreToWrite & Pick<SyncContext, "state" | "writer">,
): Promise<boolean> {
  if (doubt === "gone") state.markGone(id);
  if (kind === "find-container") await writer.addBlock(id, null);
  if (kind !== "rows") return true;
  if (state.isObservedCollection(id)) return false;
  state.dropCollection(id);
  await database.transaction((trx) => forgetCollection(trx, connectionId, id));
  return true;
}
