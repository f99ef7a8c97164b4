import type { NodeId } from "../model/node-id.ts";
import { ProviderError } from "../provider/error.ts";
import { forgetDataSource, noteRowsListed, placeBlock } from "../store/holders.ts";
import { overlap } from "../store/reading-list.ts";
import { holderOf } from "./catalog.ts";
import { each } from "./each.ts";
import { type Findings, lookUpOf, questionOf, type Task } from "./findings.ts";
import type { Intake } from "./intake.ts";
import { keepOpen, leaveOpen } from "./leave-open.ts";
import { listAgain } from "./list-again.ts";
import { singleFailure } from "./outage.ts";
import { callsAtOnce, type Run } from "./run.ts";

/**
 * Follows what the findings name, and what that names, until nothing new turns up (SYNC-1): rows of databases,
 * parents, blocks up to their page, targets of mentions and relations. What the provider says is not there was not
 * shared; any other failure of a single question is noted, and the question asked again by the next sync.
 */
export async function crawl(findings: Findings, intake: Intake, run: Run): Promise<void> {
  await intake.flush();
  for (let tasks = findings.next(); tasks.length > 0; tasks = findings.next()) {
    await each(tasks, callsAtOnce, (task) => attempt(task, { findings, intake, run }));
    await intake.flush();
  }
}

interface Parts {
  readonly findings: Findings;
  readonly intake: Intake;
  readonly run: Run;
}

async function attempt(task: Task, parts: Parts): Promise<void> {
  const { run } = parts;
  try {
    await perform(task, parts);
    run.outage.answered();
  } catch (thrown) {
    if (singleFailure(thrown).code === "not_found" && (await isAnswer(task, run))) run.outage.answered();
    else {
      run.catalog.unanswered.add(questionOf(task));
      if (task.kind === "rows") run.catalog.areRowsWhole = false;
      await keepOpen(nodeOf(task, run), run);
      leaveOpen(task.for, `${questions[task.kind]} ${task.id}`, thrown, run);
    }
  }
}

const questions: Readonly<Record<Task["kind"], string>> = {
  rows: "failed to list all rows of data source",
  climb: "failed to find the page that holds block",
  "find-database": "failed to find the database of data source",
  "look-up": "failed to look up",
};

/** The node that a question is about; null where it is about something else, or about one that is not known. */
function nodeOf({ kind, id }: Task, { catalog }: Run): NodeId | null {
  const node = kind === "find-database" ? catalog.databases.get(id) : id;
  return node !== undefined && catalog.nodes.has(node) ? node : null;
}

async function perform({ kind, id, type, by = "crawl", ...task }: Task, parts: Parts): Promise<void> {
  const { findings, intake, run } = parts;
  const { reader, signal } = run;
  switch (kind) {
    case "rows":
      return listRows(id, parts);
    case "climb": {
      const parent = await reader.blockParent(id, signal);
      if (parent.kind === "unknown") return keepPlace(id, parent.type, run);
      await climbed(id, holderOf(parent), run);
      findings.follow(parent, task.for);
      return;
    }
    case "find-database":
      return intake.add({ node: await reader.databaseOf(id, signal), by });
    case "look-up":
      return intake.add(
        type === "database"
          ? { node: await reader.database(id, signal), by, isWhole: true }
          : { node: await reader.page(id, signal), by },
      );
  }
}

/** Lists the rows of a data source that were edited since they were last listed, or all (SYNC-3). */
async function listRows(id: string, parts: Parts): Promise<void> {
  const { intake, run } = parts;
  const { catalog, connectionId, database, reader, signal } = run;
  const known = catalog.isFull ? null : (catalog.rowsKnownSince.get(id) ?? null);
  const begun = reader.time();
  let broken: ProviderError | null = null;
  const unreadable = new Map<string, Task>();
  const rows = () => reader.rows(id, known === null ? null : known - overlap, signal);
  for await (const entry of listAgain(rows, (error) => {
    broken = error;
  })) {
    if (entry.type === "unsupported") run.report.unsupported([entry.unsupported]);
    else if (entry.type === "unreadable") unreadable.set(entry.id, lookUpOf(entry, "rows"));
    else await intake.add({ node: entry, by: "rows" });
  }
  for (const task of unreadable.values()) {
    if (catalog.asked.has(questionOf(task))) continue;
    catalog.asked.add(questionOf(task));
    await attempt(task, parts);
  }
  await intake.flush();
  if (broken !== null) throw broken;
  // Rows that could not be read are listed again by the next sync.
  const isWhole = [...unreadable.values()].every((task) => !catalog.unanswered.has(questionOf(task)));
  catalog.areRowsWhole &&= isWhole;
  if (!isWhole) return;
  await database.transaction((trx) => noteRowsListed(trx, connectionId, id, begun));
}

/** Keeps the place of a block whose parent is new to Clew. Throws where none is known. */
function keepPlace(id: string, type: string, { catalog, report }: Run): void {
  report.unsupported([{ kind: "parent", type }]);
  if ((catalog.blocks.get(id) ?? null) === null)
    throw new ProviderError("nonsense", `a parent of the type ${type} is not supported`);
}

async function climbed(id: string, hangsIn: string | null, run: Run): Promise<void> {
  run.catalog.blocks.set(id, hangsIn);
  await run.database.transaction((trx) => placeBlock(trx, run.connectionId, id, hangsIn));
}

/** Whether it is an answer that the provider does not have what a task asks for. */
async function isAnswer({ kind, id }: Task, run: Run): Promise<boolean> {
  const { catalog, connectionId, database } = run;
  if (kind === "climb") await climbed(id, null, run);
  if (kind !== "rows") return true;
  // Something else in the workspace tells of this data source: that its rows are not there is no answer.
  if (catalog.seenSources.has(id)) return false;
  catalog.databases.delete(id);
  await database.transaction((trx) => forgetDataSource(trx, connectionId, id));
  return true;
}
