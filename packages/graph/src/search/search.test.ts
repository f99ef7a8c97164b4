import assert from "node:assert/strict";
import { test } from "node:test";
import { matchKinds, type NodeType } from "@clew/contract/vocabulary";
import fc from "fast-check";
import type { Graph } from "../graph.ts";
import {
  type AnySearch,
  arbitraryLongSearch,
  arbitrarySearch,
  arbitraryWordSearch,
} from "../testing/arbitrary-search.ts";
import { buildGraph } from "../testing/graph-input.ts";
import { modelOf } from "../testing/graph-model.ts";
import { id, page, reference, titled } from "../testing/samples.ts";
import { modelSearch } from "../testing/search-model.ts";
import { compareRank, type RankKey, search } from "./search.ts";
import { matchOf } from "./title-query.ts";

/** The titles that match a query, best first, each with its kind of match. */
function matches(query: string, ...titles: string[]): [title: string, match: string][] {
  return search(titled(...titles), { query, limit: 100 }).map(({ node, match }) => [node.title, match]);
}

const finds = (query: string, title: string) => matches(query, title).length === 1;

test("GRAPH-2: kinds of match rank as exact, prefix, words, substring, fuzzy", () => {
  const titles = ["Dissolutions", "Soluzion", "The Solution", "Solutions", "solution", "Other"];
  assert.deepEqual(matches("Solution", ...titles), [
    ["solution", "exact"],
    ["Solutions", "prefix"],
    ["The Solution", "words"],
    ["Dissolutions", "substring"],
    ["Soluzion", "fuzzy"],
  ]);
});

test("GRAPH-2: within a kind, results that match alike are ordered by degree, then update, then id", () => {
  const nodes = [3, 0, 2, 1, 4].map((n) => page(n, { title: "Plan", updatedAt: n === 3 ? 9 : 5 }));
  const graph = buildGraph({
    nodes: [...nodes, page(9)],
    references: [reference(9, 4), reference(2, 9), reference(0, 0)],
  });
  const found = search(graph, { query: "plan", limit: 10 }).map(({ node }) => node.id);
  assert.deepEqual(found, [2, 4, 3, 0, 1].map(id));
});

/** The titles that match a query as `words`, best first. `linked` ones, and no others, have a link. */
function asWords(query: string, titles: readonly string[], linked: readonly string[] = []): string[] {
  const nodes = titles.map((title, n) => page(n, { title }));
  const graph = buildGraph({
    nodes: [...nodes, page(titles.length)],
    references: nodes.flatMap(({ title }, n) =>
      linked.includes(title) ? [reference(titles.length, n)] : [],
    ),
  });
  const found = search(graph, { query, limit: 100 });
  assert.ok(found.every(({ match }) => match === "words"));
  return found.map(({ node }) => node.title);
}

test("GRAPH-2: among words, titles in which they stand together come first, whatever links to the others", () => {
  const apart = ["2. Sum of Two", "9. Two or Sum"];
  const together = ["1. Two Sum", "Ex. Two–Sum", "on Two_/Sums", "The (two) sum"];
  assert.deepEqual(asWords("Two Sum", [...apart, ...together], apart).slice(0, 4), together);
  assert.deepEqual(asWords("two-sum", ["A sum two", "The two plus sum", "A two sum or two"]), [
    "A two sum or two",
    "A sum two",
    "The two plus sum",
  ]);
  assert.deepEqual(asWords("new new york", ["A New York", "The new New York"]), [
    "The new New York",
    "A New York",
  ]);
  assert.deepEqual(asWords("tw sum", ["The two sum", "A sum or two"]), ["The two sum", "A sum or two"]);
  assert.deepEqual(asWords("# # draft", ["A # # #draft", "A #draft # 2", "A # 2 #draft"]), [
    "A # # #draft",
    "A #draft # 2",
    "A # 2 #draft",
  ]);
  assert.deepEqual(asWords("学习", ["机器 学习入门", "的 学习"]), ["的 学习", "机器 学习入门"]);
});

test("GRAPH-2: then the shorter title comes first, counted in code points after folding, then the one with more links", () => {
  const titles = ["A longer plan", "My plan 🧵🧵", "My plan ßab", "My plan ab", "My plan 123", "A plan"];
  assert.deepEqual(asWords("plan", titles, ["A longer plan", "My plan 123"]), [
    "A plan",
    "My plan 🧵🧵",
    "My plan ab",
    "My plan 123",
    "My plan ßab",
    "A longer plan",
  ]);
});

test("GRAPH-2: the best of a page's names counts, and pages come in the same order whatever the limit", () => {
  const nodes = [
    page(0, { title: "The plan of our project" }),
    page(1, { title: "Something else", aliases: ["A project and the plans", "The project plan of ours"] }),
    page(2, { title: "A long title of a project and its plans", aliases: ["A plan, a project"] }),
    page(3, { title: "Our project plan", aliases: ["Project plan"] }),
  ];
  const graph = buildGraph({ nodes, references: [reference(0, 2)] });
  for (const limit of [1, 2, 3, 9]) {
    const found = allPages(graph, { query: "project plan", type: undefined, limit });
    assert.deepEqual(
      found.map(({ node }) => node.id),
      [3, 1, 2, 0].map(id),
    );
  }
});

test("GRAPH-3: page after page, each of 20,000 titles with the same words is reached once, in order", () => {
  const count = 20_000;
  const nodes = Array.from({ length: count }, (_, n) =>
    page(n, {
      title: `${n % 7 === 0 ? "The plan review" : "A review of the plan"} ${n}`,
      updatedAt: n % 5,
    }),
  );
  const found = allPages(buildGraph({ nodes, references: [] }), {
    query: "plan review",
    type: undefined,
    limit: 999,
  });
  const placeOf = (n: number) => [n % 7 === 0 ? 0 : 1, String(n).length, -(n % 5), n];
  const places = found.map(({ node }) => placeOf(Number.parseInt(node.title.split(" ").at(-1) ?? "", 10)));
  assert.equal(found.length, count);
  places.slice(1).forEach((place, index) => {
    const before = places[index] ?? [];
    const difference = place.map((part, at) => part - (before[at] ?? 0)).find((part) => part !== 0);
    assert.ok((difference ?? 0) > 0, `${before} comes before ${place}`);
  });
});

test("GRAPH-2: a score is above 0 and at most 1, and a better kind of match always has a greater one", () => {
  const degrees = { few: 0, many: 5000 };
  const nodes = ["match", "matches", "a match", "rematch", "mutch"].flatMap((title, kind) =>
    Object.keys(degrees).map((_, index) => page(10 * kind + index, { title })),
  );
  const hub = Array.from({ length: degrees.many }, (_, n) => page(1000 + n, { title: "" }));
  const references = hub.flatMap(({ id: from }) =>
    [0, 10, 20, 30, 40].map((to) => ({
      from,
      reference: { type: "link" as const, targetId: id(to), name: null, count: 1 },
    })),
  );
  const found = search(buildGraph({ nodes: [...nodes, ...hub], references }), { query: "match", limit: 100 });
  assert.deepEqual(
    found.map(({ match }) => match),
    matchKinds.flatMap((kind) => [kind, kind]),
  );
  found.forEach(({ score }, index) => {
    const next = found[index + 1]?.score ?? 0;
    assert.ok(score > next && score <= 1, `${score} comes before ${next}`);
  });
});

test("GRAPH-2: type restricts results to nodes of that type", () => {
  const nodes = [page(0, { title: "Tasks" }), page(1, { title: "Tasks", type: "database" })];
  const graph = buildGraph({ nodes, references: [] });
  const found = (type?: "page" | "database") =>
    search(graph, { query: "tasks", filter: { type }, limit: 9 }).map(({ node }) => node.id);
  assert.deepEqual([found(), found("page"), found("database")], [[id(0), id(1)], [id(0)], [id(1)]]);
});

test("GRAPH-3: words match in any order, each at the start of a word", () => {
  assert.deepEqual(matches("plan proj", "Project plan 2024"), [["Project plan 2024", "words"]]);
  assert.deepEqual(matches("project 2024 plan", "Project plan 2024"), [["Project plan 2024", "words"]]);
  assert.deepEqual(matches("plan ject", "Project plan"), [["Project plan", "substring"]]);
  assert.equal(finds("plan budget", "Project plan"), false);
});

test("GRAPH-3: one letter and infixes find titles", () => {
  assert.deepEqual(matches("s", "Solution", "Axis"), [
    ["Solution", "prefix"],
    ["Axis", "substring"],
  ]);
  assert.deepEqual(matches("olut", "Solution"), [["Solution", "substring"]]);
  assert.deepEqual(matches("olut", "Solution olut"), [["Solution olut", "words"]]);
  assert.deepEqual(matches("aabaaaa", "xaabaaabaaaa"), [["xaabaaabaaaa", "substring"]]);
  assert.deepEqual(matches("a+aa+b", "xa+aa+aa+b"), [["xa+aa+aa+b", "substring"]]);
});

test("GRAPH-3: one typo is forgiven in a word of five letters or more", () => {
  for (const typo of [
    "grraph",
    "grph",
    "grqph",
    "garph",
    "xgraph",
    "raph",
    "xraph",
    "rgaph",
    "graphx",
    "grapx",
  ]) {
    assert.ok(finds(typo, "A graph"), `${typo} for graph`);
  }
  assert.ok(finds("gr4ph", "A graph"), "a digit for a letter");
  for (const typos of ["grqqh", "gqrph", "hparg", "grh", "gr4", "rgpah", "xgraphx"]) {
    assert.equal(finds(typos, "A graph"), false, `${typos} for graph`);
  }
  for (const typo of ["tere", "trxe", "ter", "xree"]) {
    assert.equal(finds(typo, "A tree"), false, `${typo} for tree`);
  }
});

test("GRAPH-3: a typo is forgiven in a prefix of a word, and in every word of a query", () => {
  assert.deepEqual(matches("architct", "Architecture"), [["Architecture", "fuzzy"]]);
  assert.deepEqual(matches("sytsem archtecture", "Architecture of the system"), [
    ["Architecture of the system", "fuzzy"],
  ]);
  assert.deepEqual(matches("the sytsem", "Architecture of the system"), [
    ["Architecture of the system", "fuzzy"],
  ]);
  assert.equal(finds("sytsem budget", "Architecture of the system"), false);
  assert.equal(finds("12345", "12346"), false, "a number is none the less another");
});

test("GRAPH-3: case, accents and width make no difference, and ß equals ss", () => {
  assert.deepEqual(matches("RESUME", "Résumé"), [["Résumé", "exact"]]);
  assert.deepEqual(matches("résumé", "resume of work"), [["resume of work", "prefix"]]);
  assert.deepEqual(matches("strasse", "Straße"), [["Straße", "exact"]]);
  assert.deepEqual(matches("straße", "STRASSE"), [["STRASSE", "exact"]]);
  assert.deepEqual(matches("ｃｌｅｗ", "Clew"), [["Clew", "exact"]]);
  assert.deepEqual(matches("clew", "Ｃｌｅｗ"), [["Ｃｌｅｗ", "exact"]]);
});

test("GRAPH-3: search works in every script", () => {
  assert.deepEqual(matches("学习", "机器学习入门"), [["机器学习入门", "substring"]]);
  assert.deepEqual(matches("設計", "設計書"), [["設計書", "prefix"]]);
  assert.deepEqual(matches("ガイド", "開発ｶﾞｲﾄﾞ"), [["開発ｶﾞｲﾄﾞ", "substring"]]);
  assert.deepEqual(matches("บาย", "นโยบายบริษัท"), [["นโยบายบริษัท", "substring"]]);
  assert.deepEqual(matches("국어", "한국어 문서"), [["한국어 문서", "substring"]]);
  assert.deepEqual(matches("מסמך", "זה המסמך"), [["זה המסמך", "substring"]]);
  assert.deepEqual(matches("محمد", "تقرير مُحَمَّد"), [["تقرير مُحَمَّد", "words"]]);
  assert.deepEqual(matches("हिन्दी", "मेरी हिन्दी"), [["मेरी हिन्दी", "words"]]);
  assert.deepEqual(matches("докмуент", "Документы"), [["Документы", "fuzzy"]]);
  for (const typo of ["𐐼𐐯𐑆𐐨𐑉𐐯𐐻", "𐐼𐐯𐐨𐑉𐐯𐐻", "𐐼𐐯𐑅𐐨𐐨𐑉𐐯𐐻", "𐐼𐑅𐐯𐐨𐑉𐐯𐐻"]) {
    assert.deepEqual(matches(typo, "𐐔𐐯𐑅𐐨𐑉𐐯𐐻"), [["𐐔𐐯𐑅𐐨𐑉𐐯𐐻", "fuzzy"]]);
  }
});

test("GRAPH-3: signs and emoji are found, alone or beside words", () => {
  assert.deepEqual(matches("🚀", "🚀 Launch", "Launch 🚀", "Rocket"), [
    ["🚀 Launch", "prefix"],
    ["Launch 🚀", "words"],
  ]);
  assert.deepEqual(matches("?!", "What?!", "?!"), [
    ["?!", "exact"],
    ["What?!", "substring"],
  ]);
  assert.deepEqual(matches("c++", "Learn C++", "C", "Cats"), [["Learn C++", "words"]]);
  assert.deepEqual(matches("C#", "Learn C#", "C"), [["Learn C#", "words"]]);
  assert.deepEqual(matches("c++", "xc++", "xc++ c++", "𐐨c++"), [
    ["xc++ c++", "words"],
    ["xc++", "substring"],
    ["𐐨c++", "substring"],
  ]);
  assert.deepEqual(matches("smith, john", "John Smith"), [["John Smith", "words"]]);
  assert.deepEqual(matches("read only", "Read-only (draft)"), [["Read-only (draft)", "words"]]);
  assert.deepEqual(
    matches("draft", "#draft", "(draft)", "x#draft").map(([, kind]) => kind),
    ["words", "words", "words"],
  );
  assert.deepEqual(matches("#draft", "See #draft", "x#draft"), [
    ["See #draft", "words"],
    ["x#draft", "substring"],
  ]);
});

test("GRAPH-3: a page is found by an alias and shown by its title, once, with its best match", () => {
  const nodes = [
    page(0, { title: "How to use it", aliases: ["YT - QuickAdd", "Quick"] }),
    page(1, { title: "Quick guide" }),
    page(2, { title: "quick", aliases: ["Quick start", "A quick one"] }),
    page(3, { title: "Other", aliases: ["", "unquick", "quikc"] }),
  ];
  const graph = buildGraph({ nodes, references: [reference(1, 2)] });
  const found = (query: string, type?: "database") =>
    search(graph, { query, filter: { type }, limit: 9 }).map(({ node, match }) => [node.title, match]);
  assert.deepEqual(found("quick"), [
    ["quick", "exact"],
    ["How to use it", "exact"],
    ["Quick guide", "prefix"],
    ["Other", "substring"],
  ]);
  assert.deepEqual(found("quickadd yt"), [["How to use it", "words"]]);
  assert.deepEqual(found("quickdad"), [["How to use it", "fuzzy"]]);
  assert.deepEqual(found("use quickadd"), [], "words of two names are not one name's");
  assert.deepEqual(found("quick", "database"), []);
  assert.deepEqual(graph.node(id(0)), page(0, { title: "How to use it" }));
});

test("GRAPH-3: an index without aliases has no columns for them", () => {
  const { nodes, texts, titles } = titled("A", "B").columns.titles;
  assert.equal(texts, nodes);
  assert.equal(titles.offsets.length, 3);
});

test("GRAPH-3: an empty title matches nothing, and neither does a query that folds to nothing", () => {
  assert.equal(finds("a", ""), false);
  assert.equal(finds("\u200b", ""), false);
  assert.equal(finds("\u200b", "a"), false);
  assert.equal(finds(" ", "a b"), false);
});

test("GRAPH-3: a continuation starts right after its key, even if that is from another graph", () => {
  const graph = titled("Plan", "Plan", "Plan");
  const key = (n: number): RankKey => ({ tier: "exact", length: 0, degree: 0, updatedAt: 0, id: id(n) });
  const after = (rank: RankKey) =>
    search(graph, { query: "plan", after: rank, limit: 9 }).map(({ node }) => node.id);
  assert.deepEqual(after(key(0)), [id(1), id(2)]);
  assert.deepEqual(after({ ...key(0), id: "00000000-0000-4000-8000-0000000000aa" }), []);
  assert.deepEqual(after({ ...key(0), id: "00000000-0000-0000-0000-000000000000" }), [id(0), id(1), id(2)]);
  assert.deepEqual(after({ ...key(2), degree: 1 }), [id(0), id(1), id(2)]);
  assert.deepEqual(after({ ...key(2), updatedAt: 1 }), [id(0), id(1), id(2)]);
  assert.deepEqual(after({ ...key(0), tier: "prefix" }), []);
});

/** All pages of a search, each taken after the last item of the one before. */
function allPages(
  graph: Graph,
  { type, ...wanted }: { query: string; type: NodeType | undefined; limit: number },
) {
  const options = { ...wanted, filter: { type } };
  const hits = search(graph, options);
  for (let found = hits; found.length === options.limit; ) {
    found = search(graph, { ...options, after: found.at(-1)?.key });
    hits.push(...found);
  }
  return hits;
}

function holdsToTheModel({ input, ...options }: AnySearch) {
  const hits = allPages(buildGraph(input), options);
  assert.deepEqual(
    hits.map(({ node, match }) => ({ id: node.id, match })),
    modelSearch(modelOf(input), options.query, options.type),
  );
  assert.deepEqual(
    hits.map(({ key }) => key).toSorted(compareRank),
    hits.map(({ key }) => key),
  );
  hits.forEach(({ key, node, match }) => {
    assert.deepEqual([key.id, matchOf(key.tier), JSON.parse(JSON.stringify(key))], [node.id, match, key]);
  });
  hits.forEach(({ score }, index) => {
    const next = hits[index + 1]?.score ?? 0;
    assert.ok(score >= next && score <= 1, `${score} comes before ${next}`);
  });
}

test("GRAPH-19: a filter that rejects thousands of matches keeps the rest in order, page after page", () => {
  const nodes = Array.from({ length: 6000 }, (_, n) =>
    page(n, {
      title: n % 3 === 0 ? "plan" : "a planet",
      updatedAt: n % 7,
      type: n % 1000 === 1 ? "database" : "page",
      ...(n === 3001 ? { aliases: ["plan", "planning"] } : {}),
    }),
  );
  const graph = buildGraph({ nodes, references: [] });
  const listed = (type?: "database") =>
    allPages(graph, { query: "plan", type, limit: 2 }).map(({ node }) => node);
  const expected = allPages(graph, { query: "plan", type: undefined, limit: 6000 });
  assert.deepEqual(
    listed("database"),
    expected.map(({ node }) => node).filter(({ type }) => type === "database"),
  );
  assert.equal(listed("database").length, 6);
});

test("GRAPH-3: page after page, every matching node is reached once, in the order of the plain model", () => {
  fc.assert(fc.property(arbitrarySearch, holdsToTheModel), { numRuns: 1000 });
});

test("GRAPH-2: page after page, the same holds if all titles have the same few words, together or apart", () => {
  fc.assert(fc.property(arbitraryWordSearch, holdsToTheModel), { numRuns: 500 });
});

test("GRAPH-3: page after page, the same holds if many nodes match", () => {
  fc.assert(fc.property(arbitraryLongSearch, holdsToTheModel), { numRuns: 100 });
});
