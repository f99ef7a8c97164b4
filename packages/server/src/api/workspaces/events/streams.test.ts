import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { createEventStream } from "../../event-streams.ts";

const minute = 60_000;

test("GRAPH-15: a slow reader gets only the newest event once it reads again", async () => {
  const { body, send } = createEventStream("event: first\n\n", minute, () => 0);
  for (const number of [1, 2, 3]) await send(async () => `event: ${number}\n\n`);
  assert.equal(String(body.read()), "retry: 3000\n\nevent: first\n\n");
  body.read();
  await send(async () => "event: 4\n\n");
  await send(async () => "event: 5\n\n");
  assert.equal(String(body.read()), "event: 4\n\n");
  assert.equal(body.read(), null);
});

test("GRAPH-15: a stream that is not read is destroyed at its end", async () => {
  const { body, end } = createEventStream("event: first\n\n", minute, () => 0);
  const closed = once(body, "close");
  end();
  await closed;
  assert.equal(body.destroyed, true);
});

test("GRAPH-15: an event after the reader has left does no harm", async () => {
  const { body, send } = createEventStream("event: first\n\n", minute, () => 0);
  body.resume();
  await once(body, "data");
  await new Promise(setImmediate);
  await send(async () => {
    body.destroy();
    return "event: 1\n\n";
  });
  assert.equal(body.errored, null);
});
