import assert from "node:assert/strict";
import { test } from "node:test";
import { type Inline, inlineTree } from "@clew/text";
import type { ShownInline } from "../../../ui/markdown.tsx";
import { blankComments, readObsidian } from "./obsidian.ts";

/** Pieces on one line: `mark(…)`, `math(…)`, `tag(…)`; other markup as what it contains. */
function shown(pieces: readonly Inline[]): string {
  const names: Partial<Record<ShownInline["kind"], string>> = { marked: "mark", equation: "math" };
  return readObsidian(pieces)
    .map((piece) => {
      if (piece.kind === "tag") return `tag(${piece.name})`;
      if (piece.kind === "break") return "";
      const text = "children" in piece ? shown(piece.children) : piece.text;
      const name = names[piece.kind];
      return name === undefined ? text : `${name}(${text})`;
    })
    .join("");
}

test("marks, math and tags of Obsidian are read where Clew's Markdown has plain text", () => {
  const cases: readonly (readonly [markdown: string, expected: string])[] = [
    ["a ==b== c", "a mark(b) c"],
    ["**==b==** ==**c** d==", "mark(b) mark(c d)"],
    ["a == b == c, x==1 and `==y==`", "a == b == c, x==1 and ==y=="],
    ["=== ==open", "=== ==open"],
    ["==a #b $c$==", "mark(a tag(b) math(c))"],
    ["\\$x\\^2\\$ for $5 and $10, $ a$", "math(x^2) for $5 and $10, $ a$"],
    ["#tag (#a/b-c) #2026 #y2026 a#b #", "tag(tag) (tag(a/b-c)) #2026 tag(y2026) a#b #"],
    ["`#code` [#label](https://a.example)", "#code tag(label)"],
  ];
  for (const [markdown, expected] of cases) assert.equal(shown(inlineTree(markdown)), expected, markdown);
});

test("comments of Obsidian are blanked, and every other sign keeps its place", () => {
  const cases: readonly (readonly [markdown: string, expected: string])[] = [
    ["a %%b 🧵%% c", "a         c"],
    ["%%\n\t- b\n%%\nc", "  \n\t   \n  \nc"],
    ["`%%a%%` %%b%%", "`%%a%%`      "],
    ["```\n%%a%%\n```\n%%b%%", "```\n%%a%%\n```\n     "],
    ["````\n```\n%%a%%\n````\n%%b%%", "````\n```\n%%a%%\n````\n     "],
    ["100 %% open", "100 %% open"],
  ];
  for (const [markdown, expected] of cases) {
    const blanked = blankComments(markdown);
    assert.equal(blanked, expected);
    assert.equal([...blanked].length, [...markdown].length, markdown);
  }
});
