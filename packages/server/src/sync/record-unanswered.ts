import type { NodeId } from "@clew/graph";
import { unsettleNodes } from "../store/queries/known-nodes.ts";
import { singleFailure } from "./circuit-breaker.ts";
import type { SyncRun } from "./sync-run.ts";

/** Notes that something of a node could not be asked for: the next sync asks again. Throws where more than this failed. */
export function recordUnanswered(id: NodeId | null, what: string, thrown: unknown, run: SyncRun): void {
  const error = singleFailure(thrown);
  if (id !== null) run.state.unsettled.add(id);
  run.report.unanswered(`${what}: ${error.message}`);
  run.log.warn({ err: error, nodeId: id }, "the sync could not list or look up something");
  run.breaker.failed(error);
}

/** Has the next sync look at a node again, whether anything tells of it or not. */
export async function keepOpen(id: NodeId | null, run: SyncRun): Promise<void> {
  if (id === null) return;
  run.state.unsettled.add(id);
  await run.database.transaction((trx) => unsettleNodes(trx, run.connectionId, [id]));
}
