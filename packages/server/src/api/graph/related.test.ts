import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import { serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";

test("GRAPH-21: related nodes come with their score and the pages that they share", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [
    { number: 1, given: { title: "Start" }, references: [referenceTo(3), referenceTo(4)] },
    { number: 2, given: { title: "Twin" }, references: [referenceTo(3), referenceTo(4), referenceTo(9)] },
    { number: 3, given: { title: "Shared" }, references: [referenceTo(5)] },
    { number: 4, given: { title: "Also shared" } },
    { number: 5, given: { title: "Other" }, references: [referenceTo(4), referenceTo(1)] },
  ]);
  const token = await owner.token({ workspaceIds: [workspace], scopes: ["graph:neighbors"] });
  const { status, body } = await token.get(`/nodes/${nodeId(1)}/related/`);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ["node", "items", "truncated"]);
  assert.deepEqual([body.node.title, body.truncated], ["Start", false]);
  assert.equal(body.items.length, 1);
  const [twin] = body.items;
  assert.deepEqual(twin.node, (await owner.session.get(`/search/?q=twin`)).body.items[0].node);
  assert.deepEqual(twin.reasons, [
    {
      type: "same_targets",
      count: 2,
      via: [
        { id: nodeId(3), title: "Shared" },
        { id: nodeId(4), title: "Also shared" },
      ],
    },
  ]);
  const [shared, alsoShared, other] = [3, 3, 3].map((degree) => 1 / Math.log(2 + degree));
  const own = (shared ?? 0) + (alsoShared ?? 0) + (other ?? 0);
  assert.ok(Math.abs(twin.score - ((shared ?? 0) + (alsoShared ?? 0)) / own) < 1e-12);
  const withLinked = await token.get(`/nodes/${nodeId(1)}/related/?linked=true&limit=1`);
  assert.deepEqual(withLinked.body.items, body.items);
});

test("GRAPH-21: linked lists what is linked directly as well, and other values are refused", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [
    { number: 1, references: [referenceTo(2), referenceTo(3)] },
    { number: 2, references: [referenceTo(3)] },
    { number: 3 },
  ]);
  const at = (query: string) => owner.session.get(`/nodes/${nodeId(1)}/related/?${query}`);
  assert.deepEqual((await at("linked=false")).body.items, []);
  const { body } = await at("linked=true");
  assert.deepEqual(
    body.items.map(({ node }: { node: { id: string } }) => node.id),
    [nodeId(2)],
  );
  for (const [name, value] of [
    ["linked", "yes"],
    ["limit", "0"],
    ["limit", "51"],
    ["cursor", "x"],
  ]) {
    const refused = await at(`${name}=${value}`);
    assert.deepEqual([refused.status, refused.body.errors[0].path], [400, `?${name}`]);
  }
});
