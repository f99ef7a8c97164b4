import assert from "node:assert/strict";
import { test } from "node:test";
import { type Random, seededRandom } from "@clew/stand-in/testing/random";
import { estimateSlope, judge, type Sample } from "./slopes.ts";

/** A series of 400 samples in 800 s: a level, growth in an hour, and noise that depends on the noise before by `memory`. */
function series(random: Random, growth: number, memory: number): readonly Sample[] {
  let noise = 0;
  return Array.from({ length: 400 }, (_, index) => {
    noise = memory * noise + (random() - 0.5) * 10;
    return { at: index * 2, value: 1_000 + (growth * index * 2) / 3600 + noise };
  });
}

/** The share of series whose interval contains the growth. */
function coverage(memory: number): number {
  const random = seededRandom(1);
  const series400 = Array.from({ length: 400 }, () => estimateSlope(series(random, 100, memory)));
  return series400.filter(({ low, high }) => low <= 100 && 100 <= high).length / 400;
}

test("the interval of a slope contains it about 95 times in a hundred, and 90 times if noise lasts for half a block", () => {
  for (const [memory, least] of [
    [0, 0.93],
    [0.5, 0.93],
    [0.9, 0.89],
  ] as const) {
    const share = coverage(memory);
    assert.ok(share > least && share < 0.995, `memory ${memory}: ${share}`);
  }
});

test("a slope grows if its whole interval is above what is allowed, and is undecided if a part is", () => {
  const slope = estimateSlope(series(seededRandom(2), 100, 0.5));
  assert.equal(judge(slope, slope.low - 1), "grows");
  assert.equal(judge(slope, (slope.low + slope.high) / 2), "undecided");
  assert.equal(judge(slope, slope.high + 1), "steady");
  assert.throws(() => estimateSlope(series(seededRandom(2), 0, 0).slice(0, 19)), /do not fill 20 blocks/);
});
