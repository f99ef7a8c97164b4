import assert from "node:assert/strict";
import { test } from "node:test";
import { plainText, sectionsOf } from "@clew/text";
import { anyPage } from "@clew/text/testing";
import fc from "fast-check";
import { pageTokens } from "./page.ts";
import { termStrings } from "./terms.ts";
import { termsOf } from "./tokens.ts";

test("GRAPH-17: the words of the sections are those of the text, whatever is cut", () => {
  fc.assert(
    fc.property(anyPage, (markdown) => {
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
