import assert from "node:assert/strict";
import { test } from "node:test";
import { cacheKeyOf } from "./asking.ts";

test("GRAPH-10: an answer is found again by the same question of the same person to the same graphs alone", () => {
  const source = (id: number, edition: number) => ({ connection: { id }, edition });
  const asked = {
    userId: "one",
    words: "/search/?q=a",
    readable: [{ id: 1 }, { id: 2 }],
    sources: [source(1, 4), source(2, 7)],
  };
  const keyOf = (other: Partial<typeof asked> = {}) => {
    const { userId, words, readable, sources } = { ...asked, ...other };
    return cacheKeyOf({ reader: { userId }, words }, readable, sources);
  };
  const others = [
    { userId: "two" },
    { words: "/search/?q=b" },
    { readable: [{ id: 1 }] },
    { sources: [source(1, 4)] },
    { sources: [source(1, 4), source(2, 8)] },
    { sources: [source(1, 4), source(3, 7)] },
    { sources: [] },
  ].map(keyOf);
  assert.equal(new Set([keyOf(), ...others]).size, others.length + 1);
  assert.equal(keyOf({}), keyOf());
});
