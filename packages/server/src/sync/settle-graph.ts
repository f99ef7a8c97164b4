import type { NodeId } from "@clew/graph";
import { batches } from "../store/batches.ts";
import { type ParentChange, setParents } from "../store/queries/graph-pages.ts";
import { knownLocations, knownNodes, markSettled } from "../store/queries/known-nodes.ts";
import { redirectToDatabases } from "../store/queries/references.ts";
import { resolveParents } from "./resolve-parents.ts";
import type { SyncRun } from "./sync-run.ts";

/** Moves to a transaction. */
const batch = 100;

/** Brings into order what only the whole tells: where nodes hang, and which databases data sources fold into. */
export async function settleGraph(run: SyncRun): Promise<void> {
  const { state, connectionId, database, number } = run;
  const parents = resolveParents(state.nodes.keys(), state);
  const moves: ParentChange[] = [];
  for await (const { id, parentId } of knownLocations(database.read, connectionId)) {
    const to = parents.get(id) ?? null;
    if (to !== parentId) moves.push({ id, from: parentId, to });
  }
  await move(moves, run);
  await database.transaction(async (trx) => {
    if (state.hasNewSources) await redirectToDatabases(trx, connectionId);
    await markSettled(trx, connectionId, { run: number, but: state.unsettled });
  });
  state.hasNewSources = false;
}

/** Places some nodes among the others. */
export async function placeNodes(ids: ReadonlySet<NodeId>, run: SyncRun): Promise<void> {
  const parents = resolveParents(ids, run.state);
  const known = await knownNodes(run.database.read, run.connectionId, [...ids]);
  const moves = [...known.values()].flatMap(({ id, parentId }) => {
    const to = parents.get(id) ?? null;
    return to === parentId ? [] : [{ id, from: parentId, to }];
  });
  await move(moves, run);
}

async function move(
  moves: readonly ParentChange[],
  { connectionId, database, signal }: SyncRun,
): Promise<void> {
  for (const some of batches(moves, batch)) {
    signal.throwIfAborted();
    await database.transaction((trx) => setParents(trx, connectionId, some));
  }
}
