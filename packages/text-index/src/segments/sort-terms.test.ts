import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { TermTable } from "../text/terms.ts";
import { sortTerms } from "./sort-terms.ts";

const anyUnit = fc.constantFrom("a", "b", "ab", "z", "é", "漢", "\ud7ff", "\ue000", "\uffff", "𠮷", "🚀");
const anyTerm = fc.array(anyUnit, { minLength: 1, maxLength: 8 }).map((units) => units.join(""));

test("GRAPH-18: terms are in the order of their UTF-8", () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyTerm, { maxLength: 200, size: "max" }), (terms) => {
      const table = new TermTable();
      for (const term of terms) table.ofText(term);
      const sorted = [...sortTerms(table)].map((number) => String.fromCharCode(...table.unitsOf(number)));
      const expected = terms.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.deepEqual(sorted, expected);
    }),
  );
});
