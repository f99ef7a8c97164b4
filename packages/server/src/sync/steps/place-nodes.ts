import type { NodeId } from "@clew/graph";
import { type ParentChange, setParents } from "../../store/queries/graph-pages.ts";
import {
  childrenOf,
  cutOffNodes,
  type KnownLocation,
  knownLocations,
  locationsOf,
  settleNodes,
  unsettledNodes,
} from "../../store/queries/known-nodes.ts";
import { redirectToDatabases } from "../../store/queries/references.ts";
import { batches } from "../../store/queries/statements.ts";
import {
  batchSize,
  type StateToRead,
  type StoreToWrite,
  type SyncContext,
  type SyncPlan,
} from "../context.ts";
import type { StateReader } from "../state.ts";

/** Placing nodes reads the state and writes to the store. */
type PlaceContext = StateToRead & StoreToWrite & Pick<SyncContext, "loader" | "signal">;

/** Stores what only the whole workspace tells: the parents of nodes, and the databases of collections. */
export async function placeAllNodes(
  context: PlaceContext & Pick<SyncContext, "state"> & { readonly plan: Pick<SyncPlan, "kind"> },
): Promise<void> {
  const { plan, state, connectionId, database } = context;
  if (plan.kind === "edits") await placeNodes(await movableNodes(context), context);
  else await storeParents(state.nodeIds(), knownLocations(database.read, connectionId), context);
  const unsettled = await unsettledNodes(database.read, connectionId);
  const settled = unsettled.filter((id) => state.wasSeen(id) && !state.unsettledNodes().has(id));
  await database.transaction(async (trx) => {
    if (state.hasNewCollections) await redirectToDatabases(trx, connectionId);
    await settleNodes(trx, connectionId, settled);
  });
  state.markRedirected();
}

/**
 * The nodes that may have another parent after edits: those that this run has seen; those at the top with a container that was not
 * shared before, or that were cut from a cycle; and the children of nodes that are gone or lost a collection.
 */
async function movableNodes({ state, connectionId, database }: PlaceContext): Promise<Set<NodeId>> {
  const { read } = database;
  return new Set([
    ...state.seenNodes(),
    ...(await cutOffNodes(read, connectionId)),
    ...(await childrenOf(read, connectionId, state.formerParents())),
  ]);
}

/** Stores the parents of these nodes, and of all that contains them: those may be a cycle since one of these has moved. */
export async function placeNodes(ids: ReadonlySet<NodeId>, context: PlaceContext): Promise<void> {
  const { state, loader, database, connectionId } = context;
  await loader.load(ids);
  const all = new Set(ids);
  for (const id of all) {
    const parent = state.parentOf(id);
    if (parent !== null) all.add(parent);
  }
  const stored = await locationsOf(database.read, connectionId, [...all]);
  await storeParents(all, stored, context);
}

/** Stores the parents of nodes that have another one in the store. */
async function storeParents(
  ids: Iterable<NodeId>,
  stored: AsyncIterable<KnownLocation> | Iterable<KnownLocation>,
  { state, connectionId, database, signal }: PlaceContext,
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
 * The parents of these nodes: the nearest node that contains each, null if none is shared. A cycle, which arises when
 * pages are moved while they are listed, is cut at its smallest id.
 */
export function resolveParents(
  ids: Iterable<NodeId>,
  state: Pick<StateReader, "parentOf">,
): Map<NodeId, NodeId | null> {
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
