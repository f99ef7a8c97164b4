import type { NodeId } from "@clew/graph";
import { type ParentChange, setParents } from "../../store/queries/graph-pages.ts";
import {
  type KnownLocation,
  knownLocations,
  knownNodes,
  markSettled,
} from "../../store/queries/known-nodes.ts";
import { redirectToDatabases } from "../../store/queries/references.ts";
import { batches } from "../../store/queries/statements.ts";
import type { SyncState } from "../state.ts";
import { batchSize, type SyncRun } from "../sync-run.ts";

/** Stores what only the whole workspace tells: the parents of nodes, and the databases of data sources. */
export async function placeAllNodes(run: SyncRun): Promise<void> {
  const { state, connectionId, database, plan } = run;
  await storeParents(state.nodeIds(), knownLocations(database.read, connectionId), run);
  await database.transaction(async (trx) => {
    if (state.hasNewSources) await redirectToDatabases(trx, connectionId);
    await markSettled(trx, connectionId, { run: plan.run, except: state.unsettledNodes() });
  });
  state.redirectedReferences();
}

/** Stores the parents of these nodes. */
export async function placeNodes(ids: ReadonlySet<NodeId>, run: SyncRun): Promise<void> {
  const known = await knownNodes(run.database.read, run.connectionId, [...ids]);
  await storeParents(ids, known.values(), run);
}

/** Stores the parents of nodes that have another one in the store. */
async function storeParents(
  ids: Iterable<NodeId>,
  stored: AsyncIterable<KnownLocation> | Iterable<KnownLocation>,
  { state, connectionId, database, signal }: SyncRun,
): Promise<void> {
  const parents = resolveParents(ids, state);
  const moves: ParentChange[] = [];
  for await (const { id, parentId: from } of stored) {
    const to = parents.get(id) ?? null;
    if (to !== from) moves.push({ id, from, to });
  }
  for (const some of batches(moves, batchSize)) {
    signal.throwIfAborted();
    await database.transaction((trx) => setParents(trx, connectionId, some));
  }
}

/**
 * The parents of these nodes: the nearest node that contains each, null where none is shared. A cycle, which arises when
 * pages are moved while they are listed, is cut at its smallest id.
 */
export function resolveParents(ids: Iterable<NodeId>, state: SyncState): Map<NodeId, NodeId | null> {
  const parents = new Map<NodeId, NodeId | null>();
  for (const id of ids) parents.set(id, state.parentOf(id));
  const rooted = new Set<NodeId>();
  for (const id of parents.keys()) cutCycle(id, parents, rooted);
  return parents;
}

/** Walks up from a node. `rooted` are nodes from which the way up is known to end. */
function cutCycle(id: NodeId, parents: Map<NodeId, NodeId | null>, rooted: Set<NodeId>): void {
  const path = new Set<NodeId>();
  let here: NodeId | null = id;
  while (here !== null && !rooted.has(here) && !path.has(here)) {
    path.add(here);
    here = parents.get(here) ?? null;
  }
  if (here !== null && path.has(here)) {
    const steps = [...path];
    const [smallest = here] = steps.slice(steps.indexOf(here)).sort();
    parents.set(smallest, null);
  }
  for (const step of path) rooted.add(step);
}
