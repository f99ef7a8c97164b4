import assert from "node:assert/strict";
import { test } from "node:test";
import { startFlush } from "./flush.ts";

test("what has gathered is written every so often, and at the end", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  let writes = 0;
  const write = async () => {
    writes += 1;
  };
  const flush = startFlush(write, { interval: 1000, onError: assert.ifError });
  t.mock.timers.tick(999);
  await Promise.resolve();
  assert.equal(writes, 0);
  t.mock.timers.tick(1);
  await flush.now();
  assert.equal(writes, 2);
  await flush.close();
  assert.equal(writes, 3);
  t.mock.timers.tick(10_000);
  await Promise.resolve();
  assert.equal(writes, 3);
});

test("one write goes after the other, and a failure is told to who waits for it and ends none of the next", async () => {
  const told: unknown[] = [];
  const order: string[] = [];
  let fails = true;
  const write = async () => {
    order.push("begin");
    await new Promise((resolve) => setImmediate(resolve));
    order.push("end");
    if (fails) throw new Error("away");
  };
  const flush = startFlush(write, { interval: 1_000_000, onError: (error) => told.push(error) });
  const outcomes = await Promise.allSettled([flush.now(), flush.now()]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.deepEqual(order, ["begin", "end", "begin", "end"]);
  fails = false;
  await flush.now();
  fails = true;
  await flush.close();
  assert.equal(told.length, 1);
});
