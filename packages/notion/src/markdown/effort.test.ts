import assert from "node:assert/strict";
import { test } from "node:test";
import { bareId, someId } from "../testing/api-objects.ts";
import { referencesIn } from "../testing/texts.ts";
import { withoutExpiringUrls } from "../urls.ts";

const size = 300_000;

/** Openings, ends and parts of all markup: a parser that looks for the other end has to look far. */
const units = [
  ...["[", "![", "[[", "[![", "[a](", "[a](<", "![a](", "[](", "[a](((", "](", "[a]", "[a](b)", "![a](b)"],
  ...['[a](b "', "[a](b '", "[a](b (", "[a](b[a](b", "![![a](b)](c)", "[^", "[^a", "[^[", "[^a]"],
  ...["<", "<a", "<a ", "<a:", "<a  ", '<a b="', "<a b='", '<a b="" ', '<a b="<a b=" ', "<https://a", "<br>"],
  ...[
    '<unknown url="',
    '<page url="">',
    "[<a",
    "<a [",
    "[`",
    "`[",
    "![`](",
    "`",
    "` ",
    "``a",
    "\\",
    "\\[",
    "[\\",
  ],
  ...[
    "```\n",
    "~~~\n",
    "$$\n",
    "```",
    "$$",
    "\t",
    "\t\n",
    "\t\t- ",
    "\n",
    "\r\n",
    "|",
    "| [a](b) |",
    "> ",
    "(",
    "*",
  ],
  ...["https://", "(https://a", "https://a(", "https://a)", "&amp;", "&", "\ud800", "\0", "<details>\n\t"],
];

const nestings = [
  ["[", "](u)"],
  ["![", "](u)"],
  ['<a b="', '">'],
] as const;

const runs = Array.from({ length: Math.sqrt(2 * size) }, (_, length) => "`".repeat(length));

const texts: readonly string[] = [
  ...units.map((unit) => unit.repeat(size / unit.length)),
  ...units.map((unit) => `${unit}${" ".repeat(size)}`),
  ...nestings.map(([open, close]) => open.repeat(size / 10) + close.repeat(size / 10)),
  ...nestings.map(([open, close]) => (open.repeat(90) + close.repeat(90)).repeat(size / 1000)),
  ...nestings.map(([open, close]) => open.repeat(90) + "<br>".repeat(size / 4) + close.repeat(90)),
  runs.join(" "),
  `${runs.toReversed().join(" ")}<`,
  `<a${' b=""'.repeat(size / 5)}`,
  Array.from({ length: Math.sqrt(2 * size) }, (_, depth) => `${"\t".repeat(depth)}[a](b)`).join("\n"),
];

/** CPU time in milliseconds. */
function effort(text: string): number {
  const start = process.cpuUsage();
  referencesIn(withoutExpiringUrls(text));
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

// Quadratic work on this many characters takes thousands of times as long as prose, not a hundred.
test("SYNC-5: no text takes much longer to parse than prose of its length", () => {
  const sentence = `Some [words](https://www.notion.so/${bareId(1)}) and \`code\` <mention-user url="x"/> in a line.\n`;
  const prose = sentence.repeat(size / sentence.length);
  const bound = 100 * Math.max(effort(prose), effort(prose));
  for (const text of texts) {
    const taken = effort(text);
    assert.ok(taken < bound, `${JSON.stringify(text.slice(0, 40))}: ${taken} ms of ${bound}`);
  }
});

test("SYNC-5: an unclosed bracket does not hide the links after it", () => {
  for (const open of ["[", "![", "<a ", "[^", '[a](b "'])
    assert.deepEqual(
      referencesIn(`${open.repeat(500)} [a](/${bareId(1)})`).references.map(({ targetId }) => targetId),
      [someId(1)],
    );
});
