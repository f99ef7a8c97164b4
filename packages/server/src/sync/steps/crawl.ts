import type { NodeId } from "@clew/graph";
import { ProviderError } from "../../provider/port.ts";
import { forgetDataSource, recordRowsListed, upsertDataSources } from "../../store/queries/containers.ts";
import { unsettleNodes } from "../../store/queries/known-nodes.ts";
import { editOverlapMs } from "../../store/queries/reading-list.ts";
import { forEachConcurrently, maxConcurrentCalls, retryListOnce, singleFailure } from "../provider-calls.ts";
import { containerOf } from "../state.ts";
import { recordUnanswered, type SyncRun } from "../sync-run.ts";
import { lookupOf, type QueuedLookup } from "../work-queue.ts";

/**
 * Makes the queued lookups, and those that their answers make necessary, until none is left (SYNC-1): rows of databases,
 * parents, blocks up to their page, targets of mentions and relations. A node that the provider does not have was not
 * shared. Any other failure of a single lookup is noted, and the next sync asks again.
 */
export async function crawl(run: SyncRun): Promise<void> {
  await run.writer.flush();
  for (let lookups = run.queue.takeNext(); lookups.length > 0; lookups = run.queue.takeNext()) {
    await forEachConcurrently(lookups, maxConcurrentCalls, (lookup) => attempt(lookup, run));
    await run.writer.flush();
  }
}

async function attempt(lookup: QueuedLookup, run: SyncRun): Promise<void> {
  try {
    await perform(lookup, run);
    run.breaker.succeeded();
  } catch (thrown) {
    if (singleFailure(thrown).code === "not_found" && (await acceptAbsence(lookup, run)))
      return run.breaker.succeeded();
    run.state.unanswered(lookup);
    const node = nodeOf(lookup, run);
    if (node !== null) {
      run.state.unsettled(node);
      await run.database.transaction((trx) => unsettleNodes(trx, run.connectionId, [node]));
    }
    const action = lookup.doubt === "gone" ? "failed to find out whether" : actions[lookup.kind];
    const what = `${action} ${lookup.id}${lookup.doubt === "gone" ? " is gone" : ""}`;
    recordUnanswered(lookup.raisedBy, what, thrown, run);
  }
}

const actions: Readonly<Record<QueuedLookup["kind"], string>> = {
  rows: "failed to list all rows of data source",
  "find-container": "failed to find the page that holds block",
  "find-database": "failed to find the database of data source",
  columns: "failed to read the columns of data source",
  "look-up": "failed to look up",
  retrieve: "failed to retrieve database",
};

/** The known node that a lookup is about; null where there is none. */
function nodeOf({ kind, id }: QueuedLookup, { state }: SyncRun): NodeId | null {
  const node = kind === "find-database" || kind === "columns" ? state.databaseOf(id) : id;
  return node !== undefined && state.hasNode(node) ? node : null;
}

async function perform(lookup: QueuedLookup, run: SyncRun): Promise<void> {
  const { reader, writer } = run;
  const { kind, id, type, foundBy: by = "crawl" } = lookup;
  if (kind === "rows") return listRows(id, run);
  if (kind === "find-container") return findContainer(lookup, run);
  if (kind === "find-database") return writer.add({ node: await reader.databaseOf(id), by });
  if (kind === "columns") return readColumns(id, run);
  return writer.add(
    type === "database"
      ? { node: await reader.database(id), by, isWhole: true }
      : { node: await reader.page(id), by },
  );
}

/** Finds the container of a block. One whose parent is of an unknown type keeps the container that is known. */
async function findContainer({ id, raisedBy }: QueuedLookup, run: SyncRun): Promise<void> {
  const parent = await run.reader.blockParent(id);
  if (parent.kind === "unknown" || parent.kind === "foreign")
    run.report.unsupported([{ kind: "parent", type: parent.type }]);
  if (parent.kind === "unknown") {
    if ((run.state.blockContainer(id) ?? null) !== null) return;
    throw new ProviderError("malformed", `a parent of the type ${parent.type} is not supported`);
  }
  await run.writer.addBlock(id, containerOf(parent));
  run.queue.follow(parent, raisedBy);
}

/** Reads the columns of a data source. It says nothing of its database: only that itself names all of its data sources. */
async function readColumns(id: string, { state, connectionId, database, reader }: SyncRun): Promise<void> {
  const { schemas } = await reader.databaseOf(id);
  const databaseId = state.databaseOf(id);
  const columns = schemas.find(({ dataSourceId }) => dataSourceId === id)?.columns ?? null;
  if (databaseId === undefined || !state.hasNode(databaseId)) return;
  await database.transaction((trx) => upsertDataSources(trx, connectionId, [{ id, databaseId, columns }]));
  state.foundColumns(id);
}

/** Lists the rows of a data source that were edited since they were last listed, or all of them (SYNC-3). */
async function listRows(id: string, run: SyncRun): Promise<void> {
  const { state, plan, connectionId, database, reader, writer } = run;
  const known = plan.kind === "full" ? null : state.rowsKnownSince(id);
  const begunAt = reader.time();
  let broken: ProviderError | null = null;
  const unreadable = new Map<string, QueuedLookup>();
  const rows = () => reader.rows(id, known === null ? null : known - editOverlapMs);
  for await (const entry of retryListOnce(rows, (error) => {
    broken = error;
  })) {
    if (entry.type === "unsupported") run.report.unsupported([entry.unsupported]);
    else if (entry.type === "unreadable") unreadable.set(entry.id, lookupOf(entry, "rows"));
    else await writer.add({ node: entry, by: "rows" });
  }
  for (const lookup of unreadable.values()) if (state.asked(lookup)) await attempt(lookup, run);
  await writer.flush();
  if (broken !== null) throw broken;
  // Rows that could not be read are listed again by the next sync.
  if ([...unreadable.values()].some((lookup) => state.wasUnanswered(lookup)))
    return state.couldNotList("rows");
  await database.transaction((trx) => recordRowsListed(trx, connectionId, id, begunAt));
}

/** Accepts that the provider does not have what was looked up; false where that cannot be true. */
async function acceptAbsence(lookup: QueuedLookup, run: SyncRun): Promise<boolean> {
  const { state, connectionId, database } = run;
  const { kind, id, doubt } = lookup;
  if (doubt === "gone") state.confirmedGone(id);
  if (kind === "find-container") await run.writer.addBlock(id, null);
  if (kind !== "rows") return true;
  if (state.isObservedSource(id)) return false;
  state.lostDataSource(id);
  await database.transaction((trx) => forgetDataSource(trx, connectionId, id));
  return true;
}
