import assert from "node:assert/strict";
import { type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import type { ActivityEvent } from "@clew/contract";
import { deleteUser } from "../../store/queries/users.ts";
import { nodeId } from "../../store/testing/scratch.ts";
import { serveActivity } from "./testing/activity-server.ts";

async function setUp(t: TestContext) {
  const stage = await serveActivity(t);
  const { server, owner, activity } = stage;
  const agent = await stage.agent(owner);
  await server.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  t.mock.timers.enable({ apis: ["setInterval"] });
  return {
    ...stage,
    ...agent,
    open: (headers: Readonly<Record<string, string>> = {}) =>
      openStream(port, agent.id, { authorization: `Bearer ${owner.tokens.access}`, ...headers }),
    /** Writes what was recorded, and waits for the next poll. */
    async look() {
      await activity.flush();
      t.mock.timers.tick(500);
    },
  };
}

/** Opens a stream, and returns a function that reads its next event; null at the end. */
async function openStream(port: number, id: number, headers: Readonly<Record<string, string>>) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request({ port, path: `/api/tokens/${id}/activity/events`, agent: false, headers });
    outgoing.once("error", reject).once("response", resolve).end();
  });
  assert.equal(answer.statusCode, 200);
  const events = eventsOf(answer);
  return {
    answer,
    async next(): Promise<{ id: string; data: ActivityEvent } | null> {
      const { done, value } = await events.next();
      return done === true ? null : value;
    },
  };
}

async function* eventsOf(
  answer: IncomingMessage,
): AsyncGenerator<{ id: string; data: ActivityEvent }, undefined> {
  let rest = "";
  for await (const part of answer.setEncoding("utf8")) {
    const blocks = (rest + part).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, id, data] = /^id: (\d+)\nevent: calls\ndata: (.*)$/.exec(block) ?? [];
      if (id !== undefined && data !== undefined) yield { id, data: JSON.parse(data) };
    }
  }
}

test("APP-9: the events begin with the sums, and send each call once it is written", async (t) => {
  const { open, get, look } = await setUp(t);
  await get("/search/?q=jupiter");
  await look();
  const { answer, next } = await open();
  assert.equal(answer.headers["content-type"], "text/event-stream; charset=utf-8");
  assert.equal(answer.headers["content-encoding"], undefined);
  const first = await next();
  assert.deepEqual(first, { id: "1", data: { calls: [], week: { calls: 1, refused: 0, pages: 1 } } });
  await get("/search/?q=io");
  await get(`/nodes/${nodeId(3)}/`);
  await look();
  const second = await next();
  assert.equal(second?.id, "3");
  assert.deepEqual(
    second?.data.calls.map(({ operation, node_ids }) => [operation, node_ids]),
    [
      ["search", [nodeId(2)]],
      ["node", [nodeId(3)]],
    ],
  );
  assert.deepEqual(second?.data.week, { calls: 3, refused: 0, pages: 3 });
});

test("APP-9: a client that reconnects gets the calls that it missed", async (t) => {
  const { open, get, look } = await setUp(t);
  for (const word of ["one", "two", "three"]) await get(`/search/?q=${word}`);
  await look();
  for (const [last, words] of [
    ["1", ["two", "three"]],
    ["3", []],
    // From before the calls were deleted.
    ["9", []],
    ["nonsense", []],
  ] as const) {
    const { next } = await open({ "last-event-id": last });
    assert.deepEqual(
      (await next())?.data.calls.map((call) => call.words),
      words,
      last,
    );
  }
});

test("APP-9: the events end with the account, and with the server", async (t) => {
  const { server, open, look, owner, fixture } = await setUp(t);
  const stream = await open();
  await stream.next();
  const other = await open();
  await other.next();
  await fixture.database.transaction((trx) => deleteUser(trx, owner.userId));
  await look();
  assert.equal(await stream.next(), null);
  await server.app.close();
  assert.equal(await other.next(), null);
});
