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

test("GRAPH-22: a row has all of its cells, and says whether it is a header", () => {
  const markdown = [
    '<table header-row="true">',
    "<tr><td>Name</td><td>Note</td><td>Price</td></tr>",
    "<tr><td>Rope</td><td></td><td>**5**</td></tr>",
    "<tr>",
    "<td></td>",
    "<td>[a](https://example.org/) | b</td>",
    "<td></td>",
    "</tr>",
    "</table>",
    "<table>",
    "<tr><td>x</td><td>y</td></tr>",
    "</table>",
    '<table header-row="true">',
    "<tr><td></td></tr>",
    "<tr><td>z</td></tr>",
    "</table>",
    "| a | b | c |",
    "|---|---|---|",
    "| 1 |  | 3\\|4 |",
    "|  | 2 |  |",
  ].join("\n");
  assert.deepEqual(
    passagesOf(markdown).map(({ row }) => [row?.isHeader, ...(row?.cells ?? [])]),
    [
      [true, "Name", "Note", "Price"],
      [false, "Rope", "", "5"],
      [false, "", "a | b", ""],
      [false, "x", "y"],
      [false, "z"],
      [true, "a", "b", "c"],
      [false, "1", "", "3|4"],
      [false, "", "2", ""],
    ],
  );
});
