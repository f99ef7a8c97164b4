import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { at } from "../column.ts";
import { packUnits } from "./packed-texts.ts";
import { rangeOf, sortPositions } from "./sorted-positions.ts";

// Few letters, so that texts share much and repeat themselves.
const arbitraryText = fc.string({
  unit: fc.constantFrom("a", "b", "설", "\u{1f680}", "\ud800"),
  maxLength: 40,
});

test("GRAPH-3: positions are sorted by what stands there, and those of a text are one range of them", () => {
  fc.assert(
    fc.property(fc.array(arbitraryText, { maxLength: 60 }), arbitraryText, (texts, sought) => {
      const { units, offsets } = packUnits(texts);
      const positions = offsets.slice(0, -1);
      const textAt = new Map(texts.map((text, row) => [at(offsets, row), text]));
      sortPositions(units, positions, Number.POSITIVE_INFINITY);
      const inOrder = Array.from(positions, (position) => textAt.get(position) ?? "");
      assert.deepEqual(inOrder, texts.toSorted());
      const { from, to } = rangeOf(units, positions, sought);
      assert.deepEqual(
        inOrder.slice(from, to),
        inOrder.filter((text) => text.startsWith(sought)),
      );
    }),
    { numRuns: 300 },
  );
});
