import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { TermTable } from "./terms.ts";

const textOf = (units: Uint16Array) => String.fromCharCode(...units);

test("GRAPH-18: each term has one number, however many there are", () => {
  const table = new TermTable();
  const terms = Array.from({ length: 5000 }, (_, index) => `term${index}`);
  const numbers = terms.map((term) => table.ofText(term));
  assert.deepEqual(
    terms.map((term) => table.ofText(term)),
    numbers,
  );
  assert.equal(new Set(numbers).size, terms.length);
  assert.deepEqual(
    numbers.map((number) => textOf(table.unitsOf(number))),
    terms,
  );
});

test("GRAPH-18: terms with equal hashes stay distinct", () => {
  const table = new TermTable();
  const numberOf = (unit: number) => table.ofUnits(Uint16Array.of(unit, 7), 2, 0);
  const units = Array.from({ length: 100 }, (_, index) => 0x61 + index);
  const numbers = units.map(numberOf);
  assert.equal(new Set(numbers).size, units.length);
  assert.deepEqual(units.map(numberOf), numbers);
});

test("GRAPH-18: terms that differ in lone surrogates alone are one term", () => {
  const table = new TermTable();
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (term) => {
      assert.equal(table.ofText(term), table.ofText(term.toWellFormed()));
    }),
  );
  assert.equal(table.ofText("a\ud800"), table.ofText("a\udc00"));
});
