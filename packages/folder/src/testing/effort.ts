import assert from "node:assert/strict";

/** Openings, ends and parts of the markup of all tools: a pattern that looks for the other end has to look far. */
const markup = [
  "-    ",
  "*   ",
  "1.   - ",
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
  "<!-- @include: a.md",
  "{{#include a}}",
  "{{#include a.md",
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
    for (const unit of markup)
      for (const end of ["", "x", "\n"]) {
        const what = `${reader}, ${size} × ${JSON.stringify(unit)} and ${JSON.stringify(end)}`;
        assertWithin(bound, what, () => read(unit.repeat(size / unit.length) + end));
      }
}

/** A language of data: its openings, ends and parts, and beginnings after which those are within a value. */
interface DataLanguage {
  readonly units: readonly string[];
  readonly beginnings: readonly string[];
}

export const toml: DataLanguage = {
  beginnings: ["", "a = [\n", 'a = """'],
  units: [
    "a = 1\n",
    "a = [",
    "a = {",
    '"""a"""',
    '"b",\n# the part\n',
    "# the part of it\n",
    "'''",
    '\\"""',
    "\\",
    "\\\n ",
    "a.",
    "1 ",
    "_",
    " ",
    "\n",
    "\r\n",
    "]",
    ",",
    "+++",
  ],
};

export const yaml: DataLanguage = {
  beginnings: ["", "x: [", "x: &a [*a, "],
  units: [
    "a: b\n",
    "{a: ",
    "[a, ",
    "- ",
    "? ",
    "? a\n",
    "&a ",
    "*a, ",
    "!a ",
    "a: |\n",
    "a: >\n b\n",
    '"a" ',
    '"\\u',
    "'",
    "---\n",
    "% a\n",
    " ",
    " \n",
    "\t",
    "`\n",
    ": ",
    "]",
  ],
};

/** The parser of YAML takes ten times as long as prose does; exponential work on the smallest text takes far longer than this. */
const dataBound = 5 * bound;

/** Asserts that a reader takes no hostile data of a language much longer than ordinary lines of its length. */
export function assertQuickData({ units, beginnings }: DataLanguage, read: (text: string) => unknown): void {
  for (const beginning of beginnings)
    for (const size of [26, 60, 1_000, 40_000])
      for (const unit of units) {
        const what = `${size} × ${JSON.stringify(unit)} after ${JSON.stringify(beginning)}`;
        assertWithin(dataBound, what, () => read(beginning + unit.repeat(size / unit.length)));
      }
}

/** Asserts that a reader takes no numbers of names and aliases much longer than others, near the most that is read and beyond. */
export function assertQuickNames(reader: string, read: (text: string) => unknown): void {
  for (const [name, text] of Object.entries(numberedData))
    assertWithin(dataBound, `${reader}, ${name}`, () => read(text));
}

const numbered = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

/** Names that differ, and aliases of aliases. Comparing each of 20 000 names with all others takes tens of seconds. */
const numberedData: Readonly<Record<string, string>> = {
  keys: numbered(7_000, (index) => `k${index}: 1`),
  "columns of a description": numbered(20_000, (index) => `k${index}: 1`),
  "many keys": numbered(100_000, (index) => `key${index}: 1`),
  "keys in braces": `x: {${numbered(20_000, (index) => `k${index}: 1,`)}}`,
  "keys of TOML": numbered(7_000, (index) => `k${index} = 1`),
  "anchors and aliases": numbered(4_000, (index) => `k${index}: &a${index} 1\nl${index}: *a${index}`),
  "aliases of aliases": `a0: &a0 [x, x]\n${numbered(50, (index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`)}`,
  "deep lines": numbered(340, (index) => `${" ".repeat(index)}a:`),
};

function assertWithin(most: number, what: string, work: () => unknown): void {
  const taken = effortOf(work);
  assert.ok(taken < most, `${what}: ${Math.round(taken)} ms`);
}
