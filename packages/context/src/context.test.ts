import assert from "node:assert/strict";
import { test } from "node:test";
import { id } from "@clew/graph/testing";
import fc from "fast-check";
import { type ContextForm, type ContextQuestion, gatherContext } from "./context.ts";
import type { Explanation } from "./explanation.ts";
import type { ContextPort } from "./port.ts";
import { portOf } from "./testing/port-of.ts";

const buildContext = async (port: ContextPort, request: ContextQuestion & ContextForm) =>
  (await gatherContext(port, request)).pack(request);

test("GRAPH-22: the passage that answers comes with its heading, from a page that matches or one that is linked", async () => {
  const texts = [
    "A comet is a small body.\n# Orbits\nIts orbit is long.",
    "# Tails\nThe tail of a comet points away from the sun.",
    "Dust leaves it.",
  ];
  const { port, pageAt } = portOf(texts, [[1, 2]]);
  const { markdown, items } = await buildContext(port, {
    query: "tail of a comet",
    also: null,
    about: null,
    maxChars: 2_000,
  });
  assert.deepEqual(
    items.map(({ node, why, via }) => [pageAt(node), why, via === null ? null : pageAt(via)]),
    [
      [1, "text", null],
      [2, "linked", 1],
      [0, "text", null],
    ],
  );
  assert.match(
    markdown,
    /^# Page 1\nWhy: its text matches\n~~~\n# Tails\n\nThe tail of a comet points away from the sun\.\n~~~\n/,
  );
});

test("GRAPH-22: each cell of a table stands below its column, and rows are counted without the header", async () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, row) => `<tr><td>part ${row}</td><td></td><td>${row} | *kg*</td></tr>`);
  const table = (tag: string, cells: readonly string[]) => [tag, ...cells, "</table>"].join("\n");
  const header = "<tr><td>Name</td><td>Note</td><td></td></tr>";
  const shownOf = async (markdown: string) => {
    const request = { query: "part", also: null, about: null, maxChars: 1_000 };
    return (await buildContext(portOf([markdown]).port, request)).markdown.split("\n").slice(3, -1);
  };
  assert.deepEqual(await shownOf(table('<table header-row="true">', [header, ...rows(2)])), [
    "| Name | Note |  |",
    "| --- | --- | --- |",
    "| part 0 |  | 0 \\| kg |",
    "| part 1 |  | 1 \\| kg |",
  ]);
  const countIn = (lines: readonly string[]) => {
    const listed = lines.filter((line) => /^\| part \d/.test(line)).length;
    const [, shown, all] = /^\[(\d+) of (\d+) rows\]$/.exec(lines.at(-1) ?? "") ?? [];
    return [Number(shown) === listed, listed < 60, all];
  };
  assert.deepEqual(countIn(await shownOf(table('<table header-row="true">', [header, ...rows(60)]))), [
    true,
    true,
    "60",
  ]);
  assert.deepEqual(countIn(await shownOf(table("<table>", rows(60)))), [true, true, "60"]);
});

test("GRAPH-22: what is too long is cut below its header, without the introduction if there is no room for both", async () => {
  const shownOf = async (markdown: string) => {
    const request = { query: "part", also: null, about: null, maxChars: 1_000 };
    return (await buildContext(portOf([markdown]).port, request)).markdown.split("\n").slice(3, -1);
  };
  const long = (word: string) => `${word} of a part`.padEnd(2_000, " and more");
  const rows = `| ${long("a")} | 1 |\n| ${long("b")} | 2 |`;
  const [first, ...lines] = await shownOf(`The parts:\n\n| Name | Mass |\n| --- | --- |\n${rows}`);
  assert.deepEqual([first, ...lines.slice(0, 2)], ["The parts:", "| Name | Mass |", "| --- | --- |"]);
  assert.match(lines[2] ?? "", /^\| a of a part( and more)+.* \[…\]$/);
  assert.deepEqual(lines.slice(3), ["[1 of 2 rows]"]);
  const alone = await shownOf(`${long("Introduction")}:\n\n1. ${long("a")}\n2. ${long("b")}`);
  assert.equal(alone[0], "[…]");
  assert.match(alone[2] ?? "", /^1\. a of a part( and more)+.* \[…\]$/);
  // No row is shown without its header.
  const header = await shownOf(`| ${long("Name")} | Mass |\n| --- | --- |\n${rows}`);
  assert.match(header.join("\n"), /^\| Name of a part( and more)+.* \[…\]$/);
});

test("GRAPH-22: a version or date counts as a whole, with or without a v, and its releases count half", async () => {
  const texts = [
    "Version 7 fixes 3 faults in 4 parts.",
    "In v7.4 the switch is gone.",
    "In v7.4.1 the switch is back.",
    "Written on 2025-06-18.",
    "Written on 18.06.2025, at 06:18.",
  ];
  const { port, pageAt } = portOf(texts);
  const ask = async (query: string) => {
    const { items, unanswered } = await buildContext(port, {
      query,
      also: null,
      about: null,
      maxChars: 1_000,
    });
    return { first: pageAt(items[0]?.node ?? 0), unanswered };
  };
  assert.deepEqual(await ask("switch in 7.4"), { first: 1, unanswered: [] });
  assert.deepEqual(await ask("switch in v7.4"), { first: 1, unanswered: [] });
  assert.deepEqual(await ask("switch in 7.4.1"), { first: 2, unanswered: [] });
  assert.deepEqual(await ask("switch in 7.5"), { first: 1, unanswered: ["7.5"] });
  assert.deepEqual(await ask("written 2025-06-18"), { first: 3, unanswered: [] });
});

test("GRAPH-22: a copy is left out, and a note says what was removed from passages", async () => {
  const lines = "A comet has a tail of dust and gas that points away.\n";
  const { port, pageAt } = portOf([lines, "A comet\u200b has a coma."]);
  const copies: ContextPort = {
    ...port,
    readPage: async (ref) => ({
      title: "Comet",
      aliases: [],
      markdown: pageAt(ref.node) === 0 ? lines : `${lines}\u200b`,
      truncated: false,
    }),
  };
  const request = { query: "comet", also: null, about: null, maxChars: 2_000 };
  assert.equal((await buildContext(copies, request)).items.length, 1);
  const { items, markdown } = await buildContext(port, request);
  assert.deepEqual(items.map(({ node }) => pageAt(node)).sort(), [0, 1]);
  assert.match(markdown, /A comet has a coma\.\n~~~\n\(1 left out\)/);
});

test("GRAPH-22: a context never exceeds its size, names no page twice, and is the same each time", async () => {
  const sentence = fc.constantFrom(
    "A comet.",
    "# Tail",
    "Dust and gas.",
    "| comet | tail |",
    "x".repeat(700),
  );
  const text = fc.array(sentence, { maxLength: 12 }).map((lines) => lines.join("\n"));
  const input = fc.record({
    texts: fc.array(text, { minLength: 1, maxLength: 8 }),
    links: fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 10 }),
    maxChars: fc.integer({ min: 1_000, max: 4_000 }),
  });
  await fc.assert(
    fc.asyncProperty(input, async ({ texts, links, maxChars }) => {
      const { port } = portOf(
        texts,
        links.filter((ends) => ends.every((end) => end < texts.length)),
      );
      const request = { query: "comet tail", also: null, about: null, maxChars };
      const built = await buildContext(port, request);
      assert.ok(built.markdown.length <= maxChars);
      assert.equal(new Set(built.items.map(({ node }) => node)).size, built.items.length);
      assert.deepEqual(await buildContext(port, request), built);
      const gathered = await gatherContext(port, request);
      for (const chars of [4_000, maxChars, 1_000])
        assert.deepEqual(
          gathered.pack({ maxChars: chars }),
          await buildContext(port, { ...request, maxChars: chars }),
        );
    }),
  );
});

/** Texts with every kind of block, and words of one family. */
const blocks = fc.constantFrom(
  "A comet has a tail.",
  "# Tails of comets",
  "Dust and gas.",
  "What a comet has:\n\n- a tail\n- a coma\n  - of gas",
  "| comet | year |\n| --- | --- |\n| Halley | 1986 |",
  "```\ncomet(tail)\n```",
  `[the first](https://notion.so/${id(0)}) comet`,
  "Ice. ".repeat(200),
);
const explained = fc.record({
  texts: fc.array(
    fc.array(blocks, { maxLength: 10 }).map((lines) => lines.join("\n\n")),
    { minLength: 1, maxLength: 6 },
  ),
  links: fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { maxLength: 8 }),
  query: fc.constantFrom("comet tail", "a tail of gas from comets", "Page 1 and its tails", "of the"),
  about: fc.option(fc.constant({ source: 0, node: 0 })),
});

/** Sums of billionths are exact as whole numbers. */
const billionths = (value: number) => Math.round(value * 1e9);
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + billionths(value), 0);

/** Checks that parts add up. Returns the names of those that are not 0. */
function partsOfSums({ rank, parts, via, passages }: Explanation): string[] {
  assert.equal(via !== null, parts.links > 0);
  const sums = [{ parts, sum: rank }, ...passages.map((passage) => ({ ...passage, sum: passage.score }))];
  return sums.flatMap(({ parts: own, sum }) => {
    assert.equal(sumOf(Object.values(own)), billionths(sum));
    return Object.entries(own).flatMap(([name, part]) => (part === 0 ? [] : [name]));
  });
}

test("GRAPH-22: the parts of an explanation add up to the rank or score that placed its page or passage", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(explained, async ({ texts, links, query, about }) => {
      const { port } = portOf(
        texts,
        links.filter((ends) => ends.every((end) => end < texts.length)),
      );
      const request = { query, also: null, about, maxChars: 4_000 };
      const { items, ...rest } = await buildContext(port, { ...request, explain: true });
      const plain = await buildContext(port, request);
      assert.deepEqual({ ...rest, items: items.map((item) => ({ ...item, explanation: null })) }, plain);
      const explanations = items.flatMap(({ explanation }) => explanation ?? []);
      const ranks = explanations.map(({ rank }) => rank);
      assert.deepEqual(
        ranks,
        ranks.toSorted((a, b) => b - a),
        "pages are in the order of their ranks",
      );
      for (const { passages: shown, explanation } of items) {
        assert.ok(explanation);
        for (const name of partsOfSums(explanation)) seen.add(name);
        assert.equal(explanation.passages.length, Math.min(5, shown.length));
        for (const { offset } of explanation.passages)
          assert.ok(shown.some((part) => part.offset <= offset && offset < part.offset + part.chars));
      }
    }),
    { seed: 7, numRuns: 150 },
  );
  const everything = [
    "asked",
    "text",
    "whole",
    "links",
    "named",
    "passage",
    "neighbor",
    "section",
    "headings",
  ];
  const others = ["title", "linking", "page", "opening", "code", "row"];
  assert.deepEqual([...seen].sort(), [...everything, ...others].sort(), "each part counted somewhere");
});

test("GRAPH-22: an explanation names the words that count, as they are written or in another form", async () => {
  const { port, pageAt } = portOf(["# Tails\n\nComets are small.\n\nA comet has a coma of zirconium."], []);
  const request = { query: "comet tail zirconium meteor", also: null, about: null, maxChars: 2_000 };
  const { items } = await buildContext(port, { ...request, explain: true });
  assert.deepEqual(
    items.map(({ node }) => pageAt(node)),
    [0],
  );
  const [best] = items[0]?.explanation?.passages ?? [];
  assert.ok(best);
  const shares = Object.fromEntries(best.words.map(({ word, ...places }) => [word, places]));
  assert.deepEqual(
    Object.keys(shares),
    ["comet", "tail", "zirconium"],
    "words that nothing has are left out",
  );
  const nowhere = { passage: 0, neighbor: 0, section: 0, headings: 0, title: 0, linking: 0 };
  assert.deepEqual(shares, {
    comet: { ...nowhere, weight: 0.25, passage: 1, neighbor: 0.5, section: 1 },
    tail: { ...nowhere, weight: 0.25, headings: 0.5 },
    zirconium: { ...nowhere, weight: 0.25, passage: 1, section: 1 },
  });
  const counted = best.words.reduce((sum, { weight, passage }) => sum + weight * passage, 0);
  assert.equal(best.parts.passage, counted);
});

test("SRC-6: what was written comes before what was said in a transcript", async () => {
  const said = "Intro.\n<transcript>\n\tThe tail of a comet is long.\n</transcript>";
  const written = `Intro.\nThe tail of a comet is long.\n${"And so on, and so on. ".repeat(20)}`;
  const { port, pageAt } = portOf([said, written]);
  const request = { query: "tail of a comet", also: null, about: null, maxChars: 2_000 };
  const { items, markdown } = await buildContext(port, request);
  assert.deepEqual(
    items.map(({ node }) => pageAt(node)),
    [1, 0],
  );
  assert.ok(markdown.includes("transcript"), markdown);
});
