import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Block } from "../segments/block-store.ts";
import { IndexDamagedError } from "../segments/bytes.ts";
import { anyQuery, anyTokens } from "../testing/arbitrary-texts.ts";
import { TestIndex } from "../testing/test-index.ts";
import { modelSearch } from "../testing/text-model.ts";
import { pageTokens } from "../text/page.ts";
import { termStrings } from "../text/terms.ts";
import type { PageTokens, QueryWord, TextQuery } from "../text/types.ts";
import { type SearchOptions, type SearchResult, searchTexts } from "./search.ts";
import type { ResultKey } from "./top-pages.ts";

const everything: Omit<SearchOptions, "ranks"> = {
  limit: 1000,
  byRelevance: true,
  after: null,
  accepts: null,
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
      fc.constantFrom(1, 2, 1000),
      async (changes, queries, limit) => {
        const index = await indexAfter(changes);
        const texts = index.texts();
        for (const query of queries) {
          const { pages, total, truncated, ignored } = await search(index, query, { limit });
          const expected = modelSearch(texts, query, mixedRanks(texts.size));
          assert.deepEqual(
            pages.map(({ node, all, score, missing }) => ({ node, all, score, missing })),
            expected.slice(0, limit),
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

/** Numbers in [0, 1) that depend on the seed alone. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** More forms of a word than are looked for. */
const connections =
  "connect connects connected connecting connector connectors connection connections connective connectable".split(
    " ",
  );

/** Words by Zipf's law, so that the lists of the most frequent ones take several blocks. Some are of one family. */
function largeTexts(seed: number, count: number): [page: number, tokens: PageTokens][] {
  const random = seededRandom(seed);
  const wordOf = (rank: number) => connections[rank / 20 - 1] ?? `w${rank}`;
  const words = (length: number) => Array.from({ length }, () => wordOf(Math.floor(2000 ** random())));
  return Array.from({ length: count }, (_, page) => {
    const title = words(2);
    const first = words(30);
    const second = words(30);
    const sections = [
      { start: 0, headings: [], terms: title, basePosition: 0 },
      { start: 0, headings: [], terms: first, basePosition: 3 },
      { start: 200, headings: words(1), terms: second, basePosition: 33 },
    ];
    return [page, { title, sections }];
  });
}

const word = (text: string): QueryWord => ({ text, terms: [text], prefix: false, quoted: false });
const wordsOf = (...words: QueryWord[]): TextQuery => ({ words, excluded: [], ignored: [] });
const frequent = wordsOf(word("w1"), word("w2"));
const phrase = wordsOf({ text: "w1 w2", terms: ["w1", "w2"], prefix: false, quoted: false });
const prefix = wordsOf({ text: "w1*", terms: ["w1"], prefix: true, quoted: false });
const largeQueries: TextQuery[] = [
  frequent,
  wordsOf(word("w1"), word("w300"), word("w1500")),
  phrase,
  prefix,
  wordsOf({ text: "w7 w1*", terms: ["w7", "w1"], prefix: true, quoted: false }, word("w900")),
  wordsOf(word("connector")),
  wordsOf(word("w1500"), word("connects"), word("w300"), { ...word("connected"), quoted: true }),
  {
    words: [word("w3"), word("w41")],
    excluded: [word("w1"), { text: "w2 w3", terms: ["w2", "w3"], prefix: false, quoted: false }],
    ignored: [],
  },
];

/** The same pages in one segment, in several with older versions of half of them, and in several that were merged. */
async function buildLarge(): Promise<TestIndex[]> {
  const pages = largeTexts(1, 2000);
  const older = largeTexts(2, 2000);
  const whole = new TestIndex();
  whole.write(pages);
  const split = new TestIndex();
  split.write(older.filter(([page]) => page % 2 === 0));
  split.write(pages.filter(([page]) => page % 3 !== 0));
  split.write(pages.filter(([page]) => page % 3 === 0));
  const merged = new TestIndex();
  merged.write(older.slice(500, 1500));
  for (const part of [0, 1, 2, 3]) merged.write(pages.filter(([page]) => page % 4 === part));
  await merged.merge([0, 3]);
  await merged.merge([1, 2, 3]);
  return [whole, split, merged];
}

let large: Promise<TestIndex[]> | null = null;

/** Built once: tests only read it. */
function largeIndexes(): Promise<TestIndex[]> {
  large ??= buildLarge();
  return large;
}

test("GRAPH-28: long lists give the results of a scan, however pages are spread over segments", async () => {
  const indexes = await largeIndexes();
  const texts = indexes[0]?.texts() ?? new Map();
  for (const query of largeQueries) {
    const expected = modelSearch(texts, query, mixedRanks(texts.size));
    for (const index of indexes) {
      for (const limit of [5, 50]) {
        const { pages, total } = await search(index, query, { limit });
        assert.deepEqual(
          pages.map(({ node, all, score, missing }) => ({ node, all, score, missing })),
          expected.slice(0, limit),
        );
        assert.equal(total, expected.filter(({ all }) => all).length);
      }
    }
  }
});

test("GRAPH-18: within any limit of entries the answer does not depend on how pages are spread over segments", async () => {
  const indexes = await largeIndexes();
  for (const query of largeQueries) {
    for (const maxEntries of [10, 500, 2500, 5000]) {
      const [first, ...others] = await Promise.all(
        indexes.map(async (index) => {
          const { pages, ...rest } = await search(index, query, { maxEntries, limit: 50 });
          return { ...rest, pages: pages.map(({ node, all, score }) => ({ node, all, score })) };
        }),
      );
      for (const other of others) assert.deepEqual(other, first, `${maxEntries} entries`);
    }
  }
});

test("GRAPH-18: the rarest words are read first, and those that exceed the limit are named", async () => {
  const [index] = await largeIndexes();
  assert.ok(index);
  const query = wordsOf(word("w1"), word("w300"), word("w2"));
  const { pages, ignored, truncated, total } = await search(index, query, { maxEntries: 1000 });
  assert.deepEqual({ ignored, truncated, total }, { ignored: ["w1", "w2"], truncated: true, total: null });
  const alone = await search(index, wordsOf(word("w300")), { maxEntries: 1000 });
  assert.deepEqual(
    pages.map(({ node, score }) => [node, score]),
    alone.pages.map(({ node, score }) => [node, score]),
  );
});

test("GRAPH-18: a word that is alone and too frequent is read up to the limit, with few blocks", async () => {
  const [index] = await largeIndexes();
  assert.ok(index);
  for (const query of [frequent, phrase, prefix]) {
    index.store.blocksRead = 0;
    const { pages, truncated, total } = await search(index, query, { maxEntries: 1000 });
    assert.ok(pages.length > 0 && pages.length <= 1000);
    assert.deepEqual([truncated, total], [true, null]);
    assert.ok(index.store.blocksRead <= 20, `${index.store.blocksRead} blocks`);
  }
});

test("GRAPH-18: a prefix of too many words is cut at the same word, however pages are spread over segments", async () => {
  const pages = Array.from({ length: 2400 }, (_, page): [number, PageTokens] => {
    const terms = [`x${String(page).padStart(4, "0")}`];
    return [page, { title: [], sections: [{ start: 0, headings: [], terms, basePosition: 0 }] }];
  });
  const whole = new TestIndex();
  whole.write(pages);
  const split = new TestIndex();
  for (const [first, end] of [
    [0, 1200],
    [1200, 1600],
    [1600, 2000],
    [2000, 2400],
  ])
    split.write(pages.slice(first, end));
  const query = wordsOf({ text: "x*", terms: ["x"], prefix: true, quoted: false });
  const [expected, found] = await Promise.all(
    [whole, split].map(async (index) => {
      const { pages, truncated } = await search(index, query, { maxEntries: 1500 });
      return { nodes: pages.map(({ node }) => node).sort((a, b) => a - b), truncated };
    }),
  );
  assert.deepEqual(expected, { nodes: Array.from({ length: 750 }, (_, node) => node), truncated: true });
  assert.deepEqual(found, expected);
});

test("GRAPH-18: nothing is read after time is over", async () => {
  const [index] = await largeIndexes();
  assert.ok(index);
  const { pages, truncated, total } = await search(index, frequent, { isOver: () => true });
  assert.deepEqual({ pages, truncated, total }, { pages: [], truncated: true, total: null });
});

test("GRAPH-19: filters and orders change what is listed, and neither scores nor what is skipped", async () => {
  const [index] = await largeIndexes();
  assert.ok(index);
  const accepts = (node: number) => node % 3 === 0;
  const ranks = mixedRanks(index.texts().size);
  const expected = modelSearch(index.texts(), frequent, ranks).filter(({ node }) => accepts(node));
  const found = await search(index, frequent, { accepts });
  assert.deepEqual(
    found.pages.map(({ node, score }) => [node, score]),
    expected.slice(0, 1000).map(({ node, score }) => [node, score]),
  );
  assert.equal(found.total, expected.filter(({ all }) => all).length);
  const ordered = await search(index, frequent, { accepts, byRelevance: false });
  const matching = expected.filter(({ all }) => all).map(({ node }) => node);
  assert.deepEqual(
    ordered.pages.map(({ node }) => node),
    matching.toSorted((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0)).slice(0, 1000),
  );
});

test("GRAPH-12: going on behind each result lists every page once, in any order", async () => {
  const [index] = await largeIndexes();
  assert.ok(index);
  for (const query of [frequent, wordsOf(word("connects"), word("w90"))]) {
    for (const byRelevance of [true, false]) {
      const whole = await search(index, query, { byRelevance, limit: 10_000 });
      const nodes: number[] = [];
      let after: ResultKey | null = null;
      do {
        const { pages }: SearchResult = await search(index, query, { byRelevance, limit: 70, after });
        assert.equal(pages.length, Math.min(70, whole.pages.length - nodes.length));
        nodes.push(...pages.map(({ node }) => node));
        after = pages.at(-1) ?? null;
      } while (after !== null);
      assert.deepEqual(
        nodes,
        whole.pages.map(({ node }) => node),
      );
    }
  }
});

/** A page with one section. */
const pageOf = (page: number, ...terms: string[]): [number, PageTokens] => [
  page,
  { title: [], sections: [{ start: 0, headings: [], terms, basePosition: 0 }] },
];

test("GRAPH-17: pages with other forms of a word follow those that have it, and still lack it", async () => {
  const index = new TestIndex();
  index.write([
    pageOf(0, "navigation"),
    pageOf(1, "navigation", "chart"),
    pageOf(2, "navigators", "chart", "sea"),
    pageOf(3, "navigators", "navigation", "navigate", "chart"),
    pageOf(4, "navy"),
  ]);
  const written = await search(index, wordsOf({ ...word("navigators"), quoted: true }, word("chart")));
  const { pages, total, ignored, truncated } = await search(
    index,
    wordsOf(word("navigators"), word("chart")),
  );
  assert.deepEqual(
    pages.map(({ node, all, missing }) => [node, all, missing]),
    [
      [2, true, []],
      [3, true, []],
      [1, false, ["navigators"]],
      [0, false, ["navigators", "chart"]],
    ],
  );
  const scoreOf = (found: SearchResult, node: number) =>
    found.pages.find((page) => page.node === node)?.score;
  for (const node of [2, 3])
    assert.equal(
      pages.find((page) => page.node === node)?.score,
      scoreOf(written, node),
      "forms change nothing about pages that have the word",
    );
  assert.ok((scoreOf(written, 1) ?? 0) < (pages[2]?.score ?? 0));
  assert.deepEqual({ total, ignored, truncated }, { total: 2, ignored: [], truncated: false });
});

test("GRAPH-17: forms take an eighth of the limit of entries, and no more than words as written left; those left out are not named", async () => {
  const index = new TestIndex();
  index.write([
    ...Array.from({ length: 40 }, (_, page) => pageOf(page, "connection")),
    ...Array.from({ length: 10 }, (_, page) => pageOf(100 + page, "connector")),
    ...Array.from({ length: 5 }, (_, page) => pageOf(200 + page, "connect")),
    ...Array.from({ length: 150 }, (_, page) => pageOf(300 + page, "chart")),
  ]);
  const found = async (maxEntries: number, ...words: string[]) => {
    const query = wordsOf(...words.map(word));
    const { pages, ignored, truncated } = await search(index, query, { maxEntries });
    assert.deepEqual({ ignored, truncated }, { ignored: [], truncated: false });
    return pages.length;
  };
  assert.equal(await found(5, "connect"), 5);
  assert.equal(await found(8 * 2 * 10 - 1, "connect"), 5);
  assert.equal(await found(8 * 2 * 10, "connect"), 15);
  assert.equal(await found(8 * 2 * 50, "connect"), 55);
  assert.equal(await found(155 + 2 * 10 - 1, "connect", "chart"), 155);
  assert.equal(await found(155 + 2 * 10, "connect", "chart"), 165);
  const cut = await search(index, wordsOf(word("connect")), { maxEntries: 4 });
  assert.deepEqual([cut.pages.length, cut.truncated, cut.total], [4, true, null]);
});

test("GRAPH-17: however many words begin alike, forms are found with few blocks", async () => {
  const index = new TestIndex();
  const numbered = Array.from({ length: 20_000 }, (_, page) =>
    pageOf(page, `test${page}`, `tes${page}`, `testi${page}`),
  );
  index.write([...numbered, pageOf(50_000, "tests"), pageOf(50_001, "testing"), pageOf(50_002, "test")]);
  index.store.blocksRead = 0;
  index.store.calls = 0;
  const { pages } = await search(index, wordsOf(word("test")));
  assert.deepEqual(pages.map(({ node }) => node).sort(), [20_000, 20_001, 20_002]);
  assert.ok(index.store.blocksRead <= 20, `${index.store.blocksRead} blocks`);
  assert.ok(index.store.calls <= 6, `${index.store.calls} calls`);
});

test("GRAPH-28: the best sections of a page come with their places and the version of its text", async () => {
  const index = new TestIndex();
  const section = (start: number, basePosition: number, ...terms: string[]) => ({
    start,
    basePosition,
    headings: [],
    terms,
  });
  index.write([
    [
      0,
      {
        title: ["t"],
        sections: [section(0, 0, "t"), section(0, 2, "x"), section(90, 3, "x", "y"), section(200, 5, "z")],
      },
    ],
  ]);
  const { pages } = await search(index, wordsOf(word("x"), word("y"), word("q")));
  const [page] = pages;
  assert.deepEqual(page?.missing, ["q"]);
  assert.equal(page?.version, 1);
  assert.deepEqual(
    page?.sections.map(({ section, start }) => [section, start]),
    [
      [2, 90],
      [1, 0],
    ],
  );
  assert.equal(page?.sections[0]?.relevance, page?.relevance);
});

test("GRAPH-18: damaged, swapped and lost blocks are noticed, whatever is asked", async () => {
  const random = seededRandom(5);
  const below = (end: number) => Math.floor(random() * end);
  const index = new TestIndex();
  index.write(largeTexts(1, 400));
  const [segment] = index.store.segments.keys();
  const blocks = index.store.segments.get(segment ?? 0) ?? [];
  const queries = [
    ...largeQueries,
    wordsOf(word("absent"), word("w77"), word("w1999")),
    wordsOf({ ...word("w"), prefix: true }),
  ];
  const intact = await Promise.all(queries.map((query) => search(index, query)));
  let noticed = 0;
  for (let round = 0; round < 50; round += 1) {
    const victim = below(blocks.length);
    const damaged = damage(blocks, victim, round % 5, below);
    index.store.write(segment ?? 0, damaged);
    for (const [number, query] of queries.entries()) {
      noticed += Number(await isNoticed(() => search(index, query), intact[number]));
    }
    if (damaged[victim] !== blocks[victim]) await assert.rejects(index.merge([0]), IndexDamagedError);
  }
  assert.ok(noticed > 10, `${noticed} times`);
});

test("GRAPH-18: without the positions phrases are damaged, and words are found", async () => {
  const index = new TestIndex();
  index.write(largeTexts(1, 400));
  const [segment] = index.store.segments.keys();
  const blocks = index.store.segments.get(segment ?? 0) ?? [];
  const intact = await search(index, frequent);
  index.store.write(
    segment ?? 0,
    blocks.map((block) => ({ ...block, rows: [] })),
  );
  assert.deepEqual(await search(index, frequent), intact);
  await assert.rejects(search(index, phrase), IndexDamagedError);
  await assert.rejects(index.merge([0]), IndexDamagedError);
});

/** Whether damage is noticed; otherwise the answer must be right. */
async function isNoticed(
  ask: () => Promise<SearchResult>,
  intact: SearchResult | undefined,
): Promise<boolean> {
  try {
    assert.deepEqual(await ask(), intact);
    return false;
  } catch (error) {
    if (error instanceof IndexDamagedError) return true;
    throw error;
  }
}

/** Removes a block, gives it the postings of another, flips a bit of them or of its positions, or removes its last row. */
function damage(
  blocks: readonly Block[],
  victim: number,
  kind: number,
  below: (end: number) => number,
): Block[] {
  const block = blocks[victim] as Block;
  const { postings, rows } = block;
  if (kind === 0) return blocks.toSpliced(victim, 1);
  if (kind === 1) {
    const other = blocks[below(blocks.length)] as Block;
    return other === block ? [...blocks] : blocks.with(victim, { ...block, postings: other.postings });
  }
  if (kind === 2) {
    return blocks.with(victim, { ...block, postings: flipped(postings, below(8 * postings.length)) });
  }
  const number = below(rows.length);
  const row = rows[number];
  if (row === undefined) return [...blocks];
  const left = kind === 3 ? rows.with(number, flipped(row, below(8 * row.length))) : rows.slice(0, -1);
  return blocks.with(victim, { ...block, rows: left });
}

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = bytes.slice();
  copy[bit >>> 3] = (copy[bit >>> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

test("SRC-6: a page that has a word in its text comes before one that has it in a transcript, even often", async () => {
  const index = new TestIndex();
  const pageOf = (markdown: string) =>
    pageTokens({ title: "Weekly", aliases: [], properties: [], markdown }, termStrings);
  const said = "\tSo the rope, er, the rope.\n".repeat(4);
  index.write([
    [0, pageOf(`We met.\n<transcript>\n${said}</transcript>\n`)],
    [1, pageOf("We need many things, and among all of them there is also a rope.")],
  ]);
  // The ranks, which decide among equals, are the other way round.
  const { pages } = await search(index, wordsOf(word("rope")), { ranks: Uint32Array.of(0, 1) });
  assert.deepEqual(
    pages.map(({ node, all }) => [node, all]),
    [
      [1, true],
      [0, true],
    ],
  );
});
