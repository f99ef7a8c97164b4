import assert from "node:assert/strict";
import { test } from "node:test";
import { uuidOf } from "@clew/text/basics";
import fc from "fast-check";
import { idsEndingIn, orderByEnding } from "./id-endings.ts";
import { packIds } from "./node-ids.ts";

/** Ids, many with the same last digits. */
const hexId = fc
  .tuple(
    fc.constantFrom("0", "a", "7f"),
    fc.constantFrom("1", "c0ffee", "", "00"),
    fc.constantFrom("00", "89abcdef"),
  )
  .map((parts) => parts.join("").padStart(32, "5"));

test("AGT-2: ids are found by eight or more of their last digits", () => {
  fc.assert(
    fc.property(fc.uniqueArray(hexId), hexId, fc.integer({ min: 0, max: 33 }), (hexes, other, length) => {
      const sorted = hexes.sort();
      const ids = packIds(Buffer.from(sorted.join(""), "hex"));
      const digits = other.slice(-length || undefined);
      const expected = digits.length < 8 ? [] : sorted.filter((hex) => hex.endsWith(digits)).map(uuidOf);
      assert.deepEqual(idsEndingIn(ids, orderByEnding(ids), digits), expected);
    }),
  );
  for (const digits of ["", "1234567", "0000000g", "-1234567", "5".repeat(33)]) {
    const ids = packIds(Buffer.from("5".repeat(32), "hex"));
    assert.deepEqual(idsEndingIn(ids, orderByEnding(ids), digits), []);
  }
});
