import type { NodeId } from "@clew/graph";
import { setBlockContainers, upsertCollections } from "../../store/queries/containers.ts";
import { touchNodes, upsertNodes } from "../../store/queries/graph-pages.ts";
import { knownNodes } from "../../store/queries/known-nodes.ts";
import {
  batchSize,
  type NodeWriter,
  type ObservedNode,
  type StateToRead,
  type StoreToWrite,
  type SyncContext,
} from "../context.ts";
import { forEachConcurrently, maxConcurrentCalls } from "../provider-calls.ts";
import { type HydrateContext, type HydratedNode, hydrate, unitedCollections } from "./hydrate.ts";

type WriteContext = StoreToWrite & HydrateContext & Pick<SyncContext, "queue" | "progress" | "signal">;

/** Takes each node through these steps: hydrate → state → store → work queue. */
export function createNodeWriter(context: WriteContext): NodeWriter {
  const { connectionId, database, state, queue, progress, signal } = context;
  let written = new Set<NodeId>();
  let pending: ObservedNode[] = [];
  let blocks = new Map<string, string | null>();
  let previous = Promise.resolve();

  const write = async (observed: readonly ObservedNode[]) => {
    if (observed.length === 0) return;
    const nodes = await hydrateAll(observed, context);
    for (const { node, containerId } of nodes) {
      written.add(node.id);
      state.addNode(node.id, containerId, node.collections);
      for (const { id, columns } of node.collections) if (columns !== null) state.markColumnsKnown(id);
    }
    signal.throwIfAborted();
    await save(nodes, context);
    for (const { node, mayBeNew } of nodes) if (mayBeNew) queue.followUp(node);
    progress.reach("titles", written.size, null);
  };

  /**
   * One batch after another: each must know what those before it found. After a failure all fail. No batch waits for
   * itself, because hydrating gets no writer to add to.
   */
  const flush = async () => {
    const [nodes, containers] = [pending, blocks];
    [pending, blocks] = [[], new Map()];
    previous = previous.then(async () => {
      if (containers.size > 0)
        await database.transaction((trx) => setBlockContainers(trx, connectionId, containers));
      await write(nodes);
    });
    await previous;
  };

  return {
    flush,
    async add(observed) {
      if (observed.node.inTrash) state.markGone(observed.node.id);
      else pending.push(observed);
      if (pending.length >= batchSize) await flush();
    },
    async addBlock(id, containerId) {
      state.addBlock(id, containerId);
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

async function hydrateAll(
  observed: readonly ObservedNode[],
  context: HydrateContext,
): Promise<HydratedNode[]> {
  const distinct = merged(observed);
  const ids = distinct.map(({ node }) => node.id);
  const known = await knownNodes(context.database.read, context.connectionId, ids);
  const hydrated: HydratedNode[] = [];
  await forEachConcurrently(distinct, maxConcurrentCalls, async (one) => {
    const node = await hydrate(one, known.get(one.node.id) ?? null, context);
    if (node !== null) hydrated.push(node);
    context.report.found(one.node, one.by);
  });
  return hydrated;
}

/** Each node once: a database may be listed once for each of its collections. */
function merged(nodes: readonly ObservedNode[]): ObservedNode[] {
  const byId = new Map<NodeId, ObservedNode>();
  for (const observed of nodes) {
    const { id } = observed.node;
    const before = byId.get(id);
    const collections = unitedCollections(before?.node.collections ?? [], observed.node.collections);
    const latest = before?.isWhole === true ? before : observed;
    const node = { ...latest.node, collections };
    byId.set(id, { ...latest, by: before?.by ?? observed.by, node });
  }
  return [...byId.values()];
}

async function save(
  nodes: readonly HydratedNode[],
  { state, connectionId, database, plan }: StoreToWrite & StateToRead & Pick<SyncContext, "plan">,
): Promise<void> {
  const records = nodes.map(({ node, by, ...hydrated }) => ({
    ...node,
    ...hydrated,
    repeatedProperties: node.partial.repeated,
    // Of properties that could not be read in full, the references that were shown.
    propertyReferences: state.redirect([
      ...node.references,
      ...node.partial.cut.flatMap(({ references }) => references),
    ]),
    foundBy: state.foundBy(by),
  }));
  const { changed = [], unchanged = [] } = Object.groupBy(records, ({ keepsFacts }) =>
    keepsFacts ? "unchanged" : "changed",
  );
  const collections = records.flatMap(({ id: databaseId, collections }) =>
    collections.map((collection) => ({ ...collection, databaseId })),
  );
  await database.transaction(async (trx) => {
    await upsertNodes(trx, connectionId, changed, plan.runNumber);
    await touchNodes(trx, connectionId, unchanged, plan.runNumber);
    await upsertCollections(trx, connectionId, collections);
  });
}
