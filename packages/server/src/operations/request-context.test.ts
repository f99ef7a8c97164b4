import assert from "node:assert/strict";
import { test } from "node:test";
import { cacheKeyOf } from "./request-context.ts";

test("GRAPH-10: an answer is found again by the same question of the same person to the same graphs alone", () => {
  const source = (id: number, version: number) => ({ connection: { id }, version });
  const asked = {
    userId: "one",
    cacheKey: "/search/?q=a",
    readable: [{ id: 1 }, { id: 2 }],
    sources: [source(1, 4), source(2, 7)],
  };
  const keyOf = (other: Partial<typeof asked> = {}) => {
    const { userId, cacheKey, readable, sources } = { ...asked, ...other };
    return cacheKeyOf({ reader: { userId }, cacheKey }, readable, sources);
  };
  const others = [
    { userId: "two" },
    { cacheKey: "/search/?q=b" },
    { readable: [{ id: 1 }] },
    { sources: [source(1, 4)] },
    { sources: [source(1, 4), source(2, 8)] },
    { sources: [source(1, 4), source(3, 7)] },
    { sources: [] },
  ].map(keyOf);
  assert.equal(new Set([keyOf(), ...others]).size, others.length + 1);
  assert.equal(keyOf({}), keyOf());
});
