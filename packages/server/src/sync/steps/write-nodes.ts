import type { NodeId } from "@clew/graph";
import { setBlockContainers, upsertDataSources } from "../../store/queries/containers.ts";
import { touchNodes, upsertNodes } from "../../store/queries/graph-pages.ts";
import { knownNodes } from "../../store/queries/known-nodes.ts";
import { forEachConcurrently, maxConcurrentCalls } from "../provider-calls.ts";
import { batchSize, type NodeWriter, type ObservedNode, type SyncContext } from "../sync-run.ts";
import { type HydratedNode, hydrate } from "./hydrate.ts";

/** What a node goes through: hydrate → state → store → work queue. */
export function createNodeWriter(run: SyncContext): NodeWriter {
  let written = new Set<NodeId>();
  let pending: ObservedNode[] = [];
  let blocks = new Map<string, string | null>();
  let previous = Promise.resolve();

  const write = async (observed: readonly ObservedNode[]) => {
    if (observed.length === 0) return;
    const nodes = await hydrateAll(observed, run);
    for (const { node, containerId } of nodes) {
      written.add(node.id);
      run.state.foundNode(node.id, containerId, node.dataSourceIds);
      for (const { dataSourceId } of node.schemas) run.state.foundColumns(dataSourceId);
    }
    run.signal.throwIfAborted();
    await save(nodes, run);
    for (const { node, mayBeNew } of nodes) if (mayBeNew) run.queue.followUp(node);
    run.progress.reach("titles", written.size, null);
  };

  /**
   * One batch after another: each must know what those before it found. After a failure all fail. No batch waits for
   * itself, because hydrating gets no writer to add to.
   */
  const flush = async () => {
    const [nodes, containers] = [pending, blocks];
    [pending, blocks] = [[], new Map()];
    previous = previous.then(async () => {
      const { connectionId, database } = run;
      if (containers.size > 0)
        await database.transaction((trx) => setBlockContainers(trx, connectionId, containers));
      await write(nodes);
    });
    await previous;
  };

  return {
    flush,
    async add(observed) {
      if (observed.node.inTrash) run.state.confirmedGone(observed.node.id);
      else pending.push(observed);
      if (pending.length >= batchSize) await flush();
    },
    async addBlock(id, containerId) {
      run.state.foundBlock(id, containerId);
      blocks.set(id, containerId);
      if (blocks.size >= batchSize) await flush();
    },
    takeWritten() {
      const taken = written;
      written = new Set();
      return taken;
    },
  };
}

async function hydrateAll(observed: readonly ObservedNode[], run: SyncContext): Promise<HydratedNode[]> {
  const distinct = merged(observed);
  const ids = distinct.map(({ node }) => node.id);
  const known = await knownNodes(run.database.read, run.connectionId, ids);
  const hydrated: HydratedNode[] = [];
  await forEachConcurrently(distinct, maxConcurrentCalls, async (one) => {
    const node = await hydrate(one, known.get(one.node.id) ?? null, run);
    if (node !== null) hydrated.push(node);
    run.report.found(one.node, one.by);
  });
  return hydrated;
}

/** Each node once: a database is listed once for each of its data sources. */
function merged(nodes: readonly ObservedNode[]): ObservedNode[] {
  const byId = new Map<NodeId, ObservedNode>();
  for (const observed of nodes) {
    const { id } = observed.node;
    const before = byId.get(id);
    const dataSourceIds = [
      ...new Set([...(before?.node.dataSourceIds ?? []), ...observed.node.dataSourceIds]),
    ];
    const schemas = [...observed.node.schemas, ...(before?.node.schemas ?? [])];
    const latest = before?.isWhole === true ? before : observed;
    const node = { ...latest.node, dataSourceIds, schemas };
    byId.set(id, { ...latest, by: before?.by ?? observed.by, node });
  }
  return [...byId.values()];
}

async function save(nodes: readonly HydratedNode[], run: SyncContext): Promise<void> {
  const { state, connectionId, database, plan } = run;
  const records = nodes.map(({ node, by, ...hydrated }) => ({
    ...node,
    ...hydrated,
    // Of properties that could not be read in full, the references that were shown.
    propertyReferences: state.redirect([
      ...node.references,
      ...node.cutProperties.flatMap(({ references }) => references),
    ]),
    foundBy: state.foundBy(by),
  }));
  const { changed = [], unchanged = [] } = Object.groupBy(records, ({ keepsFacts }) =>
    keepsFacts ? "unchanged" : "changed",
  );
  const sources = records.flatMap(({ id: databaseId, dataSourceIds, schemas }) =>
    dataSourceIds.map((id) => {
      const schema = schemas.find(({ dataSourceId }) => dataSourceId === id);
      return { id, databaseId, columns: schema?.columns ?? null };
    }),
  );
  await database.transaction(async (trx) => {
    await upsertNodes(trx, connectionId, changed, plan.run);
    await touchNodes(trx, connectionId, unchanged, plan.run);
    await upsertDataSources(trx, connectionId, sources);
  });
}
