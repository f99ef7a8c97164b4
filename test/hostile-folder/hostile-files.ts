import { integer, pick, type Random, seededRandom } from "@clew/stand-in/testing/random";

/** A file of a folder as a hostile or unlucky person writes it. Its seed makes the same file again. */
export interface HostileFile {
  readonly seed: number;
  readonly kind: string;
  /** The name of the file, with its ending. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Makes a text of about a length in UTF-16 code units. */
type Kind = (random: Random, length: number) => string;

const mebibyte = 1_048_576;

/** Larger files are not read. */
const maxBytes = 5 * mebibyte;

/** The length of a file: up to 16 KiB, and of a few up to 5 MiB. */
function lengthOf(random: Random, longShare: number): number {
  const isLong = random() < longShare;
  const exponent = isLong ? 14 + 8.4 * random() ** 1.5 : 14 * random();
  return Math.min(maxBytes, Math.floor(2 ** exponent));
}

/** Repeats what `make` makes until the text has its length. */
function filled(length: number, make: (index: number) => string): string {
  const parts: string[] = [];
  for (let chars = 0, index = 0; chars < length; index += 1) {
    const part = make(index) || " ";
    parts.push(part);
    chars += part.length;
  }
  return parts.join("").slice(0, Math.max(0, length));
}

const repeated = (unit: string, length: number) => unit.repeat(Math.max(1, Math.floor(length / unit.length)));

const words =
  "the a of thread leads page Ariadne labyrinth quokka und 迷宮 線 Ελλάδα naïve 🚀 x 42 v1.2".split(" ");
const word = (random: Random) => pick(random, words);
const sentence = (random: Random) =>
  `${Array.from({ length: integer(random, 1, 12) }, () => word(random)).join(" ")}. `;

/** Openings, ends and parts of the markup of all tools. */
// biome-ignore format: a list to read as a whole
const units = [
  "*", "_", "~", "`", "[", "]", "<", ">", "(", ")", "|", "#", "-", "+", "!", "&", "\\", "$", "%", "{", "}",
  "=", "^", ":", "\"", "'", "@", "/", ".", ",", "\t", " ", "\n", "\r\n", "\0", "\u00a0", "\u2028", "\u202e",
  "**", "__", "~~", "``", "```", "~~~", "[[", "]]", "((", "))", "{{", "}}", "![", "](", "]: ", "[^", "[!",
  "==", "$$", "%%", ":::", "::", "<!--", "-->", "<![CDATA[", "<?", "</", "/>", "{/*", "*/}", "{{<", ">}}", "{{%",
  "%}}", "{%", "%}", "---", "+++", "...", "***", "- ", "* ", "1. ", "> ", "# ", "## ", "| ", "|-|", "- [ ] ", "<a ",
  "<a b=\"", "<A b={", "<td>", "<tr>", "<table>", "<div>", "</div>", "<pre>", "<script>", "<details>", "<br>", "&amp;",
  "&#x", "\\[", "a", "é", "e\u0301", "設", "\ud83e", "\udd87", "http://", "https://a.b/", "www.", "a@b.c", "[a](b)",
  "[[a]]", "[[a|", "[[a#", "![[", "[a][b]", "[a]: b\n", "((a", "{{embed ", "#tag ", "#[[", "^id", "id:: ", "a:: b\n",
  "- a\n", "  - a\n", "\t- a\n", "> [!tip] a\n", "!!! a\n", "    a\n", "import a\n", "export a\n", "<!-- @include: a",
  "<!--@include: a-->\n", "<<< @/a\n", "{{#include a", "{{#include a}}", "{{< ref a", "{{< ref \"a\" >}}",
  "[a]({{< ref b", "$a$", "$`a`$", "{#a}", "{ .a }", "# a {#b}\n", "#+BEGIN_SRC\n", "#+END_SRC\n", "::: a\n", ":::\n",
];

const unit = (random: Random) => pick(random, units);

const listMarkers = ["-", "*", "+", "1.", "2)", "- [ ]", "123456789."];
const pairs = [
  ["[", "]"],
  ["[", "](a)"],
  ["![", "](a)"],
  ["(", ")"],
  ["*", "*"],
  ["**a ", " b**"],
  ["_", "_"],
  ["~~", "~~"],
  ["<b>", "</b>"],
  ["<div>\n", "</div>\n"],
  ["<details><summary>", "</summary></details>"],
  ["<A b={", "}/>"],
  ["{", "}"],
  ["[[", "]]"],
  ["((", "))"],
  ["{{", "}}"],
  ["> ", ""],
  ["- ", ""],
  ["1. ", ""],
  ["> - ", ""],
  ["::: a\n", ":::\n"],
  ["<table><tr><td>", "</td></tr></table>"],
] as const;

/** The forms of links; `{}` stands for a name. */
const linkForms = [
  "[a]({})",
  "[a](<{}>)",
  '[a]({} "t")',
  "![a]({}.png)",
  "[[{}]]",
  "[[{}|a]]",
  "[[{}#a]]",
  "[[{}#^a]]",
  "![[{}]]",
  "[{}]",
  "[a][{}]",
  "[{}][]",
  "[{}]: {}\n",
  "[^{}]",
  "[^{}]: a\n",
  "<https://a.example/{}>",
  "https://a.example/{}",
  '<a href="{}">a</a>',
  '<Link to="{}">a</Link>',
  "((0000{}-0000-4000-8000-000000000000))",
  "{{embed [[{}]]}}",
  "#[[{}]]",
  "#{}",
  '[a]({{< ref "{}" >}})',
  '{{< relref "{}" >}}',
  "<!--@include: {}-->\n",
  "{{#include {}}}\n",
  "[a](@/{})",
  "{% link {} %}",
  "[[a|{}]]",
] as const;

const link = (random: Random, name: number | string) => pick(random, linkForms).replaceAll("{}", `p${name}`);

const opened = [
  "```\n",
  "~~~~ a\n",
  "<!-- ",
  "{/* ",
  "$$\n",
  "%%\n",
  "<pre>\n",
  "<script>\n",
  '<a b="',
  "<A b={`",
  "<![CDATA[",
  "<?php ",
  "::: a\n",
  "#+BEGIN_SRC\n",
  "[a](<",
  '[a](b "',
  "{{< a ",
  "<table>\n<tr>\n<td>",
  "import {\n",
  "export const a = `\n",
];

/** Kinds of texts of pages. */
const pageKinds: Readonly<Record<string, Kind>> = {
  prose: (random, length) => filled(length, () => `${sentence(random)}${random() < 0.2 ? "\n\n" : ""}`),
  "list markers": (random, length) => {
    const [marker, gap] = [pick(random, listMarkers), pick(random, [" ", "  ", "    ", "\t", "     "])];
    const line = (count: number) => `${`${marker}${gap}`.repeat(count)}x\n`;
    return random() < 0.5
      ? line(length / (marker.length + gap.length))
      : filled(length, () => line(integer(random, 1, 40)));
  },
  nesting: (random, length) => {
    const [open, close] = pick(random, pairs);
    const depth = Math.max(1, Math.floor(length / (open.length + close.length)));
    return open.repeat(depth) + (random() < 0.5 ? "a" : "") + (random() < 0.7 ? close.repeat(depth) : "");
  },
  "mixed nesting": (random, length) => {
    const chosen = Array.from({ length: integer(random, 2, 5) }, () => pick(random, pairs));
    const depth = Math.max(1, Math.floor(length / 12));
    const open = filled(length / 2, (index) => chosen[index % chosen.length]?.[0] ?? "");
    return `${open}a${repeated(
      chosen
        .map(([, close]) => close)
        .reverse()
        .join("") || "\n",
      depth,
    )}`;
  },
  "indented list": (random, length) => {
    const step = pick(random, [" ", "  ", "    ", "\t"]);
    const marker = pick(random, listMarkers);
    return filled(length, (index) => `${step.repeat(index)}${marker} ${word(random)}\n`);
  },
  "wide table": (random, length) => {
    const width = integer(random, 2, Math.max(2, Math.min(4_000, length)));
    const row = (cell: string) => `|${cell.repeat(width)}\n`;
    return filled(length, (index) => row(index === 1 ? "-|" : pick(random, ["a|", "|", " \\||", "[a](b)|"])));
  },
  "long table": (random, length) => {
    const width = integer(random, 1, 12);
    const row = (make: () => string) => `|${Array.from({ length: width }, make).join("|")}|\n`;
    return filled(length, (index) => row(() => (index === 1 ? "---" : ` ${word(random)} `)));
  },
  "ragged table": (random, length) =>
    filled(length, (index) =>
      index === 1
        ? `${"|-".repeat(integer(random, 1, 300))}|\n`
        : `${pick(random, ["|a", "|`", "|$", "|[[a|b]]", "|\\", "|\t"]).repeat(integer(random, 1, 300))}\n`,
    ),
  "HTML table": (random, length) =>
    `<table>\n${filled(length, () => pick(random, ["<tr>\n", "<td>a</td>\n", "<td>", "</tr>\n", "</td>", "<th>b"]))}`,
  "one unit": (random, length) => repeated(unit(random), length) + pick(random, ["", "x", "\n", "\nx"]),
  "two units": (random, length) => repeated(unit(random) + unit(random), length),
  "one unit, then another": (random, length) =>
    repeated(unit(random), length / 2) + repeated(unit(random), length / 2),
  "lines of a unit": (random, length) => {
    const own = unit(random).repeat(integer(random, 1, 60));
    return filled(length, () => `${own}${random() < 0.1 ? unit(random) : ""}\n`);
  },
  "units in any order": (random, length) => filled(length, () => unit(random).repeat(integer(random, 1, 4))),
  "few units in any order": (random, length) => {
    const few = Array.from({ length: integer(random, 2, 5) }, () => unit(random));
    return filled(length, () => pick(random, few));
  },
  "runs that grow": (random, length) => {
    const own = pick(random, ["*", "_", "`", "~", "$", "#", ">", "[", "<", ":", "=", "|", "-"]);
    return filled(length, (index) => `${own.repeat(index + 1)}${pick(random, ["a ", " ", "\n"])}`);
  },
  unclosed: (random, length) => filled(length, () => pick(random, opened) + sentence(random)),
  "unclosed, then long": (random, length) => pick(random, opened) + filled(length, () => sentence(random)),
  "one line": (random, length) => filled(length, () => word(random) + pick(random, [" ", "", "-"])),
  "one word": (random, length) => repeated(word(random), length),
  links: (random, length) => {
    const form = pick(random, linkForms);
    const gap = pick(random, ["", " ", "\n", "\n\n"]);
    const isSame = random() < 0.3;
    return filled(length, (index) => form.replaceAll("{}", isSame ? "p" : `p${index}`) + gap);
  },
  "links of all forms": (random, length) =>
    filled(length, (index) => `${link(random, index)}${pick(random, ["", " ", "\n"])}`),
  "references and definitions": (_, length) =>
    filled(length / 2, (index) => `[r${index}] `) +
    "\n\n" +
    filled(length / 2, (index) => `[r${index}]: p${index}.md\n`),
  attributes: (random, length) => {
    const name = pick(random, ["a", "A", "div", "td", "span", "mention-page"]);
    const form = pick(random, ['b="c" ', "b='", "b ", "b={c} ", "{...b} ", 'b="\n', "b=", "= "]);
    return `<${name} ${repeated(form, length)}${pick(random, [">", "/>", ""])}`;
  },
  tags: (random, length) =>
    filled(length, () =>
      pick(random, ["<b>", "</b>", "<div>", "</div>", "<br/>", "<A/>", "<p\n", "<i a=b>", "a"]),
    ),
  headings: (random, length) =>
    filled(length, (index) =>
      pick(random, [
        `# ${word(random)} ${index} #####\n`,
        `#${" ".repeat(index % 500)}#\n`,
        "a\n===\n",
        `## a {#b${index}}\n`,
      ]),
    ),
  includes: (random, length) => {
    const form = pick(random, [
      "<!-- @include: a.md",
      "<!--@include: a.md-->\n",
      "<!-- @include: a.md{1,2",
      "{{#include a.md",
      "{{#include a.md}}",
      "{{#rustdoc_include a.md:b",
      "<<< @/a{1",
      "{{< ref a",
      '[a]({{< ref "b',
      '{{% relref "a',
      "{% post_url a",
      "{{embed ((",
      "@[[",
      '--8<-- "a"\n',
    ]);
    return repeated(form + pick(random, ["", " ", "\n"]), length);
  },
  containers: (random, length) =>
    filled(length, () =>
      pick(random, [
        ":::note\n",
        "::::a[b]{c}\n",
        ":::\n",
        "::::\n",
        "a\n",
        "> [!tip]\n",
        '=== "a"\n',
        "    b\n",
        "!!! a\n",
        "\n",
      ]),
    ),
  formulas: (random, length) =>
    filled(length, () =>
      pick(random, [
        "$",
        "$$",
        "$a$",
        "$[",
        "\\$",
        "$`",
        "`$",
        "a ",
        "$ a",
        "\n",
        "$\\left[x\\right](b.md)$",
      ]),
    ),
  outline: (random, length) =>
    filled(
      length,
      (index) =>
        `${"\t".repeat(index % integer(random, 1, 60))}- ${pick(random, ["a:: b", "id:: 00000000-0000-4000-8000-000000000000", "#+BEGIN_QUOTE", "{{query (and [[a]])}}", "((a))", "TODO a"])}\n`,
    ),
  unicode: (random, length) =>
    filled(length, () =>
      pick(random, [
        "\u0301",
        "\u202e",
        "\u2028",
        "\u200d",
        "\ufeff",
        "\0",
        "İ",
        "ﷺ",
        "한",
        "ᄀ",
        "か\u3099",
        "👩‍👩‍👧‍👦",
        "\u0085",
        "a",
      ]),
    ),
  drawing: (random, length) =>
    `---\nexcalidraw-plugin: parsed\n---\n# Text Elements\n${filled(length, () => pick(random, ["a ^abcdefgh\n", "%%\n", "## Drawing\n", "```json\n", "{}\n"]))}`,
};

const yamlScalars = [
  "a",
  '"a',
  "'a",
  "[",
  "[a, b",
  "{a: b",
  "{",
  "|",
  ">-",
  "&a",
  "*a",
  "!!binary a",
  "!!set {a}",
  "<<: *a",
  "9".repeat(400),
  "1e400",
  "0x7fffffffffffffffffff",
  "1_000",
  "2026-01-01",
  "2026-99-99T99:99:99Z",
  "~",
  ".nan",
  "? a",
  "- a",
  "#",
  "%",
  "@",
  "`",
  "\t",
  '"\\u12"',
  "null",
  "true",
];

/** Kinds of front matter, without the lines around it. */
const yamlKinds: Readonly<Record<string, Kind>> = {
  keys: (random, length) => filled(length, (index) => `k${index}: ${word(random)}\n`),
  "equal keys": (random, length) => filled(length, () => `k: ${word(random)}\n`),
  "keys of a flow": (_, length) => `a: {${filled(length, (index) => `k${index}, `)}`,
  "closed flow": (_, length) => `a: {${filled(length, (index) => `k${index}: 1, `)}}\n`,
  "list of a flow": (random, length) =>
    `tags: [${filled(length, (index) => `t${index}, `)}${pick(random, ["]", ""])}\n`,
  list: (_, length) => `tags:\n${filled(length, (index) => `  - t${index}\n`)}`,
  nesting: (random, length) =>
    `a: ${repeated(pick(random, ["[", "{a: ", "- ", "? ", "[{", "!!a ", "&a [", "{a: ["]), length)}`,
  "closed nesting": (_, length) => `a: ${"[".repeat(length / 2)}${"]".repeat(length / 2)}\n`,
  indents: (_, length) => filled(length, (index) => `${" ".repeat(index)}a:\n`),
  aliases: (_, length) => `a: &a [b]\nc: [${filled(length, () => "*a, ")}]\n`,
  anchors: (_, length) =>
    filled(
      length,
      (index) => `k${index}: &a${index} [*a${Math.max(0, index - 1)}, *a${Math.max(0, index - 1)}]\n`,
    ),
  "alias bomb": (random, length) => {
    const width = integer(random, 2, 20);
    const levels = Math.max(2, Math.min(40, Math.floor(length / (6 * width))));
    const level = (index: number) =>
      `a${index}: &a${index} [${Array.from({ length: width }, () => (index === 0 ? "x" : `*a${index - 1}`)).join(", ")}]\n`;
    return Array.from({ length: levels }, (_, index) => level(index)).join("");
  },
  merges: (_, length) => `a: &a {b: c}\n${filled(length, (index) => `k${index}:\n  <<: *a\n`)}`,
  "long text": (random, length) =>
    `title: ${pick(random, ['"', "'", "", "|\n  ", ">\n  "])}${repeated(pick(random, ["a", "a b ", '\\"', "''", "\\u0041", "# "]), length)}${pick(random, ['"', "'", ""])}\n`,
  numbers: (random, length) =>
    `a: ${repeated(pick(random, ["9", "1_", "0.", "e9", "-", "0x", "1:"]), length)}\n`,
  "scalars in any order": (random, length) =>
    filled(length, (index) => `k${index}: ${pick(random, yamlScalars)}\n`),
  "scalars without keys": (random, length) =>
    filled(length, () => `${pick(random, yamlScalars)}${pick(random, ["\n", " ", ": ", ", "])}`),
  comments: (random, length) => filled(length, () => `${pick(random, ["#", "# a", "a: b #"])}\n`),
  tabs: (random, length) =>
    filled(length, () => `${"\t".repeat(integer(random, 0, 9))}a:\t${word(random)}\n`),
  "blank lines": (_, length) => repeated(" \n", length),
  units: (random, length) => filled(length, () => unit(random)),
  "one unit": (random, length) => repeated(unit(random), length),
  documents: (_, length) => repeated("--- a\n", length),
  ids: (random, length) => `id: ${repeated(pick(random, ["0", "-", "0-", "{"]), length)}\n`,
  dates: (random, length) =>
    `created: ${repeated(pick(random, ["2026-01-01 ", "2026", "T00:00:00"]), length)}\n`,
};

const tomlScalars = [
  '"a"',
  '"a',
  "'a'",
  '"""a"""',
  '"""a',
  "'''a",
  "[",
  "[1, 2]",
  '["a", # b\n',
  "{",
  "{a = 1}",
  "1_000",
  "0x_",
  "1e400",
  "inf",
  "2026-01-01T00:00:00Z",
  "true",
  "",
  "#",
];

const tomlKinds: Readonly<Record<string, Kind>> = {
  keys: (random, length) => filled(length, (index) => `k${index} = "${word(random)}"\n`),
  "open list": (_, length) =>
    `tags = [\n${filled(length, (index) => `  # the part number ${index}\n  "b${index}",\n`)}`,
  "open list of texts": (random, length) =>
    `tags = [${repeated(pick(random, ['"""a"""', "'''a'''", '"a"', "'a'", '"a",', "#a\n", '""', "''"]), length)}`,
  list: (_, length) => `tags = [${filled(length, (index) => `"t${index}", `)}]\n`,
  nesting: (random, length) => `a = ${repeated(pick(random, ["[", "{a=", "[{a=", "[#\n", '["""']), length)}`,
  "closed nesting": (_, length) => `a = ${"[".repeat(length / 2)}${"]".repeat(length / 2)}\n`,
  tables: (_, length) => filled(length, (index) => `[a${index}.b]\nc = 1\n`),
  "dotted key": (_, length) => `${repeated("a.", length)}b = 1\n`,
  "header of one table": (_, length) => `[${repeated("a.", length)}b]\n`,
  "long text": (random, length) =>
    `title = ${pick(random, ['"', "'", '"""', "'''"])}${repeated(pick(random, ["a", "\\\\", '\\"', '""', "''", "\\u0041"]), length)}`,
  "scalars in any order": (random, length) =>
    filled(length, (index) => `k${index} = ${pick(random, tomlScalars)}\n`),
  "scalars without keys": (random, length) =>
    filled(length, () => `${pick(random, tomlScalars)}${pick(random, ["\n", " ", "= ", ", "])}`),
  comments: (random, length) => filled(length, () => pick(random, ["# a\n", "#", "a = 1 # b\n"])),
  units: (random, length) => filled(length, () => unit(random)),
  "one unit": (random, length) => repeated(unit(random), length),
};

const jsonKinds: Readonly<Record<string, Kind>> = {
  keys: (_, length) => `{\n${filled(length, (index) => `"k${index}": "a",\n`)}"z": 1\n}\n`,
  open: (_, length) => `{\n${filled(length, (index) => `"k${index}": "a",\n`)}`,
  nesting: (random, length) => `{"a": ${repeated(pick(random, ["[", '{"a":', '"a', "{", "[["]), length)}`,
  "closed nesting": (_, length) => `{"a": ${"[".repeat(length / 2)}${"]".repeat(length / 2)}}\n`,
  text: (random, length) =>
    `{"title": "${repeated(pick(random, ["a", "\\\\", '\\"', "\\u0041", "}\n", "{\n"]), length)}"}\n`,
  units: (random, length) => `{${filled(length, () => unit(random))}`,
};

const fences: Readonly<Record<string, readonly [open: readonly string[], close: readonly string[]]>> = {
  YAML: [
    ["---\n", "--- \t\n", "\ufeff---\n", "---\r\n"],
    ["---\n", "...\n", "---", "", "--- \n", "----\n"],
  ],
  TOML: [
    ["+++\n", "+++ \n"],
    ["+++\n", "", "+++"],
  ],
  JSON: [[""], ["\n", ""]],
};

const frontMatterKinds: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  YAML: yamlKinds,
  TOML: tomlKinds,
  JSON: jsonKinds,
};

/** A text with front matter. */
function frontMatter(random: Random, length: number): { readonly kind: string; readonly text: string } {
  const language = pick(random, ["YAML", "YAML", "TOML", "TOML", "JSON"]);
  const kinds = frontMatterKinds[language] ?? {};
  const kind = pick(random, Object.keys(kinds));
  const [open, close] = fences[language] ?? [[""], [""]];
  const inside = kinds[kind]?.(random, length) ?? "";
  const end = random() < 0.8 ? (close[0] ?? "") : pick(random, close);
  const text = `${pick(random, open)}${inside}${inside.endsWith("\n") ? "" : "\n"}${end}# A page\n\nIts text.\n`;
  return { kind: `${language}: ${kind}`, text };
}

const endings = [".md", ".md", ".md", ".mdx", ".MD"];
const oddNames = [
  "-",
  " ",
  "a'b",
  "%2e%2e",
  "__proto__",
  "CON",
  "a#b",
  "a|b",
  "[[a]]",
  "[",
  "設",
  "e\u0301",
  "\u202ea",
  "\u2028",
  "İ",
  "(1)",
  "a.b",
  "constructor",
  ".a",
  "2026_01_01",
  "a___b",
  "_index",
  "$x",
  "\\",
];

/** The bytes of a text in the encoding of UTF-8, or rarely in another. */
function encoded(random: Random, text: string): Uint8Array {
  const draw = random();
  if (draw > 0.06) return Buffer.from(text);
  if (draw > 0.05) return Buffer.concat([Buffer.from("\ufeff"), Buffer.from(text)]);
  if (draw > 0.035) return Buffer.from(text, "latin1");
  if (draw > 0.02) return Buffer.from(`\ufeff${text}`, "utf16le");
  if (draw > 0.01) return Buffer.from(text.replaceAll("\n", "\r"));
  return Buffer.from(
    Array.from(Buffer.from(text), (byte) => (random() < 0.01 ? integer(random, 0, 255) : byte)),
  );
}

export interface HostileOptions {
  /** Which part of the file is hostile; any by default. */
  readonly of?: "front matter" | "text" | undefined;
  /** The share of files that are longer than 16 KiB. */
  readonly longShare?: number;
}

/** Makes the hostile file of a seed. */
export function hostileFile(seed: number, { of, longShare = 0.06 }: HostileOptions = {}): HostileFile {
  const random = seededRandom(Math.imul(seed + 1, 0x9e37_79b1));
  const length = lengthOf(random, longShare);
  const isFrontMatter = (of ?? (random() < 0.3 ? "front matter" : "text")) === "front matter";
  const kind = pick(random, Object.keys(pageKinds));
  const made = isFrontMatter
    ? frontMatter(random, length)
    : { kind, text: (pageKinds[kind]?.(random, length) ?? "") + (random() < 0.5 ? "" : "\n\nIts end.\n") };
  const name = random() < 0.85 ? `page ${seed}` : `${pick(random, oddNames)} ${seed}`;
  const bytes = encoded(random, made.text).subarray(0, maxBytes);
  return { seed, kind: made.kind, name: `${name}${pick(random, endings)}`, bytes };
}
