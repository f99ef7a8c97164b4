import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Changes } from "@clew/contract";
import type { Graphs } from "../../graphs/graphs.ts";
import { type Bearer, serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

async function setUp(t: TestContext) {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const connection = await owner.connect(workspace, [{ number: 1 }]);
  const token = await owner.token({ workspaceIds: [workspace, other] });
  const cursor = await nowOf(token);
  return { server, owner, connection, token, cursor, begun: watchWaits(t, server.graphs) };
}

/** Returns a function that resolves once `count` requests wait at the same time. */
function watchWaits(t: TestContext, graphs: Pick<Graphs, "onBuilt">): (count: number) => Promise<void> {
  let waiting = 0;
  const onBuilt = graphs.onBuilt.bind(graphs);
  t.mock.method(graphs, "onBuilt", (listener: Parameters<typeof onBuilt>[0]) => {
    waiting += 1;
    const forget = onBuilt(listener);
    return () => {
      waiting -= 1;
      forget();
    };
  });
  return async (count) => {
    while (waiting < count) await sleep(1);
  };
}

async function nowOf(bearer: Bearer): Promise<string> {
  const { status, body, text } = await bearer.get("/changes/?cursor=now");
  assert.equal(status, 200, text);
  assert.deepEqual([body.items, body.more], [[], false]);
  return body.next_cursor;
}

const summaryOf = ({ items }: Changes) => items.map(({ change, node }) => `${change} ${node?.title}`);

test("GRAPH-27: a cursor of now reads only what happens later", async (t) => {
  const { server, connection, token, cursor } = await setUp(t);
  assert.deepEqual((await token.get(`/changes/?cursor=${cursor}`)).body.items, []);
  await server.sync(connection, [{ number: 1 }, { number: 2 }]);
  assert.deepEqual(summaryOf((await token.get(`/changes/?cursor=${cursor}`)).body), ["added Page 2"]);
  assert.deepEqual(summaryOf((await token.get(`/changes/?cursor=${cursor}&wait=25`)).body), ["added Page 2"]);
});

for (const audience of ["v1", "session"] as const)
  test(`GRAPH-27: a waiting request of ${audience} is answered once something is published`, async (t) => {
    const { server, owner, connection, token, begun } = await setUp(t);
    const bearer = audience === "v1" ? token : owner.session;
    const cursor = await nowOf(bearer);
    const answer = bearer.get(`/changes/?cursor=${cursor}&wait=25`);
    await begun(1);
    await server.sync(connection, [{ number: 1, given: { title: "Renamed" } }]);
    const { status, body } = await answer;
    assert.equal(status, 200);
    assert.deepEqual(summaryOf(body), ["changed Renamed"]);
    assert.deepEqual(body.items[0].what, ["title"]);
  });

test("GRAPH-27: without changes, the answer at the end has no items and a cursor", async (t) => {
  const { token, cursor } = await setUp(t);
  const { body } = await token.get(`/changes/?cursor=${cursor}&wait=1`);
  assert.deepEqual([body.items, body.more], [[], false]);
  assert.equal(body.next_cursor, cursor);
});

test("GRAPH-27: what another workspace publishes wakes no request for one workspace", async (t) => {
  const { server, owner, token, begun } = await setUp(t);
  const second = await owner.connect(other, [{ number: 5 }]);
  const { body } = await token.get(`/changes/?cursor=now&workspace_id=${workspace}`);
  const answer = token.get(`/changes/?cursor=${body.next_cursor}&workspace_id=${workspace}&wait=1`);
  await begun(1);
  await server.sync(second, [{ number: 6 }]);
  assert.deepEqual((await answer).body.items, []);
});

test("GRAPH-27: access is checked again before the answer", async (t) => {
  const { server, owner, token, cursor, connection, begun } = await setUp(t);
  const waiting = [
    token.get(`/changes/?cursor=${cursor}&wait=25`),
    token.get(`/changes/?cursor=now&workspace_id=${workspace}&wait=25`),
    owner.session.get("/changes/?cursor=now&wait=25"),
  ];
  await begun(3);
  await server.fixture.database.transaction((trx) =>
    trx.updateTable("service_tokens").set({ revoked_at: 1 }).execute(),
  );
  await server.sync(connection, [{ number: 1 }, { number: 2 }]);
  const answers = await Promise.all(waiting);
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.code]),
    [
      [401, "token_revoked"],
      [401, "token_revoked"],
      [200, undefined],
    ],
  );
});

test("GRAPH-27: a fifth waiting request of a token is refused, and one whose turn is over makes room", async (t) => {
  const { server, owner, connection, token, cursor, begun } = await setUp(t);
  const path = `/changes/?cursor=${cursor}&wait=25`;
  const waiting = Array.from({ length: 4 }, () => token.get(path));
  await begun(4);
  const fifth = await token.get(path);
  assert.deepEqual([fifth.status, fifth.body.code, fifth.headers["retry-after"]], [429, "rate_limited", "1"]);
  assert.equal((await token.get(`/changes/?cursor=${cursor}`)).status, 200);
  const others = owner.session.get("/changes/?cursor=now&wait=1");
  await server.sync(connection, [{ number: 1 }, { number: 2 }]);
  for (const { status, body } of await Promise.all(waiting))
    assert.deepEqual([status, summaryOf(body)], [200, ["added Page 2"]]);
  assert.equal((await others).status, 200);
  assert.equal((await token.get(`/changes/?cursor=now&wait=1`)).status, 200);
});

test("GRAPH-27: a wait is refused without a cursor or beyond 25 seconds", async (t) => {
  const { token, cursor } = await setUp(t);
  for (const query of ["wait=5", `cursor=${cursor}&wait=26`, `cursor=${cursor}&wait=-1`]) {
    const { status, body } = await token.get(`/changes/?${query}`);
    assert.deepEqual([status, body.errors?.[0]?.path], [400, "?wait"], query);
  }
  assert.equal((await token.get("/changes/?wait=0")).status, 200);
});

test("GRAPH-27: closing the server ends the wait", async (t) => {
  const { server, token, cursor, begun } = await setUp(t);
  const answer = token.get(`/changes/?cursor=${cursor}&wait=25`);
  await begun(1);
  const closed = server.app.close();
  const { status, body } = await answer;
  assert.deepEqual([status, body.items], [200, []]);
  await closed;
});
