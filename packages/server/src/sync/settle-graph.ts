import type { NodeId } from "../model/node-id.ts";
import { batches } from "../store/batches.ts";
import { knownNodes, knownPlaces, settleNodes } from "../store/known-nodes.ts";
import { type Move, setParents } from "../store/parents.ts";
import { leadToDatabases } from "../store/threads.ts";
import { place } from "./place.ts";
import type { Run } from "./run.ts";

/** Moves to a transaction. */
const batch = 100;

/** Brings into order what only the whole tells: where nodes hang, and which databases data sources fold into. */
export async function settleGraph(run: Run): Promise<void> {
  const { catalog, connectionId, database, number } = run;
  const parents = place(catalog.nodes.keys(), catalog);
  const moves: Move[] = [];
  for await (const { id, parentId } of knownPlaces(database.read, connectionId)) {
    const to = parents.get(id) ?? null;
    if (to !== parentId) moves.push({ id, from: parentId, to });
  }
  await move(moves, run);
  await database.transaction(async (trx) => {
    if (catalog.hasNewSources) await leadToDatabases(trx, connectionId);
    await settleNodes(trx, connectionId, { run: number, but: catalog.unsettled });
  });
  catalog.hasNewSources = false;
}

/** Places some nodes among the others. */
export async function placeNodes(ids: ReadonlySet<NodeId>, run: Run): Promise<void> {
  const parents = place(ids, run.catalog);
  const known = await knownNodes(run.database.read, run.connectionId, [...ids]);
  const moves = [...known.values()].flatMap(({ id, parentId }) => {
    const to = parents.get(id) ?? null;
    return to === parentId ? [] : [{ id, from: parentId, to }];
  });
  await move(moves, run);
}

async function move(moves: readonly Move[], { connectionId, database, signal }: Run): Promise<void> {
  for (const some of batches(moves, batch)) {
    signal.throwIfAborted();
    await database.transaction((trx) => setParents(trx, connectionId, some));
  }
}
