import assert from "node:assert/strict";
import { test } from "node:test";
import { findPages } from "./found-pages.ts";
import { searchWords } from "./words.ts";

const page = { items: [], next_cursor: null };

/** An API that finds nothing, with these counts of pages without the filters. */
const apiOf = (inTitles: number | null, inTexts: number | null) => ({
  searchPages: async () => ({ ...page, total: null, unfiltered_total: inTitles }),
  searchTexts: async () => ({
    ...page,
    total: 0,
    unfiltered_total: inTexts,
    indexed: 1,
    ignored: [],
    truncated: false,
  }),
});

test("GRAPH-37: a search that finds nothing says how many pages match without its filters, by text before by title", async () => {
  const found = async (inTitles: number | null, inTexts: number | null) => {
    const { signal } = new AbortController();
    return (await findPages(apiOf(inTitles, inTexts), { q: "license", type: "tag" }, null, signal))
      .unfiltered;
  };
  assert.deepEqual(
    [await found(3, 42), await found(3, null), await found(null, 42), await found(null, null)],
    [42, 3, 42, null],
  );
  assert.equal(
    searchWords.noneFiltered("license", 42),
    "None of the 42 pages that match “license” meets these filters",
  );
  assert.equal(
    searchWords.noneFiltered("license", 1),
    "One page matches “license”, but does not meet these filters",
  );
});
