import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Inline, inlineTree, textOf } from "./inline-tree.ts";
import { plainText } from "./plain-text.ts";

/** Seconds of computing since, however busy the machine is. In quadratic time these texts take far longer. */
function cpuSeconds(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e6;
}

/** Pieces in short: `strong(text)`. */
const shown = (pieces: readonly Inline[]): string =>
  pieces
    .map((piece) => {
      if (piece.kind === "text") return piece.text;
      if (piece.kind === "break") return "⏎";
      if ("text" in piece) return `${piece.kind}(${piece.text})`;
      const address = "address" in piece ? `${piece.address}|` : "";
      return `${piece.kind}(${address}${shown(piece.children)})`;
    })
    .join("");

const cases: readonly (readonly [line: string, expected: string])[] = [
  ["plain", "plain"],
  ["**a** b", "strong(a) b"],
  ["***both***", "strong(emphasis(both))"],
  ["*a **b***", "emphasis(a strong(b))"],
  ["2 * 3 * 4", "2 * 3 * 4"],
  ["**open", "**open"],
  ["~~gone~~ ~one~", "deleted(gone) ~one~"],
  ["`a*b*` ``x`y``", "code(a*b*) code(x`y)"],
  ["\\*not\\* \\[x\\](y)", "*not* [x](y)"],
  ["[a](b)", "link(b|a)"],
  ["[a [b] c](d)", "link(d|a [b] c)"],
  ["[**a**](x(1)y)", "link(x(1)y|strong(a))"],
  ["![a *b*](c)", "image(c|a emphasis(b))"],
  ["[^https://x.example/]", "citation(https://x.example/|)"],
  ["$a_1$ costs $5 or $6", "equation(a_1) costs $5 or $6"],
  ['<mention-page url="u">T</mention-page>', "mention(u|T)"],
  ['<mention-page url="u"/> x', "mention(u|) x"],
  ['<span underline="true">u</span><span color="red">r</span>', "underlined(u)r"],
  ["a<br>b", "a⏎b"],
  ["<script>alert(1)</script>", "alert(1)"],
  ['<img src="x" onerror="y"/>', "link(x|)"],
  ["a < b > c", "a < b > c"],
  ["<https://x.example/>", "link(https://x.example/|https://x.example/)"],
  ['<mention-date start="2026-01-02" end="2026-01-03"/>', "2026-01-02 → 2026-01-03"],
];

for (const [line, expected] of cases)
  test(`a line is read as the provider means it: ${line}`, () => {
    assert.equal(shown(inlineTree(line)), expected);
  });

for (const [line, expected] of [
  ["*a [b* c](d)", "a link(d|b c)"],
  ["[a *b](c) d*", "link(c|a b) d"],
  ["~~a *b~~ c*", "deleted(a b) c"],
  ['[a <mention-page url="u">b](c) d</mention-page>', "a mention(u|b d)"],
  ["**a*", "*emphasis(a)"],
  ['<span color="red"><span underline="true">a</span> b</span> c', "underlined(a) b c"],
] as const)
  test(`elements that cross are nested, and nothing of them is lost: ${line}`, () => {
    assert.equal(shown(inlineTree(line)), expected);
  });

test("GRAPH-17: a line shows what search reads in it", () => {
  const parts = [
    ..."ab🚀.\\*~[]()!<>$",
    "**",
    "~~",
    "](",
    "![",
    "[a](b)",
    "`` ` ``",
    "`a*b`",
    "$x$",
    "<br>",
    "<https://a>",
  ];
  const tags = ['<mention-page url="u">', "</mention-page>", '<span underline="true">', "</span>", "[^a]"];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts, ...tags), { maxLength: 30 }), (pieces) => {
      // Without a sign before it, the line is a paragraph; breaks at its ends are not read.
      const line = `x${pieces.join("")}x`;
      // The backticks within an equation are not shown.
      const words = (text: string) => text.replaceAll("`", "").replaceAll(/\s+/g, " ");
      assert.equal(words(textOf(inlineTree(line))), words(plainText(line).text));
    }),
    { numRuns: 3000 },
  );
});

test("the text of a line has no markup", () => {
  assert.equal(textOf(inlineTree("**a** [b](c) `d`")), "a b d");
});

const attacks: Readonly<Record<string, string>> = {
  brackets: "[".repeat(200_000),
  "brackets and links": "[".repeat(100_000) + "](x)".repeat(50_000),
  stars: "*a ".repeat(100_000),
  "stars in brackets": "**[".repeat(60_000) + "x**".repeat(60_000),
  backticks: Array.from({ length: 600 }, (_, index) => "`".repeat(index + 1)).join(" "),
  tags: "<a ".repeat(100_000),
  "open tags": '<span underline="true">'.repeat(20_000),
  parentheses: "[a](".repeat(80_000),
  "blanks in an address": `[a](${" ".repeat(200_000)}x)`,
  words: `<a ${"x".repeat(300_000)}>`,
};

for (const [name, line] of Object.entries(attacks))
  test(`a hostile line is read in linear time and nests little: ${name}`, () => {
    const before = process.threadCpuUsage();
    const depth = (pieces: readonly Inline[]): number =>
      Math.max(
        0,
        ...pieces.slice(0, 100).map((piece) => ("children" in piece ? 1 + depth(piece.children) : 0)),
      );
    assert.ok(depth(inlineTree(line)) <= 16);
    assert.ok(cpuSeconds(before) < 10);
  });
