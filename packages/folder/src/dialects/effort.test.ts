import assert from "node:assert/strict";
import { test } from "node:test";
import type { Dialect } from "./dialect.ts";
import { docusaurus } from "./docusaurus.ts";
import { logseq } from "./logseq.ts";
import { mdbook } from "./mdbook.ts";
import { obsidian } from "./obsidian.ts";
import { starlight } from "./starlight.ts";
import { vitepress } from "./vitepress.ts";

const dialects: readonly Dialect[] = [obsidian, logseq, docusaurus, starlight, mdbook, vitepress];

/** Openings, ends and parts of the markup of all tools: a pattern that looks for the other end has to look far. */
const units = [
  "> ",
  ">",
  " > ",
  ">\t",
  "> [!tip] ",
  "> [!tip] a\n",
  "[!",
  "[[",
  "]]",
  "[[a|",
  "((",
  "))",
  "{{",
  "}}",
  "{{<",
  "%}}",
  "^a ",
  " ^a",
  "^",
  "#",
  "#tag ",
  "# a\n",
  "- ",
  "- - ",
  "* ",
  "\t- ",
  "\t",
  " ",
  "\n",
  "\r\n",
  "::",
  "a:: b\n",
  "- a::\n",
  ":::",
  ":::note\n",
  "::::a[",
  ":::tip[b]{c}\n",
  "<<< @/a\n",
  "<!--@include: a-->\n",
  "{{#include a}}",
  "{{#",
  "@[[",
  "`",
  "``",
  "` ",
  "```\n",
  "~~~\n",
  "```a\n\t",
  "\\",
  "\0",
  "\0" + "1",
  "$$\n",
  "<",
  "<a ",
  '="',
  "(",
  ")(",
  "](",
];

/** Processor time in milliseconds; the least of two, since the first may compile code. */
function effortOf(dialect: Dialect, text: string): number {
  const once = () => {
    const start = process.threadCpuUsage();
    dialect.prepare?.(text);
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1_000;
  };
  const first = once();
  return first < bound ? first : Math.min(first, once());
}

/** Prose of the largest size takes about 1 ms; quadratic work on it takes seconds, and exponential work on the smallest does. */
const bound = 500;

test("SRC-2: no text takes a dialect much longer to read than prose of its length", () => {
  for (const dialect of dialects.filter(({ prepare }) => prepare !== undefined))
    for (const size of [26, 60, 1_000, 40_000])
      for (const unit of units)
        for (const end of ["", "x", "\n"]) {
          const text = unit.repeat(size / unit.length) + end;
          const taken = effortOf(dialect, text);
          const what = `${dialect.id}, ${size} × ${JSON.stringify(unit)} and ${JSON.stringify(end)}`;
          assert.ok(taken < bound, `${what}: ${Math.round(taken)} ms`);
        }
});
