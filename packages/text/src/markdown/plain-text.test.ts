import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CodePoints } from "../basics/code-points.ts";
import { plainText } from "./plain-text.ts";

const shown = (markdown: string) => plainText(markdown).text;

test("GRAPH-17: a reader sees no markup and no addresses", () => {
  const cases: [string, string][] = [
    ["# A **bold** heading", "A bold heading"],
    ['## Toggle {toggle="true" color="red_background"}', "Toggle"],
    ["- [x] done ~~not~~ *yes*", "done not yes"],
    ["12. twelfth", "twelfth"],
    ["> quoted ***loud***", "quoted loud"],
    [
      "see [the *plan*](https://a.example/b_(c)) and ![a caption](https://i.example)",
      "see the plan and a caption",
    ],
    ["[![both](a)](b) [not a link] (c) [open", "both [not a link] (c) [open"],
    ["as said[^https://a.example/b].", "as said."],
    ["`code *as* is` and `` a ` b ``, ` open", "code *as* is and a ` b, ` open"],
    ["$x^2$ costs $5 and $6", "x^2 costs $5 and $6"],
    ["\\*no\\* \\[link\\](a) \\\\ C:\\dir", "*no* [link](a) \\ C:\\dir"],
    ["2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"],
    ['<mention-page url="https://x/1">A page</mention-page>, <mention-page url="https://x/2"/>', "A page, "],
    ['on <mention-date start="2026-01-02" end="2026-01-03"/>', "on 2026-01-02 2026-01-03"],
    ['<span color="red">red</span> one<br>two<br><br/>three', "red one\ntwo\nthree"],
    ["<https://a.example> 1 < 2 and 3 > 2, a <b", "https://a.example 1 < 2 and 3 > 2, a <b"],
    ['<unknown url="https://x" alt="embed"/>', ""],
    ["---\n***\n<empty-block/>\n\t\n", ""],
  ];
  for (const [markdown, text] of cases) assert.equal(shown(markdown), text, markdown);
});

test("GRAPH-17: blocks are lines, and code is shown as it is", () => {
  assert.equal(
    shown('# A\n\ttext\n\t\t- deep\n<callout icon="💡">\n\tinside\n</callout>\nend'),
    "A\ntext\ndeep\ninside\nend",
  );
  assert.equal(
    shown("\t```js\n\tif (a) {\n\t\treturn [1](2);\n\n\t}\n\t```\nend"),
    "if (a) {\n\treturn [1](2);\n}\nend",
  );
  assert.equal(
    shown("````\n```\n# no heading\n````\n$$\n\\frac{a}{b}\n$$"),
    "```\n# no heading\n\\frac{a}{b}",
  );
  assert.equal(shown("```\nnever closed\n**x**"), "never closed\n**x**");
});

test("GRAPH-17: the cells of a row are separated", () => {
  assert.equal(shown("| a | **b** |\n|---|:-:|\n| 1 | 2 |"), "a | b\n1 | 2");
  assert.equal(
    shown(
      '<table header-row="true">\n<tr>\n<td>A</td>\n<td></td>\n<td>B</td>\n</tr>\n<tr><td>C</td><td>D</td></tr>\n</table>',
    ),
    "A | B\nC | D",
  );
});

const parts = [
  ..."ab é🚀設.\\`*~[]()!<>$|#-\t\n{}",
  ...["**", "~~", "](", "![", "[^", "```", "$$", "<br>", "<td>", "<tr>", "</tr>", "- ", "1. ", "> ", "# "],
  ...['<mention-date start="2026-01-02"/>', "[a](b)", "\\*", "`` ` ``", ' {color="red"}', "\ud800"],
];
const anyMarkdown = fc.array(fc.constantFrom(...parts), { maxLength: 30 }).map((some) => some.join(""));

test("GRAPH-28: each character of the text has its place in the Markdown", () => {
  fc.assert(
    fc.property(anyMarkdown, (markdown) => {
      const { text, blocks, sourceAt } = plainText(markdown);
      let before = -1;
      for (const { from, to, start, end } of blocks) {
        assert.ok(to > from);
        for (let position = from; position < to; position += 1) {
          const source = sourceAt(position);
          assert.ok(source >= before && source >= start && source <= end);
          before = source;
          const isSeparator = /[\s|]/.test(text.charAt(position));
          assert.ok(markdown[source] === text[position] || isSeparator, `${position} of ${text}`);
        }
      }
      assert.equal(text, blocks.map(({ from, to }) => text.slice(from, to)).join("\n"));
    }),
    { numRuns: 3000 },
  );
});

test("GRAPH-28: a place in the Markdown has its position in the text", () => {
  fc.assert(
    fc.property(anyMarkdown, (markdown) => {
      const { text, sourceAt, positionOf } = plainText(markdown);
      for (let position = 0; position < text.length; position += 1) {
        if (markdown[sourceAt(position)] !== text[position]) continue;
        assert.equal(sourceAt(positionOf(sourceAt(position))), sourceAt(position));
      }
    }),
    { numRuns: 1000 },
  );
});

test("GRAPH-28: positions are converted to code points and back", () => {
  const anyText = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "é", "🚀", "\ud83d", "\ude80") }),
    fc
      .tuple(fc.nat({ max: 1100 }), fc.nat({ max: 3 }))
      .map(([n, tail]) => "a🚀".repeat(n) + "b".repeat(tail)),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const codePoints = new CodePoints(text);
      let count = 0;
      let unit = 0;
      for (const character of text) {
        assert.equal(codePoints.before(unit), count);
        assert.equal(codePoints.unitAt(count), unit);
        unit += character.length;
        count += 1;
      }
      assert.equal(codePoints.before(unit), count);
      assert.equal(codePoints.unitAt(count), unit);
    }),
  );
});
