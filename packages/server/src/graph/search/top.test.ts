import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Top } from "./top.ts";

test("GRAPH-2: the first few of any number of items are kept", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 50 })), fc.nat({ max: 12 }), (items, size) => {
      const top = new Top<number>(size, (a, b) => a - b);
      for (const item of items) top.offer(item);
      assert.deepEqual(top.sorted(), items.toSorted((a, b) => a - b).slice(0, size));
    }),
  );
});
