import type { NodeId } from "@clew/graph";
import {
  setBlockContainers,
  unstoredCollections,
  upsertCollections,
} from "../../store/queries/containers.ts";
import { recordLookedUp } from "../../store/queries/crawl-checkpoints.ts";
import { setObservations, upsertNodes } from "../../store/queries/graph-pages.ts";
import { type KnownNode, knownNodes } from "../../store/queries/known-nodes.ts";
import { factsOf, isStored, type Observation, type ReadNode } from "../../store/queries/node-facts.ts";
import { nodesWithOtherReferences } from "../../store/queries/references.ts";
import {
  batchSize,
  type NodeWriter,
  type ObservedNode,
  type StoreToRead,
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
      const { node, isWhole = false } = observed;
      // A collection in the trash says nothing of its database.
      if (node.inTrash && node.type === "database" && !isWhole) queue.lookUp(node, null, "gone");
      else if (node.inTrash) state.markGone(node.id);
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

/** A node as it is to be written, and as it is stored. */
interface SeenNode extends HydratedNode {
  readonly known: KnownNode | null;
}

async function hydrateAll(observed: readonly ObservedNode[], context: HydrateContext): Promise<SeenNode[]> {
  const distinct = merged(observed);
  const ids = distinct.map(({ node }) => node.id);
  const known = await knownNodes(context.database.read, context.connectionId, ids);
  const seen: SeenNode[] = [];
  await forEachConcurrently(distinct, maxConcurrentCalls, async (one) => {
    const before = known.get(one.node.id) ?? null;
    const node = await hydrate(one, before, context);
    if (node !== null) seen.push({ ...node, known: before });
  });
  return seen;
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
  nodes: readonly SeenNode[],
  {
    state,
    connectionId,
    database,
    plan,
    report,
  }: StoreToWrite & Pick<SyncContext, "state" | "plan" | "report">,
): Promise<void> {
  const records = nodes.map(({ node, by, known, ...hydrated }) => {
    const isFirst = state.markSeen(node.id);
    if (isFirst) report.found(node, by);
    return {
      ...node,
      ...hydrated,
      known,
      repeatedProperties: node.partial.repeated,
      // One that was read before keeps its value.
      unreadProperties: node.partial.unread.flatMap(({ name }) =>
        node.properties[name] === null ? name : [],
      ),
      // Of properties that could not be read in full, the references that were shown.
      propertyReferences: state.redirect([
        ...node.references,
        ...node.partial.cut.flatMap(({ references }) => references),
      ]),
      // How a whole sync found the node first counts: by that it knows where to expect it.
      foundBy: known === null || (isFirst && plan.kind !== "edits") ? state.foundBy(by) : known.foundBy,
    };
  });
  const found = records.flatMap(({ id: databaseId, collections }) =>
    collections.map((collection) => ({ ...collection, databaseId })),
  );
  const collections = await unstoredCollections(database.read, connectionId, found);
  const unstored = await unstoredNodes(records, { connectionId, database });
  const lookedUp = nodes.filter(({ by }) => by === "crawl").map(({ node }) => node.id);
  if (unstored.length + collections.length + lookedUp.length === 0) return;
  const observed = unstored.filter(({ keepsFacts }) => keepsFacts);
  const changed = unstored.filter(({ keepsFacts }) => !keepsFacts);
  await database.transaction(async (trx) => {
    await upsertNodes(trx, connectionId, changed);
    await setObservations(trx, connectionId, observed);
    await upsertCollections(trx, connectionId, collections);
    await recordLookedUp(trx, connectionId, lookedUp);
  });
}

type WritableNode = ReadNode & Observation & Pick<SeenNode, "known" | "keepsFacts">;

/** The nodes of which something is not stored yet: a sync that finds nothing writes none (SYNC-11). */
async function unstoredNodes<Node extends WritableNode>(
  nodes: readonly Node[],
  { connectionId, database }: StoreToRead,
): Promise<Node[]> {
  const unstored = new Set(nodes.filter((node) => !isNodeStored(node)));
  const others = nodes.filter((node) => !unstored.has(node) && !node.keepsFacts);
  const held = new Map(others.map(({ id, propertyReferences = [] }) => [id, propertyReferences]));
  const referring = await nodesWithOtherReferences(database.read, connectionId, "properties", held);
  return nodes.filter((node) => unstored.has(node) || referring.has(node.id));
}

/** Whether all but the references of a node is stored. */
function isNodeStored(node: WritableNode): boolean {
  const { known, keepsFacts, containerId, foundBy, isUnsettled } = node;
  if (known === null) return false;
  const isObserved =
    known.containerId === containerId && known.foundBy === foundBy && known.isUnsettled === isUnsettled;
  return isObserved && (keepsFacts || isStored(factsOf(node), known.facts));
}
