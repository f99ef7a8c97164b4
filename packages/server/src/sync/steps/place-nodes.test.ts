import assert from "node:assert/strict";
import { test } from "node:test";
import type { NodeId } from "@clew/graph";
import { uuidOf } from "@clew/text/basics";
import fc from "fast-check";
import type { Database } from "../../store/port.ts";
import { removeNodes, setObservations, upsertNodes } from "../../store/queries/graph-pages.ts";
import { locationsOf } from "../../store/queries/known-nodes.ts";
import { page, scratchDatabase, someConnection } from "../../store/testing/scratch.ts";
import { createNodeLoader } from "../node-loader.ts";
import { SyncState } from "../state.ts";
import { placeAllNodes, resolveParents } from "./place-nodes.ts";

/** An id whose bytes are those of a name. */
function idOf(name: string): NodeId {
  return uuidOf(Buffer.from(name).toString("hex").padEnd(32, "0"));
}

const nameOf = (id: NodeId) => Buffer.from(id.replaceAll("-", ""), "hex").toString().replaceAll("\0", "");

/** The state of a run that knows these nodes and their containers, by name. */
function stateOf(containers: Readonly<Record<string, string | null>>): SyncState {
  const state = new SyncState();
  for (const [name, containerId] of Object.entries(containers))
    state.addNode(idOf(name), containerId && idOf(containerId));
  return state;
}

const parentsIn = (state: SyncState): Record<string, string | null> =>
  Object.fromEntries(
    [...resolveParents(state.nodeIds(), state)].map(([id, parent]) => [nameOf(id), parent && nameOf(parent)]),
  );

test("SYNC-1: a cycle of parents is cut at its smallest id, and nowhere else", () => {
  const state = stateOf({ c: "a", d: "b", b: "c", a: "b" });
  assert.deepEqual(parentsIn(state), { a: null, b: "c", c: "a", d: "b" });
});

test("SYNC-1: a page that is its own parent is a root", () => {
  assert.deepEqual(parentsIn(stateOf({ a: "a" })), { a: null });
});

test("SYNC-1: the path up leads through blocks and collections to the next node", () => {
  const state = stateOf({ database: null, row: "source", page: "inner" });
  state.addCollection(idOf("source"), idOf("database"), null);
  state.addBlock(idOf("inner"), idOf("outer"));
  state.addBlock(idOf("outer"), idOf("row"));
  assert.deepEqual(parentsIn(state), { database: null, row: "database", page: "row" });
});

test("SYNC-1: blocks that contain each other lead nowhere", () => {
  const state = stateOf({ a: "x" });
  state.addBlock(idOf("x"), idOf("y"));
  state.addBlock(idOf("y"), idOf("x"));
  assert.deepEqual(parentsIn(state), { a: null });
});

test("SYNC-1: for any parents, every path up ends, and at a node", () => {
  const ids = ["a", "b", "c", "d", "e", "f", "g"];
  const holder = fc.constantFrom(...ids, "not shared", null);
  fc.assert(
    fc.property(fc.tuple(holder, holder, holder, holder, holder, holder, holder), (holders) => {
      const parents = parentsIn(stateOf(Object.fromEntries(ids.map((id, at) => [id, holders[at] ?? null]))));
      for (const start of ids) {
        let here: string | null = start;
        for (let steps = 0; here !== null; steps += 1) {
          assert.ok(steps <= ids.length && here in parents);
          here = parents[here] ?? null;
        }
      }
    }),
  );
});

/** The nodes of a workspace, some with a container that is not there, and a collection in one of them. */
interface Places {
  /** The container of each node, by the node's place in `ids`; null at the top, undefined if the node is not there. */
  readonly containers: readonly (string | null | undefined)[];
  /** The database that has the collection. */
  readonly owner: NodeId;
}

const ids = ["a", "b", "c", "d", "e"].map(idOf);
const collection = idOf("rows");
const anyPlaces: fc.Arbitrary<Places> = fc
  .record({
    containers: fc.array(fc.constantFrom(undefined, null, collection, ...ids, ...ids), {
      minLength: ids.length,
      maxLength: ids.length,
    }),
    owner: fc.constantFrom(...ids),
  })
  .filter((places) => containerIn(places, places.owner) !== undefined);

const containerIn = ({ containers }: Places, id: NodeId) => containers[ids.indexOf(id)];

/** The state of a run that knows all of these nodes, or none of them. */
function stateIn(places: Places, nodes: readonly NodeId[]): SyncState {
  const state = new SyncState();
  state.addCollection(collection, places.owner, null);
  for (const id of nodes) {
    const containerId = containerIn(places, id);
    if (containerId !== undefined) state.addNode(id, containerId);
  }
  return state;
}

/** Stores the difference between two workspaces, and changes the state as a run does that finds it. */
async function change(
  database: Database,
  connectionId: number,
  state: SyncState,
  before: Places,
  now: Places,
) {
  for (const id of ids) {
    const containerId = containerIn(now, id);
    const isNewOwner = id === now.owner && before.owner !== now.owner;
    if (containerId === containerIn(before, id) && !isNewOwner) continue;
    if (containerId === undefined) {
      await database.transaction((trx) => removeNodes(trx, connectionId, [id], 0));
      if (containerIn(before, id) !== undefined) state.markRemoved(id);
      continue;
    }
    const node = { ...page(0), id, containerId };
    const observed = { id, containerId, isUnsettled: false, foundBy: "search" } as const;
    await database.transaction((trx) =>
      containerIn(before, id) === undefined
        ? upsertNodes(trx, connectionId, [node])
        : setObservations(trx, connectionId, [observed]),
    );
    state.addNode(id, containerId, id === now.owner ? [{ id: collection }] : []);
    state.markSeen(id);
  }
}

/** A workspace in which these nodes are where another has them. */
const mixed = (places: Places, other: Places, changed: readonly NodeId[]): Places => ({
  ...places,
  containers: ids.map((id) => containerIn(changed.includes(id) ? other : places, id)),
});

test("SYNC-1, SYNC-11: after edits, all nodes are where a listing of everything would place them", async (t) => {
  const { database } = await scratchDatabase(t);
  const none: Places = { containers: [], owner: idOf("nowhere") };
  // Few nodes change: most that move do so because what contains them does.
  const property = fc.asyncProperty(
    anyPlaces,
    anyPlaces,
    fc.subarray(ids),
    async (before, other, changed) => {
      const now = changed.includes(before.owner) ? other : mixed(before, other, changed);
      const connectionId = await someConnection(database);
      const store = { connectionId, database, signal: new AbortController().signal };
      const first = stateIn(before, ids);
      await change(database, connectionId, first, none, before);
      const all = createNodeLoader({ connectionId, database, state: first });
      await all.loadAll();
      await placeAllNodes({ ...store, state: first, loader: all, plan: { kind: "first" } });

      const edits = stateIn(before, []);
      await change(database, connectionId, edits, before, now);
      const loader = createNodeLoader({ connectionId, database, state: edits });
      await placeAllNodes({ ...store, state: edits, loader, plan: { kind: "edits" } });
      const stored = await locationsOf(database.read, connectionId, ids);
      const placed = new Map(stored.map(({ id, parentId }) => [id, parentId]));
      const state = stateIn(now, ids);
      assert.deepEqual(placed, resolveParents(state.nodeIds(), state));
    },
  );
  await fc.assert(property, { numRuns: 100 });
});

test("SYNC-6: a sync that is to stop places no more nodes, and the one that continues it places them", async (t) => {
  const { database } = await scratchDatabase(t);
  const connectionId = await someConnection(database);
  const places: Places = { containers: [null, idOf("a")], owner: idOf("a") };
  const state = stateIn(places, ids);
  await change(database, connectionId, state, { containers: [], owner: idOf("nowhere") }, places);
  const loader = createNodeLoader({ connectionId, database, state });
  const parentOfB = async () => (await locationsOf(database.read, connectionId, [idOf("b")]))[0]?.parentId;
  const place = (signal: AbortSignal) =>
    placeAllNodes({ connectionId, database, state, loader, signal, plan: { kind: "first" } });
  await assert.rejects(place(AbortSignal.abort()), { name: "AbortError" });
  assert.equal(await parentOfB(), null);
  await place(new AbortController().signal);
  assert.equal(await parentOfB(), idOf("a"));
});
