import assert from "node:assert/strict";

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
  "]({{<ref ",
  "]({{< ref a ",
  '="{{% relref "',
  "<!--",
  "<!-- a -->",
  "{/*",
  "{/* */ ",
  "{/* a */}",
  '{"',
  "{#a",
  "<a {",
  "<A b={",
  "<A>",
  "<div>",
  "<div>x",
  "<pre>",
  "<pre><code ",
  "<pre>\n\n",
  '<code class="',
  "</div>",
  "<script>",
  "import a\n",
  "import {a} from\n",
  "export a\n",
  "$$ a",
  "$",
  "$a",
  "$a ",
  "$[",
  "\\$",
  "[[a<b ",
  "%%",
  "%% ",
  "%%\n",
  "a%% ",
  "a%%\n",
  "# Drawing\n",
  "==⚠",
  "## Text Elements\n",
  " ^abcdefgh",
  "[[a <b>]]",
  "`a` ",
  "``` `",
  "\u00a0",
];

/** Processor time in milliseconds; the least of two, since the first may compile code. */
function effortOf(work: () => unknown): number {
  const once = () => {
    const start = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1_000;
  };
  const first = once();
  return first < bound ? first : Math.min(first, once());
}

/** Prose of the largest size takes about 1 ms; quadratic work on it takes seconds, and exponential work on the smallest does. */
const bound = 500;

/** Asserts that a reader takes no text of hostile markup much longer than prose of its length. */
export function assertQuick(reader: string, read: (text: string) => unknown): void {
  for (const size of [26, 60, 1_000, 40_000])
    for (const unit of units)
      for (const end of ["", "x", "\n"]) {
        const text = unit.repeat(size / unit.length) + end;
        const taken = effortOf(() => read(text));
        const what = `${reader}, ${size} × ${JSON.stringify(unit)} and ${JSON.stringify(end)}`;
        assert.ok(taken < bound, `${what}: ${Math.round(taken)} ms`);
      }
}
