import assert from "node:assert/strict";
import { Session } from "node:inspector";
import { test } from "node:test";
import { pageTokens } from "./page.ts";
import { termStrings } from "./terms.ts";

/** Openings, ends and parts of all markup: a reader that looks for the other end has to look far. */
const units = [
  ...["[", "![", "[a](", "](", "[a](((", "[a]", "[a](b)", "[a](b[a](b", "[^", "[^a", "[^[", "(", ")", "]"],
  ...[
    "<",
    "<a",
    "<a ",
    '<a b="',
    '<a b="" ',
    "<a:",
    "<br>",
    "<td>",
    "<tr>\n",
    "<tr>\n<td>",
    "</tr>\n",
    "<a =",
    "<!--",
  ],
  ...[
    '<mention-date start="1"/>',
    "<empty-block/>\n",
    "`",
    "` ",
    "``a",
    "`\\",
    "$",
    "$ ",
    "\\$",
    "$a",
    "\\",
    "*",
    "* ",
    "*a",
  ],
  ...[
    "**a*",
    "~~",
    "~~a",
    "~ ",
    "{",
    '{a="',
    "}",
    "}\n",
    "|",
    "| a ",
    "|-",
    "-",
    "- ",
    "> ",
    "1. ",
    "#",
    "# a\n",
    "## \n",
  ],
  ...[
    "```\n",
    "~~~\n",
    "```",
    "$$\n",
    "\t",
    "\t\n",
    "\n",
    "\r\n",
    "---\n",
    ".",
    ". ",
    '."',
    "。",
    "!?",
    "a.b",
    "A. ",
    "\u00a0",
  ],
  ...[
    "a",
    "é",
    "e\u0301",
    "\u0301",
    "設",
    "ก้",
    "か\u3099",
    "ﷺ",
    "한",
    "ᄀ",
    "🚀",
    "\ud800",
    "\udc00",
    "\u200b",
    "+",
    "c+",
    "𐐔",
  ],
];

const textsOf = (size: number): string[] => [
  ...units.map((unit) => unit.repeat(size / unit.length)),
  ...units.map((unit) => `${unit}${" ".repeat(size)}`),
  ...[
    ["[", "](u)"],
    ["*a ", " a*"],
    ['<a b="', '">'],
  ].map(([open = "", close = ""]) => open.repeat(size / 10) + close.repeat(size / 10)),
  Array.from({ length: Math.sqrt(2 * size) }, (_, length) => "`".repeat(length)).join(" "),
  Array.from({ length: Math.sqrt(2 * size) }, (_, length) => "*".repeat(length)).join("a "),
  Array.from({ length: Math.sqrt(2 * size) }, (_, depth) => `${"\t".repeat(depth)}- a`).join("\n"),
];

/** Counts how often the statements of this folder's files run. */
function stepsOf(session: Session, work: () => void): number {
  const count = () => {
    let steps = 0;
    session.post("Profiler.takePreciseCoverage", (_, { result }) => {
      for (const { url, functions } of result) {
        if (!/\/text-index\/src\/text\/(?!.*\.test\.ts)/.test(url)) continue;
        for (const { ranges } of functions) for (const range of ranges) steps += range.count;
      }
    });
    return steps;
  };
  count();
  work();
  return count();
}

test("GRAPH-17: the steps to read a text grow with its length, whatever it contains", () => {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const read = (markdown: string) => () => {
    pageTokens({ title: "", aliases: [], properties: [], markdown }, termStrings);
  };
  const [shorter, longer] = [textsOf(5_000), textsOf(20_000)];
  for (const [index, text] of shorter.entries()) {
    read(text)();
    const few = stepsOf(session, read(text));
    const many = stepsOf(session, read(longer[index] ?? ""));
    // Quadratic work would be 16 times as much.
    assert.ok(many < 5 * few + 1000, `${JSON.stringify(text.slice(0, 20))}: ${few} steps, then ${many}`);
    assert.ok(few < 200 * text.length, `${JSON.stringify(text.slice(0, 20))}: ${few} steps`);
  }
  session.disconnect();
});
