import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyQuery, anyTokens } from "../testing/arbitrary-texts.ts";
import { TestIndex } from "../testing/test-index.ts";
import { modelSearch } from "../testing/text-model.ts";
import type { TextQuery } from "../text/types.ts";
import { type SearchOptions, type SearchResult, searchTexts } from "./search.ts";

const everything: Omit<SearchOptions, "ranks"> = {
  limit: 1000,
  byRelevance: true,
  after: null,
  accepts: () => true,
  maxEntries: 1_000_000,
  isOver: () => false,
};

/** Ranks that are not the order of nodes. */
const mixedRanks = (count: number) =>
  Uint32Array.from({ length: count }, (_, node) => (node * 7919) % 10_007);

function search(
  index: TestIndex,
  query: TextQuery,
  options: Partial<SearchOptions> = {},
): Promise<SearchResult> {
  const ranks = mixedRanks(index.texts().size);
  return searchTexts(index.view(), index.store, query, { ...everything, ranks, ...options });
}

const anyChange = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .array(fc.tuple(fc.nat({ max: 11 }), anyTokens), { maxLength: 5 })
      .map((write) => ({ write })),
  },
  { weight: 1, arbitrary: fc.nat({ max: 11 }).map((remove) => ({ remove })) },
  {
    weight: 1,
    arbitrary: fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 4 }).map((merge) => ({ merge })),
  },
);

type Change = typeof anyChange extends fc.Arbitrary<infer Value> ? Value : never;

async function indexAfter(changes: readonly Change[]): Promise<TestIndex> {
  const index = new TestIndex();
  for (const change of changes) {
    if ("write" in change) index.write(change.write);
    else if ("remove" in change) index.remove(change.remove);
    else await index.merge(change.merge);
  }
  return index;
}

test("GRAPH-28: results, scores and their order equal those of a scan of all pages, after any changes and merges", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyChange, { maxLength: 10 }),
      fc.array(anyQuery, { minLength: 3, maxLength: 3 }),
      async (changes, queries) => {
        const index = await indexAfter(changes);
        const texts = index.texts();
        for (const query of queries) {
          const { pages, total, truncated, ignored } = await search(index, query);
          const expected = modelSearch(texts, query, mixedRanks(texts.size));
          assert.deepEqual(
            pages.map(({ node, all, score, missing }) => ({ node, all, score, missing })),
            expected,
          );
          assert.deepEqual(
            { total, truncated, ignored },
            { total: expected.filter(({ all }) => all).length, truncated: false, ignored: [] },
          );
        }
      },
    ),
    { numRuns: 300 },
  );
});
