import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createRateLimiter } from "./rate-limiter.ts";

const never = new AbortController().signal;

const minute = 60_000;

/** A rate limiter whose time passes only while a request waits for it. */
function timelessLimiter(requests: number) {
  let now = 1_000_000;
  const clock = () => now;
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
  };
  const limiter = createRateLimiter({ requests, clock, sleep });
  const acquire = () => limiter.acquire(never, () => {});
  return {
    limiter,
    acquire,
    clock,
    pass: sleep,
    /** The number of requests that may be sent before one has to wait. */
    async burst(): Promise<number> {
      const start = now;
      for (let count = 0; ; count += 1) {
        await acquire();
        if (now > start) return count;
      }
    },
  };
}

test("SYNC-4: a refusal halves the budget, and further ones in the same minute do not", async () => {
  const { limiter, pass, burst } = timelessLimiter(160);
  assert.equal(await burst(), 160);
  limiter.slowDown(0);
  limiter.slowDown(0);
  await pass(minute - 1);
  limiter.slowDown(0);
  // Half, and two thirds of the cut, minus the request that had to wait.
  assert.equal(await burst(), 133 - 1);
});

test("SYNC-4: half of the cut is restored within a minute, all of it within three", async () => {
  const burstAfter = async (wait: number) => {
    const { limiter, pass, burst } = timelessLimiter(100);
    limiter.slowDown(0);
    await pass(wait);
    return burst();
  };
  assert.equal(await burstAfter(0), 50);
  assert.ok((await burstAfter(minute)) >= 75);
  assert.equal(await burstAfter(3 * minute), 100);
});

test("SYNC-4: the budget recovers from the end of the pause that the provider asked for", async () => {
  const { limiter, pass, burst } = timelessLimiter(100);
  limiter.slowDown(10 * minute);
  limiter.pauseUntil(10 * minute);
  await pass(10 * minute);
  assert.equal(await burst(), 50);
});

test("SYNC-4: constant refusals leave a third of the budget", async () => {
  const { limiter, pass, burst } = timelessLimiter(90);
  for (let count = 0; count < 100; count += 1) {
    limiter.slowDown(0);
    await pass(minute);
  }
  limiter.slowDown(0);
  assert.ok((await burst()) >= 30);
  await pass(3 * minute);
  assert.equal(await burst(), 90);
});

test("SYNC-4: one request a minute is always allowed", async () => {
  const { limiter, pass, burst } = timelessLimiter(2);
  for (let count = 0; count < 100; count += 1) {
    await pass(minute);
    limiter.slowDown(0);
  }
  assert.equal(await burst(), 1);
});

test("SYNC-4: an idle limiter behaves like a new one", async () => {
  const { limiter, acquire, pass } = timelessLimiter(10);
  assert.ok(limiter.isIdle());
  await acquire();
  assert.ok(!limiter.isIdle());
  await pass(minute);
  assert.ok(limiter.isIdle());
  limiter.slowDown(0);
  await pass(minute);
  assert.ok(!limiter.isIdle());
  await pass(minute);
  assert.ok(limiter.isIdle());
});

test("SYNC-4: no minute ever has more requests than the documented limit", async () => {
  const steps = fc.array(fc.oneof(fc.constantFrom("send", "refused" as const), fc.nat({ max: 2 * minute })));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), steps, async (requests, happenings) => {
      const { limiter, acquire, clock, pass } = timelessLimiter(requests);
      const sent: number[] = [];
      for (const happening of happenings) {
        if (happening === "refused") limiter.slowDown(0);
        else if (happening === "send") sent.push(await acquire().then(clock));
        else await pass(Number(happening));
      }
      for (const time of sent)
        assert.ok(sent.filter((other) => other > time - minute && other <= time).length <= requests);
    }),
  );
});
