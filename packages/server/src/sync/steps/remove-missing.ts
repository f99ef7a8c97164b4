import type { NodeId } from "@clew/graph";
import type { FoundBy } from "../../model/sync-report.ts";
import { removeNodes } from "../../store/queries/graph-pages.ts";
import { orphanedNodes, type UnseenNode, unseenNodes } from "../../store/queries/known-nodes.ts";
import type { SyncRun } from "../sync-run.ts";
import { crawl } from "./crawl.ts";

/** Looks up the nodes that this sync should have seen and did not, and removes those that are gone (SYNC-7). */
export async function removeUnseen(run: SyncRun): Promise<void> {
  if (!run.state.isSearchComplete) return;
  const listed: readonly FoundBy[] = run.plan.kind === "full" ? ["search", "rows", "crawl"] : ["search"];
  await removeIfGone(await unseen(listed, run), run);
}

/**
 * Looks up pages whose texts the provider does not have, and removes those that are gone, which search may not have
 * listed in the first place. A page that this sync has seen stays. Returns how many were removed.
 */
export async function removeTextless(ids: ReadonlySet<NodeId>, run: SyncRun): Promise<number> {
  if (ids.size === 0) return 0;
  const nodes = await unseen(["search", "rows", "crawl"], run);
  const textless = nodes.filter(({ id }) => ids.has(id));
  return removeIfGone(textless, run);
}

function unseen(foundBy: readonly FoundBy[], { database, connectionId, plan }: SyncRun) {
  return unseenNodes(database.read, connectionId, { run: plan.firstRun, foundBy });
}

/**
 * Looks nodes up one by one and removes those that the provider confirms to be gone. What was below a removed node is
 * looked up too. Returns how many were removed.
 */
async function removeIfGone(nodes: readonly UnseenNode[], run: SyncRun): Promise<number> {
  const { state, plan, connectionId, database } = run;
  let missing = nodes;
  let total = 0;
  for (;;) {
    const unasked = missing.filter(
      ({ id, type }) => !state.isGone(id) && !state.wasAsked({ kind: "look-up", id, type }),
    );
    for (const node of unasked) run.queue.lookUp(node, null, "gone");
    await crawl(run);
    const removed = await removeConfirmed(run);
    total += removed;
    if (unasked.length === 0 && removed === 0) return total;
    missing = await orphanedNodes(database.read, connectionId, plan.firstRun);
  }
}

async function removeConfirmed(run: SyncRun): Promise<number> {
  const { state, clock, connectionId, database } = run;
  const gone = state.goneNodes();
  if (gone.length === 0) return 0;
  const removed = await database.transaction((trx) => removeNodes(trx, connectionId, gone, clock()));
  for (const id of gone) state.removed(id);
  run.report.removed(removed);
  run.log.info({ removed }, "removed pages that are gone");
  return removed;
}
