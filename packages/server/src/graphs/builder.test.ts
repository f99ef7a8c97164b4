import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { buildColumns, Graph } from "@clew/graph";
import { arbitraryGraph, buildGraph, id, page, reference } from "@clew/graph/testing";
import fc from "fast-check";
import { parseLocation } from "../model/database-location.ts";
import { DatabaseUnavailableError } from "../model/database-unavailable.ts";
import { readGraphRows } from "../store/choose-backend.ts";
import type { Database } from "../store/port.ts";
import {
  failContent,
  removeNodes,
  saveContents,
  setParents,
  upsertNodes,
} from "../store/queries/graph-pages.ts";
import { countGraph, isLargerThan } from "../store/queries/graph-reading.ts";
import { readGraph } from "../store/testing/read-graph.ts";
import { scratchDatabase, someConnection } from "../store/testing/scratch.ts";
import { setPropertyReferences } from "../store/testing/write-graph.ts";
import { columnsOf, GraphBuilder } from "./builder.ts";

type Input = Parameters<typeof buildGraph>[0];

/** A builder that ends with the test: after a failure it would start a thread in the middle of another one. */
function builderOf(t: TestContext, ...given: ConstructorParameters<typeof GraphBuilder>): GraphBuilder {
  const builder = new GraphBuilder(...given);
  t.after(() => builder.close());
  return builder;
}

/** A connection that holds the nodes of a graph and the references that begin at them. */
async function stored(database: Database, { nodes, references }: Input): Promise<number> {
  const connectionId = await someConnection(database);
  await database.transaction(async (trx) => {
    const read = nodes.map((node) => ({ ...node, properties: {} }));
    await upsertNodes(trx, connectionId, read);
    for (const node of nodes) {
      const own = references.filter(({ from }) => from === node.id).map((each) => each.reference);
      await setPropertyReferences(trx, connectionId, node.id, own);
    }
  });
  return connectionId;
}

const odd: Input = {
  nodes: [
    page(1, { title: "", icon: "", url: null, aliases: ["first", "", "nul \u0000, ünïcödé 🧵"] }),
    page(2, { title: "\ud800 half a pair", parentId: id(1), icon: "🧵" }),
    page(3, { title: "nul \u0000 within", parentId: id(3), createdAt: -1 }),
    page(4, { title: "ünïcödé", aliases: ["last"], parentId: id(99), updatedAt: 8_640_000_000_000_000 }),
  ],
  references: [
    reference(1, 1),
    reference(1, 99),
    reference(2, 1),
    reference(2, 1),
    reference(3, 2, "relation", { name: "'\u0000é" }),
  ],
};

test("GRAPH-7: a graph built from the rows of the store is the one built from objects", async (t) => {
  const { database } = await scratchDatabase(t);
  const agree = async (input: Input) => {
    const connectionId = await stored(database, input);
    const { columns } = await database.graphRows(connectionId, (rows) => columnsOf(rows));
    const expected = buildGraph(await readGraph(database.read, connectionId));
    assert.deepEqual(columns, expected.columns);
    const { nodeCount, edgeCount } = new Graph(columns);
    assert.equal(nodeCount, input.nodes.length);
    assert.deepEqual(await countGraph(database.read, connectionId), { nodes: nodeCount, edges: edgeCount });
  };
  await agree(odd);
  await agree({ nodes: [], references: [] });
  await fc.assert(fc.asyncProperty(arbitraryGraph(6), agree), { numRuns: 60 });
});

test("a graph that is read in several pages is complete, and has nothing of other connections", async (t) => {
  const { database, location } = await scratchDatabase(t);
  await stored(database, odd);
  const nodes = Array.from({ length: 25 }, (_, n) => page(n + 1, { parentId: n === 0 ? null : id(n) }));
  const references = nodes.map((_, n) => reference(n + 1, 25 - n, "link", { count: 3 }));
  const connectionId = await stored(database, { nodes, references });
  const { columns } = await database.graphRows(connectionId, (rows) => columnsOf(rows));
  for (const size of [1, 7, 25]) {
    const read = readGraphRows(location, connectionId, (rows) => buildColumns(rows), { nodesAtATime: size });
    assert.deepEqual(await read, columns);
  }
  const graph = new Graph(columns);
  assert.deepEqual([graph.nodeCount, graph.edgeCount], [25, 48]);
  assert.deepEqual(graph.degree(id(25)), { in: 2, out: 1 });
});

test("a graph is small by its nodes and by its references", async (t) => {
  const { database } = await scratchDatabase(t);
  const references = Array.from({ length: 9 }, (_, n) => reference(1, n));
  const connectionId = await stored(database, { nodes: [page(1), page(2)], references });
  const exceeds = (nodes: number) => isLargerThan(database.read, connectionId, nodes);
  assert.deepEqual([await exceeds(1), await exceeds(2), await exceeds(3)], [true, true, false]);
});

test("GRAPH-7: a graph that another thread built is the same", async (t) => {
  const { database } = await scratchDatabase(t);
  const connectionId = await stored(database, odd);
  const [here, elsewhere] = [builderOf(t, database), builderOf(t, database, { inlineNodes: 0 })];
  const [expected, built] = await Promise.all([here.build(connectionId), elsewhere.build(connectionId)]);
  assert.deepEqual(built.graph.columns, expected.graph.columns);
  assert.equal(built.version, expected.version);
  assert.equal(built.graph.byteLength, expected.graph.byteLength);
  assert.deepEqual(built.graph.node(id(2)), expected.graph.node(id(2)));
});

/** A change of a stored graph. */
interface Change {
  readonly what: "title" | "parent" | "properties" | "text" | "failure" | "removal" | "addition";
  readonly node: number;
  readonly other: number;
}

const change: fc.Arbitrary<Change> = fc.record({
  what: fc.constantFrom("title", "parent", "properties", "text", "failure", "removal", "addition"),
  node: fc.nat(7),
  other: fc.nat(9),
});

/** Makes a change as a sync does. */
async function apply(database: Database, connectionId: number, { what, node, other }: Change): Promise<void> {
  const link = { type: "link", targetId: id(other), name: null, count: 1 + other } as const;
  const text = { markdown: `${other}`, references: [link], state: "ready" } as const;
  const title = `Title ${other}`;
  await database.transaction(async (trx) => {
    if (what === "title" || what === "addition")
      await upsertNodes(trx, connectionId, [
        { ...page(what === "title" ? node : 10 + other, { title }), properties: {} },
      ]);
    if (what === "parent") await setParents(trx, connectionId, [{ id: id(node), from: null, to: id(other) }]);
    if (what === "properties") await setPropertyReferences(trx, connectionId, id(node), [link]);
    if (what === "text") await saveContents(trx, connectionId, new Map([[id(node), text]]));
    if (what === "failure") await failContent(trx, connectionId, id(node), "unreadable");
    if (what === "removal") await removeNodes(trx, connectionId, [id(node)], 0);
  });
}

test("GRAPH-7: a graph that is built from an earlier one and what changed since is the graph of all rows", async (t) => {
  const { database, location } = await scratchDatabase(t);
  let kept = 0;
  const property = fc.asyncProperty(
    arbitraryGraph(8),
    fc.array(change, { minLength: 1, maxLength: 4 }),
    async (input, changes) => {
      const connectionId = await stored(database, input);
      let earlier = await readGraphRows(location, connectionId, (rows) => columnsOf(rows));
      for (const each of changes) {
        await apply(database, connectionId, each);
        const whole = await readGraphRows(location, connectionId, (rows) => columnsOf(rows));
        const since = earlier.version;
        const built = await readGraphRows(
          location,
          connectionId,
          (rows) => {
            if (rows.sources) kept += 1;
            return columnsOf(rows, earlier.columns);
          },
          { since },
        );
        assert.deepEqual(built, whole);
        earlier = built;
      }
    },
  );
  await fc.assert(property, { numRuns: 40 });
  assert.ok(kept > 0, "references of earlier graphs were kept");
});

test("graphs that are built one after the other share a thread", async (t) => {
  const { database } = await scratchDatabase(t);
  const connectionId = await stored(database, odd);
  const threads = countThreads(t);
  const builder = builderOf(t, database, { inlineNodes: 0 });
  await Promise.all([builder.build(connectionId), builder.build(connectionId)]);
  await builder.build(connectionId);
  assert.equal(threads(), 1);
});

test("the thread of a large graph ends ten seconds after the build, and its memory with it; another one waits", async (t) => {
  const { database } = await scratchDatabase(t);
  const connectionId = await stored(database, odd);
  const threads = countThreads(t);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const builder = builderOf(t, database, { inlineNodes: 0, maxKeptBytes: 1 });
  await builder.build(connectionId);
  t.mock.timers.tick(9_999);
  assert.equal(threads(), 1);
  t.mock.timers.tick(1);
  while (threads() < 2) await setImmediate();
  await builder.build(connectionId);
  assert.equal(threads(), 2);
});

test("a small graph is not built in the thread of a large one", async (t) => {
  const { database } = await scratchDatabase(t);
  const small = await stored(database, { nodes: [page(1), page(2)], references: [] });
  const large = await stored(database, odd);
  const threads = countThreads(t);
  const builder = builderOf(t, database, { inlineNodes: 0, smallNodes: 2 });
  const built = await Promise.all([large, small, large, small].map((id) => builder.build(id)));
  assert.deepEqual(
    built.map(({ graph }) => graph.nodeCount),
    [4, 2, 4, 2],
  );
  assert.equal(threads(), 2);
});

/** Counts the threads that are started from now on. */
function countThreads(t: TestContext): () => number {
  let count = 0;
  const started = () => {
    count += 1;
  };
  subscribe("worker_threads", started);
  t.after(() => unsubscribe("worker_threads", started));
  return () => count;
}

test("OPS-3: running and waiting builds end when Clew stops", async (t) => {
  const { database } = await scratchDatabase(t);
  const connectionId = await stored(database, odd);
  const builder = builderOf(t, database, { inlineNodes: 0 });
  const builds = [builder.build(connectionId), builder.build(connectionId)];
  const refused = Promise.all(builds.map((build) => assert.rejects(build, /ended before|Clew stops/)));
  await builder.close();
  await refused;
  await assert.rejects(builder.build(connectionId), /Clew stops/);
});

test("a build that fails in its thread rejects with the reason, and the next one succeeds", async (t) => {
  const { database, url } = await scratchDatabase(t);
  const connectionId = await stored(database, odd);
  // A URL's name of the database ends before its query.
  const missing = builderOf(
    t,
    { ...database, location: parseLocation(url.replace(/\?|$/, ".missing$&")) },
    { inlineNodes: 0 },
  );
  await assert.rejects(missing.build(connectionId), /unable to open|does not exist/);
  const builder = builderOf(t, database, { inlineNodes: 0 });
  assert.equal((await builder.build(connectionId)).graph.nodeCount, 4);
  assert.equal((await builder.build(connectionId)).graph.nodeCount, 4);
});

test("OPS-9: a build in a thread that cannot reach the database says that it is unavailable", async (t) => {
  const { database } = await scratchDatabase(t);
  const connectionId = await stored(database, { nodes: [page(1), page(2)], references: [] });
  const { read, graphRows } = database;
  const away = parseLocation("postgres://clew@127.0.0.1:1/clew");
  const builder = builderOf(t, { read, graphRows, location: away }, { inlineNodes: 1 });
  await assert.rejects(builder.build(connectionId), (error) => {
    assert.ok(error instanceof DatabaseUnavailableError);
    return /^The database clew at 127\.0\.0\.1:1 cannot be reached: /.test(error.message);
  });
});
