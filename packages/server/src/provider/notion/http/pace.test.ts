import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createPace } from "./pace.ts";

const never = new AbortController().signal;

const minute = 60_000;

/** A pace in a time that passes only while somebody waits for it. */
function timelessPace(requests: number) {
  let now = 1_000_000;
  const clock = () => now;
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
  };
  const pace = createPace({ requests, clock, sleep });
  const turn = () => pace.turn(never, () => {});
  return {
    pace,
    turn,
    clock,
    pass: sleep,
    /** How many requests may be sent before anybody has to wait. */
    async burst(): Promise<number> {
      const start = now;
      for (let count = 0; ; count += 1) {
        await turn();
        if (now > start) return count;
      }
    },
  };
}

test("SYNC-4: a refusal halves the budget of a minute, refusals of the same minute do so once", async () => {
  const { pace, pass, burst } = timelessPace(160);
  assert.equal(await burst(), 160);
  pace.slowDown(0);
  pace.slowDown(0);
  await pass(minute - 1);
  pace.slowDown(0);
  // Half, and two thirds of what was cut, of which the one that waited for its turn is still spent.
  assert.equal(await burst(), 133 - 1);
});

test("SYNC-4: after a refusal half of what was cut is back within a minute, and all of it within three", async () => {
  const burstAfter = async (wait: number) => {
    const { pace, pass, burst } = timelessPace(100);
    pace.slowDown(0);
    await pass(wait);
    return burst();
  };
  assert.equal(await burstAfter(0), 50);
  assert.ok((await burstAfter(minute)) >= 75);
  assert.equal(await burstAfter(3 * minute), 100);
});

test("SYNC-4: the budget recovers from the end of the pause that the provider asks for", async () => {
  const { pace, pass, burst } = timelessPace(100);
  pace.slowDown(10 * minute);
  pace.pause(10 * minute);
  await pass(10 * minute);
  assert.equal(await burst(), 50);
});

test("SYNC-4: a provider that refuses whenever it may leaves a third of the budget at the least", async () => {
  const { pace, pass, burst } = timelessPace(90);
  for (let count = 0; count < 100; count += 1) {
    pace.slowDown(0);
    await pass(minute);
  }
  pace.slowDown(0);
  assert.ok((await burst()) >= 30);
  await pass(3 * minute);
  assert.equal(await burst(), 90);
});

test("SYNC-4: however often it is refused, a request a minute is left", async () => {
  const { pace, pass, burst } = timelessPace(2);
  for (let count = 0; count < 100; count += 1) {
    await pass(minute);
    pace.slowDown(0);
  }
  assert.equal(await burst(), 1);
});

test("SYNC-4: a pace that is forgotten has nothing to remember", async () => {
  const { pace, turn, pass } = timelessPace(10);
  assert.ok(pace.isIdle());
  await turn();
  assert.ok(!pace.isIdle());
  await pass(minute);
  assert.ok(pace.isIdle());
  pace.slowDown(0);
  await pass(minute);
  assert.ok(!pace.isIdle());
  await pass(minute);
  assert.ok(pace.isIdle());
});

test("SYNC-4: whatever happens, no minute has more requests than the documented limit", async () => {
  const steps = fc.array(fc.oneof(fc.constantFrom("send", "refused" as const), fc.nat({ max: 2 * minute })));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), steps, async (requests, happenings) => {
      const { pace, turn, clock, pass } = timelessPace(requests);
      const sent: number[] = [];
      for (const happening of happenings) {
        if (happening === "refused") pace.slowDown(0);
        else if (happening === "send") sent.push(await turn().then(clock));
        else await pass(Number(happening));
      }
      for (const time of sent)
        assert.ok(sent.filter((other) => other > time - minute && other <= time).length <= requests);
    }),
  );
});
