import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeId } from "../../store/testing/scratch.ts";
import { serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

test("GRAPH-6: nodes come in the requested order, each once, and unknown ids are listed as missing", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [{ number: 0xa1 }, { number: 2 }]);
  await owner.connect(other, [{ number: 3 }]);
  const dashless = nodeId(0xa1).replaceAll("-", "");
  const ids = [
    nodeId(3),
    nodeId(9),
    dashless.toUpperCase(),
    nodeId(2),
    dashless,
    nodeId(3),
    nodeId(8),
    nodeId(9),
  ];
  const { status, body } = await owner.session.get(`/nodes/?ids=${ids.join(",")}`);
  assert.equal(status, 200);
  assert.deepEqual(
    body.items.map(({ id, workspace_id }: { id: string; workspace_id: string }) => [id, workspace_id]),
    [
      [nodeId(3), other],
      [nodeId(0xa1), workspace],
      [nodeId(2), workspace],
    ],
  );
  assert.deepEqual(body.missing, [nodeId(9), nodeId(8)]);
});

test("GRAPH-6: up to 100 ids are accepted, duplicates counted once", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [{ number: 1 }]);
  const list = (count: number) =>
    Array.from({ length: count }, (_, number) => nodeId(number + 1).replaceAll("-", ""));
  const get = (ids: readonly string[]) => owner.session.get(`/nodes/?ids=${ids.join(",")}`);

  assert.equal((await get(list(100))).body.missing.length, 99);
  assert.equal((await get([...list(100), ...list(100)])).status, 200);
  assert.deepEqual((await get(list(1))).body.missing, []);
  const none = await get([]);
  assert.deepEqual([none.status, none.body], [200, { items: [], missing: [] }]);
  const tooMany = await get(list(101));
  assert.equal(tooMany.status, 400);
  assert.deepEqual(tooMany.body.errors, [{ path: "?ids", message: "must list at most 100 nodes" }]);
});

test("GRAPH-10: a malformed id in a query is reported with its parameter", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [{ number: 1 }]);
  for (const ids of [",", `${nodeId(1)},`, "x", `${nodeId(1)},x`, `${nodeId(1)}0`, "%00", "1"]) {
    const { status, body } = await owner.session.get(`/nodes/?ids=${ids}`);
    assert.equal(status, 400, ids);
    assert.deepEqual(
      [body.code, body.errors.map(({ path }: { path: string }) => path)],
      ["invalid_request", ["?ids"]],
    );
  }
  for (const query of ["", "?id=1", `?ids=${nodeId(1)}&limit=1`, `?ids=${nodeId(1)}&ids=${nodeId(2)}`]) {
    assert.equal((await owner.session.get(`/nodes/${query}`)).status, 400, query);
  }
});
