import assert from "node:assert/strict";
import { test } from "node:test";
import { repeat } from "./repeat.ts";

test("OPS-3: work repeats sequentially, also after a failure, and stop waits for its end", async () => {
  const errors: unknown[] = [];
  const failure = new Error("no");
  const third = Promise.withResolvers<void>();
  let running = 0;
  let times = 0;
  const background = repeat({
    intervalMs: 0,
    work: async (signal) => {
      running += 1;
      assert.equal(running, 1);
      times += 1;
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (times === 1) throw failure;
      if (times < 3) return;
      third.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
    onError: (error) => errors.push(error),
  });
  await third.promise;
  await background.stop();
  assert.equal(times, 3);
  assert.deepEqual(errors, [failure]);
});

test("OPS-3: stop resolves only once the work under way has ended", async () => {
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const events: string[] = [];
  const background = repeat({
    intervalMs: 0,
    work: async (signal) => {
      begun.resolve();
      await release.promise;
      assert.ok(signal.aborted, "the signal tells it to end");
      events.push("work");
    },
    onError: (error) => events.push(`${error}`),
  });
  await begun.promise;
  const stopped = background.stop().then(() => events.push("stop"));
  await new Promise((resolve) => setImmediate(resolve));
  release.resolve();
  await stopped;
  assert.deepEqual(events, ["work", "stop"]);
});

test("work may begin after a delay, which a stop ends", async () => {
  const begun = Promise.withResolvers<void>();
  const tooEarly: unknown[] = [];
  const note = async (what: unknown) => void tooEarly.push(what);
  const soon = repeat({
    delayMs: 1,
    intervalMs: 3_600_000,
    work: async () => begun.resolve(),
    onError: note,
  });
  const never = repeat({ delayMs: 3_600_000, intervalMs: 1, work: note, onError: note });
  await begun.promise;
  await Promise.all([soon.stop(), never.stop()]);
  assert.deepEqual(tooEarly, []);
});
