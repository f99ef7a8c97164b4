import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { pageTokens } from "./page.ts";
import { plainText } from "./plain-text.ts";
import { sectionsOf } from "./sections.ts";
import { sentenceStarts } from "./sentences.ts";
import { termStrings } from "./terms.ts";
import { termsOf } from "./tokens.ts";

const sentencesOf = (text: string) => {
  const starts = sentenceStarts(text, 0, text.length);
  return starts.map((start, index) => text.slice(start, starts[index + 1]).trim());
};

test("GRAPH-28: sentences end as their scripts end them", () => {
  const cases: string[][] = [
    ["It costs 3.5 euros.", "See e.g. the plan, Dr. Who and J. Doe.", "Why?", '"Because!"', "Wait… no."],
    ["設計書です。", "「はい。」", "次の文？", "終わり"],
    ["यह वाक्य है।", "दूसरा वाक्य।"],
    ["ما هذا؟", "هذه خطة."],
    ["Սա նախադասություն է։", "Եվ սա։"],
    ["Это план.", "А это нет!"],
    ["Ask info@a.example or read a.example/b.html, version 2.0.", "Done."],
  ];
  for (const sentences of cases) assert.deepEqual(sentencesOf(sentences.join(" ")), sentences);
});

const prose = (length: number, word = "Word") => `${`${word} follows word here. `.repeat(length / 23)}`;

test("GRAPH-17: sections begin at headings and know those above", () => {
  const markdown = `Intro.\n# One\n${prose(1500)}\n## Two\n${prose(1500)}\n# Three\n${prose(1500)}`;
  const sections = sectionsOf(markdown);
  assert.deepEqual(
    sections.map(({ headings }) => headings),
    [["One"], ["One", "Two"], ["Three"]],
  );
  assert.deepEqual(
    sections.map(({ start }) => markdown.slice(start, start + 5)),
    ["Intro", "## Tw", "# Thr"],
  );
});

test("GRAPH-17: short parts share a section, and a heading stays with what is below it", () => {
  const parts = Array.from({ length: 30 }, (_, n) => `# H${n}\n## Sub ${n}\n${prose(300)}`);
  for (const { text } of sectionsOf(parts.join("\n"))) {
    assert.ok(text.length > 1000 || text.includes("H29"));
    assert.match(text, /^H\d+\nSub/);
  }
});

const anyMarkdown = fc
  .array(
    fc.oneof(
      fc.nat({ max: 300 }).map((count) => "# A heading\n".repeat(count)),
      fc.constantFrom("# A heading", "## *Below* it", "", "<empty-block/>", "- item 🚀", "| a | b |"),
      fc.nat({ max: 5000 }).map((length) => prose(length, "**Word**")),
      fc.nat({ max: 3000 }).map((length) => "これは設計書です。".repeat(length / 9)),
      fc.nat({ max: 9000 }).map((length) => "ยาว".repeat(length / 3)),
      fc.nat({ max: 3000 }).map((length) => `\`\`\`\n${"let a = 1;\n".repeat(length / 11)}\`\`\``),
      fc.nat({ max: 9000 }).map((length) => "𐐔x".repeat(length / 3)),
    ),
    { maxLength: 8 },
  )
  .map((lines) => lines.join("\n"));

test("GRAPH-17: sections cover a text and cut no sentence", () => {
  fc.assert(
    fc.property(anyMarkdown, (markdown) => {
      const sections = sectionsOf(markdown);
      const { text } = plainText(markdown);
      assert.equal(sections.map((section) => section.text).join(""), text);
      const characters = [...markdown];
      let end = 0;
      for (const section of sections) {
        assert.equal(section.start, end);
        assert.ok(section.end > section.start && section.text.isWellFormed());
        assert.ok(section.text.length <= 6001, `${section.text.length}`);
        end = section.end;
      }
      if (sections.length > 0) assert.equal(end, characters.length);
      const starts = new Set(sentenceStarts(text, 0, text.length));
      let from = 0;
      for (const section of sections) {
        const isInLongSentence = !/[.。;]/.test(text.slice(Math.max(0, from - 2000), from));
        assert.ok(starts.has(from) || isInLongSentence, `a cut before ${text.slice(from, from + 20)}`);
        from += section.text.length;
      }
    }),
    { numRuns: 50 },
  );
});

test("GRAPH-17: the words of the sections are those of the text, whatever is cut", () => {
  fc.assert(
    fc.property(anyMarkdown, (markdown) => {
      const { sections } = pageTokens({ title: "T", aliases: [], properties: [], markdown }, termStrings);
      const [, ...own] = sections;
      assert.deepEqual(
        own.flatMap(({ terms }) => terms),
        termsOf(plainText(markdown).text),
      );
      let position = 2;
      for (const { basePosition, terms } of own) {
        assert.equal(basePosition, position);
        position += terms.length;
      }
      assert.deepEqual(
        own.map(({ start }) => start),
        sectionsOf(markdown).map(({ start }) => start),
      );
    }),
    { numRuns: 50 },
  );
});

test("GRAPH-17: the first section has title, aliases and properties, with gaps between", () => {
  const { title, sections } = pageTokens(
    {
      title: "Big Plan",
      aliases: ["big-plan.md", "…"],
      properties: [
        { name: "Status", text: "In progress" },
        { name: "Empty", text: "" },
        { name: "Due", text: "2026-01-02" },
      ],
      markdown: "# First\nBody",
    },
    termStrings,
  );
  assert.deepEqual(title, ["big", "plan", "", "big", "plan", "md"]);
  assert.deepEqual(sections, [
    {
      start: 0,
      headings: [],
      terms: ["big", "plan", "", "big", "plan", "md", "", "in", "progress", "", "2026", "01", "02"],
      basePosition: 0,
    },
    { start: 0, headings: ["first"], terms: ["first", "body"], basePosition: 14 },
  ]);
});

test("GRAPH-17: a very long heading is repeated in part only", () => {
  const sections = sectionsOf(`# ${"long ".repeat(10_000)}\n${prose(20_000)}`);
  assert.ok(sections.length > 1);
  for (const { headings } of sections) {
    assert.ok(headings.length > 0);
    assert.ok(headings.every((heading) => heading.length <= 300));
  }
});
