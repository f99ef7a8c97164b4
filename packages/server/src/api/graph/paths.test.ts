import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import { serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

/** A chain 1 → 2 → 3 → 4, a second path through 5, and an isolated 6. */
const pages = [
  { number: 1, references: [referenceTo(2), referenceTo(5, { type: "mention" })] },
  { number: 2, references: [referenceTo(3)] },
  { number: 3, references: [referenceTo(4, { type: "relation", name: "Next" })] },
  { number: 4 },
  { number: 5, references: [referenceTo(3, { type: "mention" })] },
  { number: 6 },
] as const;

const between = (from: number, to: number, query = "") =>
  `/paths/?from=${nodeId(from)}&to=${nodeId(to)}${query}`;

test("GRAPH-8: the shortest path is returned with its nodes and edges", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, pages);
  const { status, body } = await owner.session.get(between(2, 4));
  assert.equal(status, 200);
  assert.deepEqual([body.status, body.complete, body.searched.max_depth], ["found", true, 6]);
  assert.equal(Number.isInteger(body.searched.visited), true);
  const nodes = (await owner.session.get(`/nodes/?ids=${[2, 3, 4].map(nodeId).join(",")}`)).body.items;
  assert.deepEqual(body.paths, [
    {
      length: 2,
      nodes,
      edges: [
        { from: nodeId(2), to: nodeId(3), type: "link", name: null, count: 1 },
        { from: nodeId(3), to: nodeId(4), type: "relation", name: "Next", count: 1 },
      ],
    },
  ]);
});

test("GRAPH-8: direction, types, depth and count filter the paths", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, pages);
  const found = async (from: number, to: number, query = "") => {
    const { body } = await owner.session.get(between(from, to, query));
    const ways = body.paths.map((path: { nodes: { id: string }[] }) =>
      path.nodes.map(({ id }) => Number.parseInt(id.slice(-4), 16)),
    );
    return [body.status, ...ways];
  };
  assert.deepEqual(await found(1, 3, "&max_paths=20&direction=out"), ["found", [1, 2, 3], [1, 5, 3]]);
  assert.deepEqual(await found(1, 3, "&edge_type=mention"), ["found", [1, 5, 3]]);
  assert.deepEqual(await found(4, 1, "&direction=in"), ["found", [4, 3, 2, 1]]);
  assert.deepEqual(await found(4, 1, "&direction=out"), ["none"]);
  assert.deepEqual(await found(1, 4, "&max_depth=2"), ["depth_reached"]);
  assert.deepEqual(await found(1, 6), ["none"]);
  assert.deepEqual(await found(6, 6), ["found", [6]]);
  const { body } = await owner.session.get(between(6, 6));
  assert.deepEqual([body.paths[0].length, body.paths[0].edges], [0, []]);
});

test("GRAPH-8: no path leads from one workspace to another", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, pages);
  await owner.connect(other, [{ number: 7, references: [referenceTo(1)] }]);
  assert.deepEqual((await owner.session.get(between(7, 1, "&max_depth=3"))).body, {
    status: "none",
    complete: true,
    avoided_hubs: false,
    paths: [],
    searched: { max_depth: 3, visited: 0 },
  });
});

test("GRAPH-10: a malformed end of a path is reported with its parameter, an unknown one is 404", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, pages);
  const fieldErrorsOf = async (query: string) => {
    const { status, body } = await owner.session.get(`/paths/?${query}`);
    assert.equal(status, 400, query);
    return body.errors.map(({ path }: { path: string }) => path).toSorted();
  };
  assert.deepEqual(await fieldErrorsOf(`from=x&to=${nodeId(1)}`), ["?from"]);
  assert.deepEqual(await fieldErrorsOf(`from=${nodeId(1)}&to=`), ["?to"]);
  assert.deepEqual(await fieldErrorsOf("from=x&to=y"), ["?from", "?to"]);
  assert.deepEqual(await fieldErrorsOf(""), ["?from", "?to"]);
  assert.deepEqual(await fieldErrorsOf(`from=${nodeId(1)}&to=${nodeId(2)}&max_depth=11&max_paths=0`), [
    "?max_depth",
    "?max_paths",
  ]);
  for (const path of [between(1, 99), between(99, 1), between(98, 99)]) {
    const { status, body } = await owner.session.get(path);
    assert.deepEqual([status, body.code], [404, "node_not_found"]);
  }
});

/** 1 and 3 are linked by an index of 200 other pages, 2, and by the way through 4 and 5. */
const aroundAnIndex = [
  { number: 1, references: [referenceTo(2), referenceTo(4)] },
  { number: 2, references: [referenceTo(3)] },
  { number: 3 },
  { number: 4, references: [referenceTo(5)] },
  { number: 5, references: [referenceTo(3)] },
  ...Array.from({ length: 200 }, (_, index) => ({ number: 100 + index, references: [referenceTo(2)] })),
];

test("GRAPH-8: avoid=hubs goes around a page with more than 200 edges, and the answer says whether it did", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, aroundAnIndex);
  const found = async (query: string) => {
    const { body } = await owner.session.get(between(1, 3, query));
    return [body.paths[0].length, body.avoided_hubs];
  };
  assert.deepEqual(await found(""), [2, false]);
  assert.deepEqual(await found("&avoid=hubs"), [3, true]);
  assert.deepEqual(await found("&avoid=hubs&max_depth=2"), [2, false], "there is no other way of two steps");
  const { status, body } = await owner.session.get(between(1, 3, "&avoid=people"));
  assert.deepEqual([status, body.errors[0].path], [400, "?avoid"]);
});
