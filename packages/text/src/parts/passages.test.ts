import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { passagesOf } from "./passages.ts";

test("GRAPH-22: passages are whole blocks, with their places and as a reader sees them", () => {
  const link = '<mention-page url="https://notion.so/1">Plan</mention-page>';
  const markdown = `# 🚀 H\nPara **one** ${link}.\n\t- [item](https://e.org)\n| a | b |\n\`\`\`\nx\n\ny\n\`\`\`\n<empty-block/>\nend`;
  const all = passagesOf(markdown);
  assert.deepEqual(
    all.map(({ kind, marker, text }) => [kind, marker, text]),
    [
      ["heading", "# ", "🚀 H"],
      ["paragraph", "", "Para one Plan."],
      ["item", "- ", "item"],
      ["row", "| ", "a | b"],
      ["code", "", "x\ny"],
      ["paragraph", "", "end"],
    ],
  );
  for (const { offset, chars, source } of all)
    assert.equal([...markdown].slice(offset, offset + chars).join(""), source);
});

const parts = [
  "# ",
  "- ",
  "word ",
  "🚀",
  "\n",
  "\t",
  "```",
  "| a |",
  "<tr>\n<td>a</td>\n</tr>\n",
  "[a](b)",
  "> ",
  "<br>",
  "---",
];
const anyMarkdown = fc.array(fc.constantFrom(...parts), { maxLength: 30 }).map((some) => some.join(""));

test("GRAPH-22: passages are in the order of the text and do not overlap", () => {
  fc.assert(
    fc.property(anyMarkdown, (markdown) => {
      let end = 0;
      for (const { offset, chars, source, text } of passagesOf(markdown)) {
        assert.ok(offset >= end && source.length > 0 && text.length > 0);
        end = offset + chars;
      }
    }),
    { numRuns: 100 },
  );
});
