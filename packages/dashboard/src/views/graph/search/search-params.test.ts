import assert from "node:assert/strict";
import { test } from "node:test";
import { graphLimits, nodeTraits, nodeTypes, pageFilters, searchSorts } from "@clew/contract";
import { maxTitleQuery } from "../../../api/title-matches.ts";
import { isFiltered, maxPersonQuery, queryOf, readGraphSearch, toolArgsOf } from "./search-params.ts";

test("the URL's words for kinds, traits and orders are those of the API", () => {
  for (const type of nodeTypes) assert.equal(readGraphSearch({ type }).type, type);
  for (const is of nodeTraits) assert.equal(readGraphSearch({ is: `-${is}` }).is, `-${is}`);
  for (const sort of searchSorts) assert.equal(readGraphSearch({ sort }).sort, sort);
  assert.equal(maxTitleQuery, graphLimits.queryLength);
  assert.equal(maxPersonQuery, pageFilters.by.maxLength);
});

test("what is not understood is left out of the search", () => {
  assert.deepEqual(
    readGraphSearch({ q: " ", type: "x", is: "y,orphan", sort: "z", updated: "9d", more: 1 }),
    {
      is: "orphan",
    },
  );
  assert.deepEqual(readGraphSearch({ q: 1984 }), { q: "1984" });
});

test("GRAPH-19: stale pages are those that were not edited for long, the stalest first", () => {
  assert.deepEqual(queryOf({ updated: "stale" }), { updated_before: "180d", sort: "updated", order: "asc" });
  assert.deepEqual(queryOf({ updated: "stale", sort: "title" }), { updated_before: "180d", sort: "title" });
  assert.deepEqual(queryOf({ q: "x", updated: "7d" }), { q: "x", updated_after: "7d" });
});

test("relevance is an order only for words", () => {
  assert.deepEqual(queryOf({ sort: "relevance" }), {});
  assert.deepEqual(queryOf({ q: "x", sort: "relevance" }), { q: "x", sort: "relevance" });
});

test("words and orders are no filters", () => {
  assert.equal(isFiltered({ q: "x", sort: "title" }), false);
  assert.equal(isFiltered({ under: "x" }), true);
  assert.equal(isFiltered({ by: "x" }), true);
});

test("AGT-1: the tool gets the same filters under its own names", () => {
  assert.deepEqual(toolArgsOf({ q: "x", workspace: "w", is: "orphan,-row", type: "page", by: " Ada " }), {
    query: "x",
    workspace: "w",
    type: "page",
    by: "Ada",
    is: ["orphan", "-row"],
  });
});
