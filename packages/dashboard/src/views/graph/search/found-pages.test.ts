import assert from "node:assert/strict";
import { test } from "node:test";
import { type FoundPage, joinParts } from "./found-pages.ts";

const page = (id: string): FoundPage => ({ node: { id } as FoundPage["node"], missing: [], hits: [] });
const part = (ids: readonly string[], last: readonly string[] = []) => ({
  items: ids.map(page),
  last: last.map(page),
  next: null,
  total: null,
  texts: null,
});

test("GRAPH-17: a page that a later part finds again stays where it is, and titles with a typo follow all parts", () => {
  const joined = joinParts([part(["a", "b"], ["d", "c"]), part(["b", "c", "a"])]);
  assert.deepEqual(
    joined.map(({ node }) => node.id),
    ["a", "b", "c", "d"],
  );
});
