import type { ProviderError } from "../provider/error.ts";
import { forgetDataSource, noteRowsListed, placeBlock } from "../store/holders.ts";
import { overlap } from "../store/reading-list.ts";
import { holderOf } from "./catalog.ts";
import { each } from "./each.ts";
import { type Findings, questionOf, type Task } from "./findings.ts";
import type { Intake } from "./intake.ts";
import { leaveOpen } from "./leave-open.ts";
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
      leaveOpen(task.for, `${questions[task.kind]} ${task.id}`, thrown, run);
    }
  }
}

const questions: Readonly<Record<Task["kind"], string>> = {
  rows: "The rows could not all be listed of the data source",
  climb: "It could not be found out where this block hangs:",
  "find-database": "The database could not be found of the data source",
  "look-up": "It could not be found out whether this is shared:",
};

async function perform({ kind, id, type, ...task }: Task, { findings, intake, run }: Parts): Promise<void> {
  const { reader, signal } = run;
  switch (kind) {
    case "rows":
      return listRows(id, intake, run);
    case "climb": {
      const parent = await reader.blockParent(id, signal);
      await climbed(id, holderOf(parent), run);
      findings.follow(parent, task.for);
      return;
    }
    case "find-database":
      return intake.add({ node: await reader.databaseOf(id, signal), by: "crawl" });
    case "look-up":
      return intake.add(
        type === "database"
          ? { node: await reader.database(id, signal), by: "crawl", isWhole: true }
          : { node: await reader.page(id, signal), by: "crawl" },
      );
  }
}

/** Lists the rows of a data source that were edited since they were last listed, or all (SYNC-3). */
async function listRows(id: string, intake: Intake, run: Run): Promise<void> {
  const { catalog, connectionId, database, reader, signal } = run;
  const known = catalog.isFull ? null : (catalog.rowsKnownSince.get(id) ?? null);
  const begun = reader.time();
  let broken: ProviderError | null = null;
  const rows = () => reader.rows(id, known === null ? null : known - overlap, signal);
  for await (const node of listAgain(rows, (error) => {
    broken = error;
  }))
    await intake.add({ node, by: "rows" });
  await intake.flush();
  if (broken !== null) throw broken;
  await database.transaction((trx) => noteRowsListed(trx, connectionId, id, begun));
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
