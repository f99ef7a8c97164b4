import assert from "node:assert/strict";
import { test } from "node:test";
import { addSample, paceOf, type Sample } from "./rate.ts";

const content = (at: number, done: number): Sample => ({ at, phase: "content", done });
const collect = (...samples: Sample[]) => samples.reduce<readonly Sample[]>(addSample, []);

test("SYNC-2: the rate is that of the last minute, and the rest takes as long at that rate", () => {
  const samples = collect(content(0, 0), content(30_000, 50), content(90_000, 350));
  assert.deepEqual(paceOf(samples, 950, 90_000), { perMinute: 300, minutesLeft: 2 });
});

test("SYNC-2: a rate is not shown before it means something", () => {
  assert.equal(paceOf([], 100, 10_000), null);
  assert.equal(paceOf(collect(content(0, 0), content(1_000, 9)), 100, 1_000), null);
  assert.equal(paceOf(collect(content(0, 0), content(10_000, 50)), null, 10_000), null);
  assert.equal(paceOf(collect(content(0, 50)), 100, 60_000), null);
});

test("SYNC-2: a new phase begins a new rate", () => {
  const samples = collect({ at: 0, phase: "titles", done: 500 }, content(9_000, 0), content(19_000, 100));
  assert.deepEqual(paceOf(samples, 200, 19_000), { perMinute: 600, minutesLeft: 1 / 6 });
});

test("SYNC-2: the rate falls while nothing arrives", () => {
  const samples = collect(content(0, 0), content(10_000, 100), content(20_000, 100));
  assert.equal(samples.length, 2);
  assert.equal(paceOf(samples, 200, 30_000)?.perMinute, 200);
});
