import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fold } from "./fold.ts";
import { foldPlainly } from "./plain-fold.ts";

/** What a text folds to in the quick way; null where that does not do. */
function plainly(text: string): string | null {
  const units = new Uint16Array(text.length);
  const end = foldPlainly(text, units, 0);
  return end < 0 ? null : String.fromCharCode(...units.subarray(0, end));
}

const anyUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));
const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.string({ unit: anyUnit }),
  fc.string({ unit: fc.constantFrom(..." aÉßΣςğﬁ½㍿ｶﾞが한ㄱㅏᄀ아й\u0301\u3099\ud800") }),
);

test("GRAPH-3: texts that are folded unit by unit come out as they do otherwise", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const folded = plainly(text);
      if (folded !== null) assert.equal(folded, fold(text));
    }),
    { numRuns: 3000 },
  );
});

test("GRAPH-3: each unit that is plain is so between any neighbours", () => {
  const plain = Array.from({ length: 0x1_0000 }, (_, unit) => String.fromCharCode(unit)).filter(
    (unit) => plainly(unit) !== null,
  );
  const pairs = plain.map((unit, index) => unit + (plain[(index * 7919) % plain.length] ?? ""));
  for (const texts of [plain, pairs]) {
    const long = texts.join("");
    assert.equal(plainly(long), fold(long));
  }
  assert.ok(plain.length > 50_000);
});

test("most titles are plain, in any script", () => {
  for (const title of ["Roadmap 2026", "Résumé", "План работ", "会議メモ", "한국어", "خطة المشروع"]) {
    assert.equal(plainly(title), fold(title));
  }
  assert.deepEqual(
    ["", " a", "a ", "a  b", "Straße", "a\u0301", "か\u3099"].map(plainly),
    Array(7).fill(null),
  );
});
