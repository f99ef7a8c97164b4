import type { NodeId } from "@clew/graph";
import { ProviderError } from "../provider/port.ts";
import { forgetDataSource, recordRowsListed, setBlockContainers } from "../store/queries/containers.ts";
import { overlap } from "../store/queries/reading-list.ts";
import { singleFailure } from "./circuit-breaker.ts";
import { each } from "./each.ts";
import type { NodeWriter } from "./node-writer.ts";
import { keepOpen, recordUnanswered } from "./record-unanswered.ts";
import { retryListOnce } from "./retry-list.ts";
import { containerOf } from "./state.ts";
import { callsAtOnce, type SyncRun } from "./sync-run.ts";
import { type Lookup, lookUpOf, lookupKey, type WorkQueue } from "./work-queue.ts";

/**
 * Follows what the findings name, and what that names, until nothing new turns up (SYNC-1): rows of databases,
 * parents, blocks up to their page, targets of mentions and relations. What the provider says is not there was not
 * shared; any other failure of a single question is noted, and the question asked again by the next sync.
 */
export async function crawl(queue: WorkQueue, writer: NodeWriter, run: SyncRun): Promise<void> {
  await writer.flush();
  for (let tasks = queue.next(); tasks.length > 0; tasks = queue.next()) {
    await each(tasks, callsAtOnce, (task) => attempt(task, { queue, writer, run }));
    await writer.flush();
  }
}

interface Parts {
  readonly queue: WorkQueue;
  readonly writer: NodeWriter;
  readonly run: SyncRun;
}

async function attempt(task: Lookup, parts: Parts): Promise<void> {
  const { run } = parts;
  try {
    await perform(task, parts);
    run.breaker.answered();
  } catch (thrown) {
    if (singleFailure(thrown).code === "not_found" && (await isAnswer(task, run))) run.breaker.answered();
    else {
      run.state.unanswered.add(lookupKey(task));
      if (task.kind === "rows") run.state.areRowsWhole = false;
      await keepOpen(nodeOf(task, run), run);
      recordUnanswered(task.for, `${questions[task.kind]} ${task.id}`, thrown, run);
    }
  }
}

const questions: Readonly<Record<Lookup["kind"], string>> = {
  rows: "failed to list all rows of data source",
  climb: "failed to find the page that holds block",
  "find-database": "failed to find the database of data source",
  "look-up": "failed to look up",
};

/** The node that a question is about; null where it is about something else, or about one that is not known. */
function nodeOf({ kind, id }: Lookup, { state }: SyncRun): NodeId | null {
  const node = kind === "find-database" ? state.databases.get(id) : id;
  return node !== undefined && state.nodes.has(node) ? node : null;
}

async function perform({ kind, id, type, by = "crawl", ...task }: Lookup, parts: Parts): Promise<void> {
  const { queue, writer, run } = parts;
  const { reader, signal } = run;
  switch (kind) {
    case "rows":
      return listRows(id, parts);
    case "climb": {
      const parent = await reader.blockParent(id, signal);
      if (parent.kind === "unknown") return keepPlace(id, parent.type, run);
      await climbed(id, containerOf(parent), run);
      queue.follow(parent, task.for);
      return;
    }
    case "find-database":
      return writer.add({ node: await reader.databaseOf(id, signal), by });
    case "look-up":
      return writer.add(
        type === "database"
          ? { node: await reader.database(id, signal), by, isWhole: true }
          : { node: await reader.page(id, signal), by },
      );
  }
}

/** Lists the rows of a data source that were edited since they were last listed, or all (SYNC-3). */
async function listRows(id: string, parts: Parts): Promise<void> {
  const { writer, run } = parts;
  const { state, connectionId, database, reader, signal } = run;
  const known = state.isFull ? null : (state.rowsKnownSince.get(id) ?? null);
  const begun = reader.time();
  let broken: ProviderError | null = null;
  const unreadable = new Map<string, Lookup>();
  const rows = () => reader.rows(id, known === null ? null : known - overlap, signal);
  for await (const entry of retryListOnce(rows, (error) => {
    broken = error;
  })) {
    if (entry.type === "unsupported") run.report.unsupported([entry.unsupported]);
    else if (entry.type === "unreadable") unreadable.set(entry.id, lookUpOf(entry, "rows"));
    else await writer.add({ node: entry, by: "rows" });
  }
  for (const task of unreadable.values()) {
    if (state.asked.has(lookupKey(task))) continue;
    state.asked.add(lookupKey(task));
    await attempt(task, parts);
  }
  await writer.flush();
  if (broken !== null) throw broken;
  // Rows that could not be read are listed again by the next sync.
  const isWhole = [...unreadable.values()].every((task) => !state.unanswered.has(lookupKey(task)));
  state.areRowsWhole &&= isWhole;
  if (!isWhole) return;
  await database.transaction((trx) => recordRowsListed(trx, connectionId, id, begun));
}

/** Keeps the place of a block whose parent is new to Clew. Throws where none is known. */
function keepPlace(id: string, type: string, { state, report }: SyncRun): void {
  report.unsupported([{ kind: "parent", type }]);
  if ((state.blocks.get(id) ?? null) === null)
    throw new ProviderError("nonsense", `a parent of the type ${type} is not supported`);
}

async function climbed(id: string, containerId: string | null, run: SyncRun): Promise<void> {
  run.state.blocks.set(id, containerId);
  await run.database.transaction((trx) =>
    setBlockContainers(trx, run.connectionId, new Map([[id, containerId]])),
  );
}

/** Whether it is an answer that the provider does not have what a task asks for. */
async function isAnswer({ kind, id }: Lookup, run: SyncRun): Promise<boolean> {
  const { state, connectionId, database } = run;
  if (kind === "climb") await climbed(id, null, run);
  if (kind !== "rows") return true;
  // Something else in the workspace tells of this data source: that its rows are not there is no answer.
  if (state.seenSources.has(id)) return false;
  state.databases.delete(id);
  await database.transaction((trx) => forgetDataSource(trx, connectionId, id));
  return true;
}
