import type { NodeId } from "@clew/graph";
import type { FoundBy } from "../../model/sync-report.ts";
import { removeNodes } from "../../store/queries/graph-pages.ts";
import { type DoubtfulNode, nodesFoundBy, orphanedNodes } from "../../store/queries/known-nodes.ts";
import type { StoreToWrite, SyncContext } from "../context.ts";
import { type CrawlContext, crawl } from "./crawl.ts";

type RemovalContext = CrawlContext & Pick<SyncContext, "clock">;

/** Looks up the nodes that this sync should have seen and did not, and removes those that are gone (SYNC-7). */
export async function removeUnseen(context: RemovalContext): Promise<void> {
  const { connectionId, database, state, plan } = context;
  if (!state.isSearchComplete) return;
  const listed: readonly FoundBy[] = plan.kind === "full" ? ["search", "rows", "crawl"] : ["search"];
  const unseen = state.unseenOf(state.nodeIds());
  await removeIfGone(await nodesFoundBy(database.read, connectionId, unseen, listed), context);
}

/** Removes the nodes that this run found in the trash or gone, and looks up what was below them. */
export async function removeGone(context: RemovalContext): Promise<void> {
  await removeIfGone([], context);
}

/**
 * Looks up nodes that may be gone as the texts say, and removes those that are, which search may not have listed in the first
 * place. A node that this sync has seen stays. Returns how many were removed.
 */
export async function removeDoubtful(ids: ReadonlySet<NodeId>, context: RemovalContext): Promise<number> {
  if (ids.size === 0) return 0;
  const { connectionId, database, state, loader } = context;
  await loader.load(ids);
  const unseen = state.unseenOf(ids);
  const doubtful = await nodesFoundBy(database.read, connectionId, unseen, ["search", "rows", "crawl"]);
  return removeIfGone(doubtful, context);
}

/**
 * Looks nodes up one by one and removes those that the provider confirms to be gone. What was below a removed node is
 * looked up too. Returns how many were removed.
 */
async function removeIfGone(nodes: readonly DoubtfulNode[], context: RemovalContext): Promise<number> {
  const { state, connectionId, database, queue } = context;
  let missing = nodes;
  let total = 0;
  for (;;) {
    const unasked = missing.filter(
      ({ id, type }) => !state.isGone(id) && !state.wasAsked({ kind: "look-up", id, type }),
    );
    for (const node of unasked) queue.lookUp(node, null, "gone");
    await crawl(context);
    const removed = await removeConfirmed(context);
    total += removed;
    if (unasked.length === 0 && removed === 0) return total;
    const orphaned = await orphanedNodes(database.read, connectionId);
    missing = orphaned.filter(({ id }) => !state.wasSeenBySync(id));
  }
}

/** Removes the nodes that the provider confirmed to be gone. Returns how many that were. */
async function removeConfirmed({
  connectionId,
  database,
  state,
  loader,
  report,
  log,
  clock,
}: StoreToWrite & Pick<SyncContext, "state" | "loader" | "report" | "log" | "clock">): Promise<number> {
  await loader.load(state.goneNodes());
  const gone = state.goneNodes().filter((id) => state.hasNode(id));
  if (gone.length === 0) return 0;
  const removed = await database.transaction((trx) => removeNodes(trx, connectionId, gone, clock()));
  for (const id of gone) state.markRemoved(id);
  report.removed(removed);
  log.info({ removed }, "removed pages that are gone");
  return removed;
}
