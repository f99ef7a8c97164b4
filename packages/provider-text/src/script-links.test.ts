import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { withoutScriptLinks } from "./script-links.ts";

for (const [markdown, expected] of [
  ["[a](javascript:alert(1)) b", "[a](<>) b"],
  ['[a]( JaVaScRiPt:alert(1) "title")', '[a]( <> "title")'],
  ["![a](data:image/svg+xml,<svg/>)", "![a](<>)"],
  ["[a](<vbscript: x>) [b](https://example.org/)", "[a](<>) [b](https://example.org/)"],
  ["[a](&#x6A;avascript&colon;alert(1))", "[a](<>)"],
  ["[a](java&Tab;script:alert(1))", "[a](<>)"],
  ["[a](<java\tscript:alert(1)>)", "[a](<>)"],
  ["[a](\u0001javascript\\:alert(1))", "[a](<>)"],
  ["[a](\n javascript:alert(1))", "[a](\n <>)"],
  ["[[b](javascript:1)](javascript:2)", "[[b](<>)](<>)"],
  ["[`a`](javascript:1)\\\\[b](javascript:2)", "[`a`](<>)\\\\[b](<>)"],
  ["[a]\n\n[a]: javascript:alert(1)\n[b]: <data:text/html,x>", "[a]\n\n[a]: <>\n[b]: <>"],
  ["<javascript:alert(1)> \\\\<data:x>", "\\<javascript:alert(1)> \\\\\\<data:x>"],
  [
    "<mention-page url=\"javascript:alert(1)\">A</mention-page> <file src='data:x'>",
    "<mention-page url=\"\">A</mention-page> <file src=''>",
  ],
] as const) {
  test(`ERR-6: an address that runs a script is removed: ${JSON.stringify(markdown)}`, () =>
    assert.equal(withoutScriptLinks(markdown), expected));
}

test("ERR-6: links that run no script stay unchanged, and so does text about scripts", () => {
  for (const markdown of [
    "[a](https://example.org/javascript:x) ![b](/c) <https://example.org> <b@example.org>",
    "javascript: and data: are schemes",
    "\\[a\\](javascript:alert(1))",
    "\\<javascript:alert(1)\\>",
    "[data: 1](mailto:a@example.org)",
    '<a href="javascript:void(0)">',
    "`x[0]`: data",
    "a < b, data: c",
  ])
    assert.equal(withoutScriptLinks(markdown), markdown);
});

test("ERR-6: an autolink behind an escaped bracket is one", () => {
  assert.equal(withoutScriptLinks("\\]: <javascript:x>"), "\\]: \\<javascript:x>");
  assert.equal(withoutScriptLinks("[a\\]( <javascript:x>"), "[a\\]( \\<javascript:x>");
});

test("ERR-6: no text contains a link that runs a script afterwards", () => {
  const parser = new MarkdownIt("commonmark");
  parser.validateLink = () => true;
  const parts = [
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "\\",
    "`",
    "!",
    "\n",
    " ",
    ":",
    "a",
    "&#106;",
    "javascript:",
    "DATA:",
    "](",
    "]: ",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 14 }), (pieces) => {
      const html = parser.render(withoutScriptLinks(`[a](b)${pieces.join("")}`)).replaceAll(/\s/g, "");
      assert.doesNotMatch(html, /(?:href|src)="(?:javascript|data|jjavascript):/i);
    }),
    { numRuns: 3000 },
  );
});

test("ERR-6: long texts whose links are never closed are read to their end", () => {
  for (const part of ["](", "](javascript:", "<", "[a](<javascript:", " url=", "](javascript:((", "\\"])
    withoutScriptLinks(part.repeat(200_000));
});
