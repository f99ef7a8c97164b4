import type { Thread } from "../model/edge.ts";
import type { NodeId } from "../model/node-id.ts";
import type { ListedNode } from "../provider/port.ts";
import { seeNodes, setPropertyThreads, upsertNodes } from "../store/graph-pages.ts";
import { foldDataSources } from "../store/holders.ts";
import { knownNodes } from "../store/known-nodes.ts";
import type { Catalog } from "./catalog.ts";
import { each } from "./each.ts";
import type { Findings } from "./findings.ts";
import { inFull, type Reading, type Sighting } from "./in-full.ts";
import { callsAtOnce, type Run } from "./run.ts";

/** Takes nodes in as they come: writes them, with the threads in their properties, and raises the questions in them. */
export interface Intake {
  /** Takes in a node; one that lies in the trash is none. Many are written at a time. */
  add(sighting: Sighting): Promise<void>;
  /** Resolves when all that was added is written. */
  flush(): Promise<void>;
  /** The nodes that were taken in. */
  readonly taken: ReadonlySet<NodeId>;
}

/** Nodes to a transaction: small ones let others write in between, and little is kept in memory. */
const batch = 100;

/** `onTaken` is told how many nodes were taken in so far. */
export function createIntake(
  findings: Findings,
  run: Run,
  onTaken: (count: number) => void = () => {},
): Intake {
  const taken = new Set<NodeId>();
  let waiting: Sighting[] = [];
  let turn = Promise.resolve();

  const write = async (sightings: readonly Sighting[]) => {
    if (sightings.length === 0) return;
    const readings = await readAll(sightings, run);
    for (const { node } of readings) taken.add(node.id);
    enter(readings, run.catalog);
    run.signal.throwIfAborted();
    await save(readings, run);
    for (const { node, isNews } of readings) if (isNews) findings.followUp(node);
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
    async add(sighting) {
      if (sighting.node.inTrash) run.catalog.gone.add(sighting.node.id);
      else waiting.push(sighting);
      if (waiting.length >= batch) await flush();
    },
  };
}

/** Nodes as they are to be written: what a listing leaves out is asked for where it may have changed. */
async function readAll(sightings: readonly Sighting[], run: Run): Promise<Reading[]> {
  const distinct = [...folded(sightings).values()];
  const ids = distinct.map(({ node }) => node.id);
  const known = await knownNodes(run.database.read, run.connectionId, ids);
  const readings: Reading[] = [];
  await each(distinct, callsAtOnce, async (sighting) => {
    const reading = await inFull(sighting, known.get(sighting.node.id) ?? null, run);
    if (reading !== null) readings.push(reading);
    run.report.found(sighting.node, sighting.by);
  });
  return readings;
}

/** Each node once. A database is listed once for each of its data sources. */
function folded(sightings: readonly Sighting[]): Map<NodeId, Sighting> {
  const byId = new Map<NodeId, Sighting>();
  for (const sighting of sightings) {
    const { id } = sighting.node;
    const before = byId.get(id);
    const sources = new Set([...(before?.node.dataSourceIds ?? []), ...sighting.node.dataSourceIds]);
    const { node, ...latest } = before?.isWhole === true ? before : sighting;
    byId.set(id, {
      ...latest,
      by: before?.by ?? sighting.by,
      node: { ...node, dataSourceIds: [...sources] },
    });
  }
  return byId;
}

/** Notes where nodes hang and which data sources fold into them. */
function enter(readings: readonly Reading[], catalog: Catalog): void {
  for (const { node, hangsIn } of readings) {
    catalog.nodes.set(node.id, hangsIn);
    catalog.gone.delete(node.id);
    for (const source of node.dataSourceIds) {
      catalog.hasNewSources ||= !catalog.databases.has(source);
      catalog.databases.set(source, node.id);
      catalog.seenSources.add(source);
    }
  }
}

async function save(
  readings: readonly Reading[],
  { catalog, connectionId, database, number }: Run,
): Promise<void> {
  const records = readings.map(({ node, by, ...reading }) => ({
    ...node,
    ...reading,
    // That a search which broke off, or cannot be read, did not list it says nothing: the next one is expected to.
    foundBy: catalog.isSearchWhole && catalog.isSearchReadable ? by : ("search" as const),
  }));
  const news = records.filter(({ keepsFacts }) => !keepsFacts);
  await database.transaction(async (trx) => {
    await upsertNodes(trx, connectionId, news, number);
    await seeNodes(
      trx,
      connectionId,
      records.filter(({ keepsFacts }) => keepsFacts),
      number,
    );
    for (const node of news)
      await setPropertyThreads(trx, connectionId, node.id, resolved(threadsOf(node), catalog));
    for (const { id, dataSourceIds } of records) await foldDataSources(trx, connectionId, id, dataSourceIds);
  });
}

/** All threads of a node's properties: of those that could not be read in full, the ones that were shown. */
function threadsOf(node: Pick<ListedNode, "threads" | "cutProperties">): Thread[] {
  return [...node.threads, ...node.cutProperties.flatMap(({ threads }) => threads)];
}

/** A mention of a data source means its database. */
export function resolved(threads: readonly Thread[], { databases }: Pick<Catalog, "databases">): Thread[] {
  return threads.map((thread) => ({
    ...thread,
    targetId: databases.get(thread.targetId) ?? thread.targetId,
  }));
}
