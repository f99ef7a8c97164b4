import type { NodeId, Reference } from "@clew/graph";
import type { ListedNode } from "../provider/port.ts";
import { setDatabases } from "../store/queries/containers.ts";
import { touchNodes, upsertNodes } from "../store/queries/graph-pages.ts";
import { knownNodes } from "../store/queries/known-nodes.ts";
import { each } from "./each.ts";
import { hydrate, type ObservedNode, type Reading } from "./hydrate.ts";
import type { SyncState } from "./state.ts";
import { callsAtOnce, type SyncRun } from "./sync-run.ts";
import type { WorkQueue } from "./work-queue.ts";

/** Takes nodes in as they come: writes them, with the references in their properties, and raises the questions in them. */
export interface NodeWriter {
  /** Takes in a node; one that lies in the trash is none. Many are written at a time. */
  add(observed: ObservedNode): Promise<void>;
  /** Resolves when all that was added is written. */
  flush(): Promise<void>;
  /** The nodes that were taken in. */
  readonly taken: ReadonlySet<NodeId>;
}

/** Nodes to a transaction: small ones let others write in between, and little is kept in memory. */
const batch = 100;

/** `onTaken` is told how many nodes were taken in so far. */
export function createNodeWriter(
  queue: WorkQueue,
  run: SyncRun,
  onTaken: (count: number) => void = () => {},
): NodeWriter {
  const taken = new Set<NodeId>();
  let waiting: ObservedNode[] = [];
  let turn = Promise.resolve();

  const write = async (observed: readonly ObservedNode[]) => {
    if (observed.length === 0) return;
    const readings = await readAll(observed, run);
    for (const { node } of readings) taken.add(node.id);
    enter(readings, run.state);
    run.signal.throwIfAborted();
    await save(readings, run);
    for (const { node, isNews } of readings) if (isNews) queue.followUp(node);
    onTaken(taken.size);
  };

  /** One batch after another: what one enters into the catalog, the next is to know. After a failure all fail. */
  const flush = async () => {
    const some = waiting;
    waiting = [];
    turn = turn.then(() => write(some));
    await turn;
  };

  return {
    taken,
    flush,
    async add(observed) {
      if (observed.node.inTrash) run.state.gone.add(observed.node.id);
      else waiting.push(observed);
      if (waiting.length >= batch) await flush();
    },
  };
}

/** Nodes as they are to be written: what a listing leaves out is asked for where it may have changed. */
async function readAll(observed: readonly ObservedNode[], run: SyncRun): Promise<Reading[]> {
  const distinct = [...folded(observed).values()];
  const ids = distinct.map(({ node }) => node.id);
  const known = await knownNodes(run.database.read, run.connectionId, ids);
  const readings: Reading[] = [];
  await each(distinct, callsAtOnce, async (observed) => {
    const reading = await hydrate(observed, known.get(observed.node.id) ?? null, run);
    if (reading !== null) readings.push(reading);
    run.report.found(observed.node, observed.by);
  });
  return readings;
}

/** Each node once. A database is listed once for each of its data sources. */
function folded(nodes: readonly ObservedNode[]): Map<NodeId, ObservedNode> {
  const byId = new Map<NodeId, ObservedNode>();
  for (const observed of nodes) {
    const { id } = observed.node;
    const before = byId.get(id);
    const sources = new Set([...(before?.node.dataSourceIds ?? []), ...observed.node.dataSourceIds]);
    const { node, ...latest } = before?.isWhole === true ? before : observed;
    byId.set(id, {
      ...latest,
      by: before?.by ?? observed.by,
      node: { ...node, dataSourceIds: [...sources] },
    });
  }
  return byId;
}

/** Notes where nodes hang and which data sources fold into them. */
function enter(readings: readonly Reading[], state: SyncState): void {
  for (const { node, containerId } of readings) {
    state.nodes.set(node.id, containerId);
    state.gone.delete(node.id);
    for (const source of node.dataSourceIds) {
      state.hasNewSources ||= !state.databases.has(source);
      state.databases.set(source, node.id);
      state.seenSources.add(source);
    }
  }
}

async function save(
  readings: readonly Reading[],
  { state, connectionId, database, number }: SyncRun,
): Promise<void> {
  const records = readings.map(({ node, by, ...reading }) => ({
    ...node,
    ...reading,
    propertyReferences: resolved(referencesOf(node), state),
    // That a search which broke off, or cannot be read, did not list it says nothing: the next one is expected to.
    foundBy: state.isSearchWhole && state.isSearchReadable ? by : ("search" as const),
  }));
  const databases = records.flatMap(({ id, dataSourceIds }) =>
    dataSourceIds.map((from) => [from, id] as const),
  );
  const { changed = [], unchanged = [] } = Object.groupBy(records, ({ keepsFacts }) =>
    keepsFacts ? "unchanged" : "changed",
  );
  await database.transaction(async (trx) => {
    await upsertNodes(trx, connectionId, changed, number);
    await touchNodes(trx, connectionId, unchanged, number);
    await setDatabases(trx, connectionId, new Map(databases));
  });
}

/** All references of a node's properties: of those that could not be read in full, the ones that were shown. */
function referencesOf(node: Pick<ListedNode, "references" | "cutProperties">): Reference[] {
  return [...node.references, ...node.cutProperties.flatMap(({ references }) => references)];
}

/** A mention of a data source means its database. */
export function resolved(
  references: readonly Reference[],
  { databases }: Pick<SyncState, "databases">,
): Reference[] {
  return references.map((reference) => ({
    ...reference,
    targetId: databases.get(reference.targetId) ?? reference.targetId,
  }));
}
