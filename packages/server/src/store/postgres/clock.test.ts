import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createServerClock } from "./clock.ts";

/** A process and a server whose clocks the test sets, and a network whose round trip it sets. */
async function stage(t: TestContext) {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const state = { monotonic: 500, server: 1_900_000_000_000, roundTrip: 2 };
  const pass = (ms: number) => {
    state.monotonic += ms;
    state.server += ms;
  };
  const readServer = async () => {
    pass(state.roundTrip / 2);
    const time = state.server;
    pass(state.roundTrip / 2);
    return time;
  };
  const { clock, stop } = await createServerClock(readServer, () => state.monotonic);
  t.after(stop);
  const nextReading = async () => {
    pass(10_000);
    t.mock.timers.tick(10_000);
    await new Promise(setImmediate);
  };
  return { state, pass, clock, nextReading };
}

test("SYNC-9: times are the server's, and advance between readings", async (t) => {
  const { state, pass, clock } = await stage(t);
  assert.equal(clock(), state.server);
  pass(7_000);
  assert.equal(clock(), state.server);
});

test("a server whose clock was set is followed at the next reading", async (t) => {
  const { state, clock, nextReading } = await stage(t);
  state.server += 5_000;
  await nextReading();
  assert.equal(clock(), state.server);
});

test("a slow answer does not replace a precise reading", async (t) => {
  const { state, clock, nextReading } = await stage(t);
  state.roundTrip = 900;
  await nextReading();
  assert.equal(clock(), state.server);
});

test("TOK-8: a first reading that waits for its connection makes no instance's clock late", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  let monotonic = 0;
  const delays = [400];
  const readServer = async () => {
    monotonic += (delays.shift() ?? 0) + 1;
    const time = monotonic + 1_900_000_000_000;
    monotonic += 1;
    return time;
  };
  const { clock, stop } = await createServerClock(readServer, () => monotonic);
  t.after(stop);
  assert.equal(clock(), monotonic + 1_900_000_000_000);
});
