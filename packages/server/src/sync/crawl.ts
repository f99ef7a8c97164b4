import type { ListedNode } from "../provider/port.ts";
import { each } from "./each.ts";
import type { Findings, Task } from "./findings.ts";
import { singleFailure } from "./outage.ts";
import { callsAtOnce, type Run } from "./run.ts";

/**
 * Follows what the findings name, and what that names, until nothing new turns up (SYNC-1): rows of databases,
 * parents, blocks up to their page, targets of mentions and relations. What the provider says is not there was not
 * shared; any other failure of a single question is noted in the catalog.
 */
export async function crawl(findings: Findings, run: Run): Promise<void> {
  for (let tasks = findings.next(); tasks.length > 0; tasks = findings.next()) {
    await each(tasks, callsAtOnce, (task) => attempt(task, findings, run));
  }
}

async function attempt(task: Task, findings: Findings, run: Run): Promise<void> {
  try {
    await perform(task, findings, run);
    run.outage.answered();
  } catch (thrown) {
    const error = singleFailure(thrown);
    if (error.code === "not_found" && task.kind !== "rows") return;
    if (task.kind !== "complete") run.catalog.isWhole = false;
    run.log.warn({ err: error, task }, "the sync could not list or look up something");
    run.outage.failed(error);
  }
}

async function perform({ kind, id, type }: Task, findings: Findings, run: Run): Promise<void> {
  const { reader, catalog, signal } = run;
  switch (kind) {
    case "rows":
      for await (const row of reader.rows(id, signal)) findings.add(row);
      return;
    case "complete": {
      const node = findings.nodes.get(id);
      if (node !== undefined) await complete(node, findings, run);
      return;
    }
    case "climb": {
      const parent = await reader.blockParent(id, signal);
      catalog.blocks.set(id, parent);
      findings.follow(parent);
      return;
    }
    case "find-database":
      findings.add(await reader.databaseOf(id, signal));
      return;
    case "look-up":
      catalog.asked.add(id);
      findings.add(await (type === "database" ? reader.database(id, signal) : reader.page(id, signal)));
      return;
  }
}

/** Reads what a listing leaves out: the title of a database with several sources, the rest of long properties. */
async function complete(node: ListedNode, findings: Findings, { reader, signal }: Run): Promise<void> {
  if (node.type === "database") return findings.complete(await reader.database(node.id, signal));
  let known = node;
  for (const property of node.cutProperties) {
    const { value, threads, mentioned } = await reader.property(node.id, property, signal);
    known = {
      ...known,
      properties: { ...known.properties, [property.name]: value },
      threads: [...known.threads, ...threads],
      mentioned: [...known.mentioned, ...mentioned],
      cutProperties: known.cutProperties.filter((cut) => cut !== property),
    };
    findings.complete(known);
  }
}
