import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyPage } from "../testing/arbitrary-markdown.ts";
import { cellsOf, partsWithPipes } from "./pipe-tables.ts";
import { plainText } from "./plain-text.ts";

const shown = (markdown: string, from = 0) =>
  [...partsWithPipes(markdown, from)].map(({ text }) => text).join("");

const table = `Moons:
<table fit-page-width="true" header-row="true">
<colgroup>
<col width="120">
</colgroup>
<tr>
<td>Name</td>
<td>**Width** | km</td>
</tr>
<tr color="blue"><td>Io</td><td></td></tr>
<tr>
<td>a \\| b</td>
<td>[Europa](https://a)<br>x</td>
</tr>
</table>
Then text.
`;

const inPipes = `Moons:

| Name | **Width** \\| km |
|---|---|
| Io |  |
| a \\| b | [Europa](https://a)<br>x |

Then text.
`;

test("AGT-2: tables in tags are shown as rows of pipes, set off from what stands beside them", () => {
  assert.equal(shown(table), inPipes);
  assert.equal(shown("- A\n\t<table>\n\t<tr><td>1</td></tr>\n\t</table>\n\t- B"), "- A\n\n\t| 1 |\n\n\t- B");
  assert.equal(shown("<table>\n<tr><td>1</td>\n</tr>\n</table>"), "| 1 |\n");
  assert.equal(shown("<tr><td>1</td><th>2</th></tr>\n| a | b |"), "| 1 | 2 |\n| a | b |");
});

test("AGT-2: what is no table stays as it is", () => {
  for (const text of [
    "",
    "a\n\nb",
    "```\n<table>\n<tr><td>1</td></tr>\n```\n",
    "a <table> b",
    "| a |\n|---|\n| b |",
  ])
    assert.equal(shown(text), text);
});

test("AGT-2: reading may end after any part and continue there; within a table, the header is repeated", () => {
  const rest =
    "| Name | **Width** \\| km |\n|---|---|\n| a \\| b | [Europa](https://a)<br>x |\n\nThen text.\n";
  const secondRow = table.indexOf("<tr>\n<td>a");
  assert.equal(shown(table, secondRow), rest);
  assert.equal(shown(table, table.indexOf("Europa")), rest, "a position within a row is that row");
  assert.equal(shown(table, table.indexOf("Then")), "Then text.\n");
  assert.equal(shown(table, table.indexOf("<tr>")), inPipes.slice(inPipes.indexOf("|")));
});

test("AGT-2: the parts of a text cover it without gaps, and lose no word", () => {
  const rows = fc.constantFrom(
    '<table header-row="true">',
    "<table>",
    "<tr>\n<td>one</td>\n<td>two | three</td>\n</tr>",
    "<tr><td>four</td></tr>",
    "\t<tr>\n\t<td>five\n",
    "</table>",
  );
  const texts = fc.array(fc.oneof(rows, rows, anyPage), { maxLength: 12 }).map((parts) => parts.join("\n"));
  fc.assert(
    fc.property(texts, fc.nat(), (markdown, at) => {
      const from = markdown.length === 0 ? 0 : at % markdown.length;
      let end = from;
      for (const part of partsWithPipes(markdown, from)) {
        assert.ok(part.start === end || (part.isRow && part.start < from && from === end), "a gap");
        end = part.end;
      }
      assert.equal(end, markdown.length);
      const words = (text: string) => text.match(/\b(?:one|two|three|four|five|word)\b/gi) ?? [];
      assert.deepEqual(words(plainText(shown(markdown)).text), words(plainText(markdown).text));
    }),
  );
});

test("AGT-2: the cells of a row have their places", () => {
  const row = "<tr>\n<td> a </td>\n<th>b</td></th>\n<td></td><td>c</td></tr>";
  assert.deepEqual(
    cellsOf(`x\n${row}`, 2, row.length + 2).map(({ start, end }) => `x\n${row}`.slice(start, end)),
    ["a", "b</td>", "", "c"],
  );
});
