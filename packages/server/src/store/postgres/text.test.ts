import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeText, encodeText } from "./text.ts";

/** Texts in which the reserved characters are frequent. */
const texts = fc.string({ unit: fc.constantFrom("\0", "\x01", "\x02", "a", "é", "🧵") });

test("any text survives PostgreSQL, which stores no U+0000", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const stored = encodeText(text);
      assert.equal(stored.includes("\0"), false);
      assert.equal(decodeText(stored), text);
    }),
  );
});

test("OPS-8: stored texts have the order of the texts", () => {
  const order = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      assert.equal(order(encodeText(one), encodeText(other)), order(one, other));
    }),
  );
});
