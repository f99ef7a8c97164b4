import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { createEventStream } from "./stream.ts";

const minute = 60_000;

test("GRAPH-15: whoever reads slowly is told the latest when they have read, and nothing in between", async () => {
  const { body, tell } = createEventStream("event: first\n\n", minute, () => 0);
  for (const number of [1, 2, 3]) await tell(async () => `event: ${number}\n\n`);
  assert.equal(String(body.read()), "retry: 3000\n\nevent: first\n\n");
  body.read();
  await tell(async () => "event: 4\n\n");
  await tell(async () => "event: 5\n\n");
  assert.equal(String(body.read()), "event: 4\n\n");
  assert.equal(body.read(), null);
});

test("GRAPH-15: a stream whose reader has fallen silent is torn down at its end, not kept", async () => {
  const { body, end } = createEventStream("event: first\n\n", minute, () => 0);
  const closed = once(body, "close");
  end();
  await closed;
  assert.equal(body.destroyed, true);
});

test("GRAPH-15: news that comes when the reader has left does no harm", async () => {
  const { body, tell } = createEventStream("event: first\n\n", minute, () => 0);
  body.resume();
  await once(body, "data");
  await new Promise(setImmediate);
  await tell(async () => {
    body.destroy();
    return "event: 1\n\n";
  });
  assert.equal(body.errored, null);
});
