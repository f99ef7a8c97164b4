import type { NodeId } from "@clew/graph";
import type { FoundBy } from "../model/sync-report.ts";
import { removeNodes } from "../store/queries/graph-pages.ts";
import { orphanedNodes, type UnseenNode, unseenNodes } from "../store/queries/known-nodes.ts";
import { singleFailure } from "./circuit-breaker.ts";
import { crawl } from "./crawl.ts";
import { each } from "./each.ts";
import { createNodeWriter, type NodeWriter } from "./node-writer.ts";
import { keepOpen, recordUnanswered } from "./record-unanswered.ts";
import { settleGraph } from "./settle-graph.ts";
import { callsAtOnce, type SyncRun } from "./sync-run.ts";
import { createWorkQueue, lookupKey, type WorkQueue } from "./work-queue.ts";

/** Looks up what the sync should have seen and did not, and removes what is gone (SYNC-7). */
export async function removeUnseen(queue: WorkQueue, writer: NodeWriter, run: SyncRun): Promise<void> {
  const { state, connectionId, database } = run;
  const before = { run: state.firstRun, foundBy: expected(run) };
  await removeGone(await unseenNodes(database.read, connectionId, before), { queue, writer }, run);
}

/**
 * Looks up pages whose texts are not there, and removes what is gone: how soon a page is missed that search does not
 * list. One that the sync has seen stays, whatever is said of it. True where anything was removed.
 */
export async function removeTextless(ids: ReadonlySet<NodeId>, run: SyncRun): Promise<boolean> {
  if (ids.size === 0) return false;
  const { state, connectionId, database } = run;
  const queue = createWorkQueue(state);
  const writer = createNodeWriter(queue, run);
  const before = { run: state.firstRun, foundBy: ["search", "rows", "crawl"] } as const;
  const unseen = await unseenNodes(database.read, connectionId, before);
  const removed = await removeGone(
    unseen.filter(({ id }) => ids.has(id)),
    { queue, writer },
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
  { queue, writer }: { queue: WorkQueue; writer: NodeWriter },
  run: SyncRun,
): Promise<number> {
  const { state, connectionId, database } = run;
  let missing = nodes;
  let total = 0;
  for (;;) {
    const unasked = missing.filter((node) => !state.gone.has(node.id) && !state.asked.has(lookUpOf(node)));
    await each(unasked, callsAtOnce, (node) => lookUp(node, writer, run));
    await crawl(queue, writer, run);
    const removed = await removeConfirmed(run);
    total += removed;
    if (unasked.length === 0 && removed === 0) return total;
    missing = await orphanedNodes(database.read, connectionId, state.firstRun);
  }
}

/** How nodes were found that the sync should have seen: by what it asked for whole. */
function expected({ kind }: SyncRun): readonly FoundBy[] {
  return kind === "full" ? ["search", "rows", "crawl"] : ["search"];
}

const lookUpOf = ({ id, type }: UnseenNode) => lookupKey({ kind: "look-up", id, type });

async function lookUp(node: UnseenNode, writer: NodeWriter, run: SyncRun): Promise<void> {
  const { state, reader, signal } = run;
  const { id, type } = node;
  state.asked.add(lookUpOf(node));
  try {
    await writer.add(
      type === "database"
        ? { node: await reader.database(id, signal), by: "crawl", isWhole: true }
        : { node: await reader.page(id, signal), by: "crawl" },
    );
    run.breaker.answered();
  } catch (thrown) {
    if (singleFailure(thrown).code !== "not_found") {
      await keepOpen(id, run);
      return recordUnanswered(null, `failed to find out whether ${id} is gone`, thrown, run);
    }
    state.gone.add(id);
    run.breaker.answered();
  }
}

/** Removes what the provider has confirmed to be gone; returns how many nodes that were. */
async function removeConfirmed({
  state,
  clock,
  connectionId,
  database,
  log,
  report,
}: SyncRun): Promise<number> {
  const gone = [...state.gone].filter((id) => state.nodes.has(id));
  if (gone.length === 0) return 0;
  const removed = await database.transaction((trx) => removeNodes(trx, connectionId, gone, clock()));
  for (const id of gone) state.nodes.delete(id);
  report.removed(removed);
  log.info({ removed }, "pages that are gone were removed");
  return removed;
}
