import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { rangeOf, sortPositions, unitsOf } from "./packed-texts.ts";

// Few letters make texts repetitive, with long common prefixes.
const arbitraryText = fc.string({
  unit: fc.constantFrom("a", "b", "설", "\u{1f680}", "\ud800"),
  maxLength: 40,
});

test("GRAPH-3: positions are sorted by the text there, and those of one text form a range", () => {
  fc.assert(
    fc.property(fc.array(arbitraryText, { maxLength: 60 }), arbitraryText, (texts, sought) => {
      const units = unitsOf(texts.map((text) => `${text}\0`).join(""));
      const textAt = new Map<number, string>();
      for (const [row, text] of texts.entries()) {
        textAt.set(texts.slice(0, row).join("\0").length + Number(row > 0), text);
      }
      const positions = Uint32Array.from(textAt.keys());
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
