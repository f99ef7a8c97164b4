import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { planMerge, type SegmentSize } from "./plan-merge.ts";

const whole = (sections: number): SegmentSize => ({ sections, liveSections: sections });

test("GRAPH-18: four segments of a tier are merged, and three are not", () => {
  assert.deepEqual(planMerge([whole(900), whole(10), whole(10)]), []);
  assert.deepEqual(planMerge([whole(900), whole(10), whole(10), whole(10)]), [0, 1, 2, 3]);
  assert.deepEqual(planMerge([whole(9_000), whole(10), whole(10), whole(10)]), []);
});

test("GRAPH-18: a segment that is mostly dead is written anew", () => {
  assert.deepEqual(planMerge([whole(9_000), { sections: 9_000, liveSections: 5_999 }]), [1]);
  assert.deepEqual(planMerge([whole(9_000), { sections: 9_000, liveSections: 6_001 }]), []);
});

test("GRAPH-18: segments that the result would be merged with at once are merged with it", () => {
  // Without its dead sections, the first one is of the tier of the others.
  const shrunk = { sections: 6_000, liveSections: 3_900 };
  assert.deepEqual(planMerge([shrunk, whole(10), whole(10), whole(10)]), [0, 1, 2, 3]);
  // Four of the lowest tier make a fourth of the next one.
  const lowest = Array.from({ length: 4 }, () => whole(3_000));
  assert.deepEqual(
    planMerge([...Array.from({ length: 3 }, () => whole(9_000)), ...lowest]),
    [0, 1, 2, 3, 4, 5, 6],
  );
});

test("GRAPH-18: after a merge its result is not to be merged again", () => {
  const size = fc.tuple(fc.integer({ min: 1, max: 300_000 }), fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(fc.array(size, { maxLength: 20 }), (drawn) => {
      const segments = drawn.map(([sections, share]) => ({
        sections,
        liveSections: Math.floor(sections * share),
      }));
      const chosen = planMerge(segments);
      assert.deepEqual(
        chosen,
        [...new Set(chosen)].sort((one, other) => one - other),
      );
      if (chosen.length === 0) return;
      const merged = chosen.reduce((sum, index) => sum + (segments[index]?.liveSections ?? 0), 0);
      const after = [...segments.filter((_, index) => !chosen.includes(index)), whole(merged)];
      assert.ok(!planMerge(after).includes(after.length - 1), JSON.stringify({ segments, chosen }));
    }),
  );
});
