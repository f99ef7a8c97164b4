import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { plainText } from "../markdown/plain-text.ts";
import { anyPage, prose } from "../testing/arbitrary-markdown.ts";
import { readSections, sectionsOf } from "./sections.ts";
import { sentenceStarts } from "./sentences.ts";

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

test("GRAPH-17: sections cover a text and cut no sentence", () => {
  fc.assert(
    fc.property(anyPage, (markdown) => {
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

test("GRAPH-17: a very long heading is repeated in part only", () => {
  const sections = sectionsOf(`# ${"long ".repeat(10_000)}\n${prose(20_000)}`);
  assert.ok(sections.length > 1);
  for (const { headings } of sections) {
    assert.ok(headings.length > 0);
    assert.ok(headings.every((heading) => heading.length <= 300));
  }
});

test("SRC-6: a transcript is a section of its own, and what follows is not below its headings", () => {
  const markdown = "# Monday\nWe met.\n<transcript>\n\tSo, er.\n</transcript>\nWe went home.";
  assert.deepEqual(
    readSections(markdown).sections.map(({ headings, isTranscript }) => [headings, isTranscript]),
    [
      [["Monday"], false],
      [["Monday", "transcript"], true],
      [["Monday"], false],
    ],
  );
  assert.deepEqual(
    sectionsOf(markdown).map(({ text }) => text.trim()),
    ["Monday\nWe met.", "transcript\nSo, er.", "We went home."],
  );
});
