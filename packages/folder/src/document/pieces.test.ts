import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { placeBlocks } from "./block.ts";
import { PageBounds } from "./bounds.ts";
import { piecesOf } from "./pieces.ts";
import { parsePieces, readDocument } from "./read-document.ts";
import { enhancedMarkdown } from "./write-markdown.ts";

const elsewhere = { kind: "elsewhere" } as const;
const resolver = { hyperlink: () => elsewhere, wikiLink: () => elsewhere };
const names = {
  addresses: { ofId: (id: string) => id, ofBlock: (_: string, id: string) => id },
  entry: () => null,
  titleOf: () => "",
};

/** The lines of a text, read and written. */
function linesOf(text: string): string[] {
  const { blocks } = readDocument(text, "md", "", resolver);
  const { markdown } = enhancedMarkdown(
    { id: "page" },
    placeBlocks("page", blocks),
    names,
    Number.POSITIVE_INFINITY,
  );
  return markdown.split("\n");
}

/** Blocks that a long note has, without a number that depends on those before. */
const block = fc.oneof(
  fc.constant("# Heading\n"),
  fc.constant("A paragraph with [a link](a.md), [another][label] and *emphasis*,\nin two lines.\n"),
  fc.constant("- one\n- two\n  - below two\n"),
  fc.constant("```js\nconst a = [1];\n\n# no heading\n```\n"),
  fc.constant("| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | [x](y.md) |\n"),
  fc.constant("> a quote\n> of two lines\n"),
  fc.constant("1. first\n2. second\n\n   with more\n\n   ```\n   code\n   ```\n"),
);

test("SRC-2: a long note, read piece by piece, has the blocks of its parts", () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 20, maxLength: 40 }), (blocks) => {
      // A paragraph between the parts, so that no list or quote continues in the next one.
      const part = `${blocks.join("\nBetween.\n\n")}\nThe end of a part.\n\n`;
      const label = "[label]: b.md\n";
      const times = Math.ceil(70_000 / part.length);
      const text = part.repeat(times) + label;
      assert.ok(piecesOf(text).length > 1);
      const once = linesOf(`${part}${label}`);
      assert.deepEqual(linesOf(text), Array.from({ length: times }, () => once).flat());
    }),
    { numRuns: 5 },
  );
});

test("GRAPH-22: a long list keeps counting over the pieces in which it is read", () => {
  for (const number of [(_: number) => "1", (index: number) => `${index + 7}`]) {
    const items = Array.from({ length: 9_000 }, (_, index) => `${number(index)}. an item with some words`);
    const text = items.join("\n");
    assert.ok(piecesOf(text).length > 2);
    const first = Number(number(0));
    assert.deepEqual(
      linesOf(text),
      items.map((_, index) => `${first + index}. an item with some words`),
    );
  }
});

test("GRAPH-5: a table of 8 000 rows has all its rows, below one header", () => {
  const row = (index: number) => `| ${index} | b | c | d | e | f |`;
  const rows = Array.from({ length: 8_000 }, (_, index) => row(index));
  const { blocks } = readDocument(
    `${row(-1)}\n|-|-|-|-|-|-|\n${rows.join("\n")}\n\nAfter.\n`,
    "md",
    "",
    resolver,
  );
  assert.deepEqual(
    blocks.map(({ type, children }) => [type, children.length]),
    [
      ["table", 8_001],
      ["paragraph", 0],
    ],
  );
});

test("GRAPH-5: long code, long lines and definitions at the end lose nothing", () => {
  const code = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
  const read = linesOf(`\`\`\`js\n${code.join("\n")}\n\`\`\`\n`).filter((line) => !line.startsWith("```"));
  assert.deepEqual(read, code);
  const words = Array.from({ length: 60_000 }, (_, index) => `word${index}`);
  assert.deepEqual(linesOf(words.join(" ")).join(" ").split(/\s+/), words);
  const defined: string[] = [];
  const hyperlink = (target: string) => {
    defined.push(target);
    return elsewhere;
  };
  const far = `[the words][far]\n\n${"A paragraph.\n\n".repeat(10_000)}\n[far]: there.md\n`;
  for (const piece of parsePieces(far, "md")) piece.document({ ...resolver, hyperlink }, new PageBounds());
  assert.deepEqual(defined, ["there.md"]);
});

test("GRAPH-5: beyond 300 000 cells or 200 000 links a page is cut, and says why", () => {
  const cutOf = (text: string, used = { cells: 0, links: 0 }) => {
    const bounds = PageBounds.from(used);
    for (const piece of parsePieces(text, "md")) piece.document(resolver, bounds);
    return bounds.cut;
  };
  const table = "|a|b|c|\n|-|-|-|\n|x|\n|x|\n";
  assert.equal(cutOf(table, { cells: 300_000 - 9, links: 0 }), null);
  assert.equal(cutOf(table, { cells: 300_000 - 8, links: 0 }), "its tables have more than 300000 cells");
  assert.equal(cutOf("[[x]] [y](z.md)", { cells: 0, links: 200_000 - 2 }), null);
  assert.equal(cutOf("[[x]] [y](z.md)", { cells: 0, links: 200_000 - 1 }), "it has more than 200000 links");
});
