import type { NodeId } from "../model/node-id.ts";
import type { FoundBy } from "../model/sync-report.ts";
import { removeNodes } from "../store/graph-pages.ts";
import { orphanedNodes, type UnseenNode, unseenNodes } from "../store/known-nodes.ts";
import { crawl } from "./crawl.ts";
import { each } from "./each.ts";
import { createFindings, type Findings, questionOf } from "./findings.ts";
import { createIntake, type Intake } from "./intake.ts";
import { keepOpen, leaveOpen } from "./leave-open.ts";
import { singleFailure } from "./outage.ts";
import { callsAtOnce, type Run } from "./run.ts";
import { settleGraph } from "./settle-graph.ts";

/** Looks up what the sync should have seen and did not, and removes what is gone (SYNC-7). */
export async function removeUnseen(findings: Findings, intake: Intake, run: Run): Promise<void> {
  const { catalog, connectionId, database } = run;
  const before = { run: catalog.firstRun, foundBy: expected(run) };
  await removeGone(await unseenNodes(database.read, connectionId, before), { findings, intake }, run);
}

/**
 * Looks up pages whose texts are not there, and removes what is gone: how soon a page is missed that search does not
 * list. One that the sync has seen stays, whatever is said of it. True where anything was removed.
 */
export async function removeTextless(ids: ReadonlySet<NodeId>, run: Run): Promise<boolean> {
  if (ids.size === 0) return false;
  const { catalog, connectionId, database } = run;
  const findings = createFindings(catalog);
  const intake = createIntake(findings, run);
  const before = { run: catalog.firstRun, foundBy: ["search", "rows", "crawl"] } as const;
  const unseen = await unseenNodes(database.read, connectionId, before);
  const removed = await removeGone(
    unseen.filter(({ id }) => ids.has(id)),
    { findings, intake },
    run,
  );
  if (removed > 0) await settleGraph(run);
  return removed > 0;
}

/**
 * Looks nodes up by id, one by one, and removes those that the provider confirms to be gone: each on its own evidence.
 * What hung below a removed node is looked up too. Answers with how many were removed.
 */
async function removeGone(
  nodes: readonly UnseenNode[],
  { findings, intake }: { findings: Findings; intake: Intake },
  run: Run,
): Promise<number> {
  const { catalog, connectionId, database } = run;
  let missing = nodes;
  let total = 0;
  for (;;) {
    const unasked = missing.filter(
      (node) => !catalog.gone.has(node.id) && !catalog.asked.has(lookUpOf(node)),
    );
    await each(unasked, callsAtOnce, (node) => lookUp(node, intake, run));
    await crawl(findings, intake, run);
    const removed = await removeConfirmed(run);
    total += removed;
    if (unasked.length === 0 && removed === 0) return total;
    missing = await orphanedNodes(database.read, connectionId, catalog.firstRun);
  }
}

/** How nodes were found that the sync should have seen: by what it asked for whole. */
function expected({ kind }: Run): readonly FoundBy[] {
  return kind === "full" ? ["search", "rows", "crawl"] : ["search"];
}

const lookUpOf = ({ id, type }: UnseenNode) => questionOf({ kind: "look-up", id, type });

async function lookUp(node: UnseenNode, intake: Intake, run: Run): Promise<void> {
  const { catalog, reader, signal } = run;
  const { id, type } = node;
  catalog.asked.add(lookUpOf(node));
  try {
    await intake.add(
      type === "database"
        ? { node: await reader.database(id, signal), by: "crawl", isWhole: true }
        : { node: await reader.page(id, signal), by: "crawl" },
    );
    run.outage.answered();
  } catch (thrown) {
    if (singleFailure(thrown).code !== "not_found") {
      await keepOpen(id, run);
      return leaveOpen(null, `failed to find out whether ${id} is gone`, thrown, run);
    }
    catalog.gone.add(id);
    run.outage.answered();
  }
}

/** Removes what the provider has confirmed to be gone; returns how many nodes that were. */
async function removeConfirmed({
  catalog,
  clock,
  connectionId,
  database,
  log,
  report,
}: Run): Promise<number> {
  const gone = [...catalog.gone].filter((id) => catalog.nodes.has(id));
  if (gone.length === 0) return 0;
  const removed = await database.transaction((trx) => removeNodes(trx, connectionId, gone, clock()));
  for (const id of gone) catalog.nodes.delete(id);
  report.removed(removed);
  log.info({ removed }, "pages that are gone were removed");
  return removed;
}
