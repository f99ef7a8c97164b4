import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import { serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const path = "/paths/proposed/";

/** Many pages link to 1; a chain leads from it to 4, which is the most important one by that. */
const pages = [
  { number: 1, references: [referenceTo(2)] },
  { number: 2, references: [referenceTo(3)] },
  { number: 3, references: [referenceTo(4)] },
  { number: 4 },
  ...[5, 6, 7, 8].map((number) => ({ number, references: [referenceTo(1)] })),
];

const numbers = (nodes: readonly { id: string }[]) =>
  nodes.map(({ id }) => Number.parseInt(id.slice(-4), 16));

test("GRAPH-15: a person without pages is proposed no path, and one with pages the longest from the most important page", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  assert.deepEqual((await owner.session.get(path)).body, { path: null });
  await owner.connect(workspace, pages);
  const { status, body } = await owner.session.get(path);
  assert.equal(status, 200);
  assert.deepEqual(numbers(body.path.nodes), [4, 3, 2, 1, 5]);
  assert.equal(body.path.length, 4);
  assert.deepEqual((await owner.session.get(path)).body, body, "the same graph has the same proposal");
  const stranger = await server.person("stranger");
  assert.deepEqual((await stranger.session.get(path)).body, { path: null });
});

test("GRAPH-15: pages without links are not proposed, and service tokens have no such operation", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [{ number: 1 }, { number: 2 }, { number: 3 }]);
  assert.deepEqual((await owner.session.get(path)).body, { path: null });
  const token = await owner.token({ workspaceIds: [workspace] });
  assert.equal((await token.get(path)).status, 404);
  assert.equal((await owner.session.get(`${path}?from=${nodeId(1)}`)).status, 400);
});
