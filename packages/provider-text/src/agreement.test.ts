import assert from "node:assert/strict";
import { test } from "node:test";
import { type Inline, inlineTree } from "@clew/text";
import fc from "fast-check";
import { inlineReferences } from "./parse.ts";
import { escaped } from "./shown-titles.ts";

/** The addresses that a line shows, in order. An image is shown as a link, but is no reference. */
const shownAddresses = (pieces: readonly Inline[]): string[] =>
  pieces.flatMap((piece) => {
    if (!("children" in piece)) return [];
    const own = "address" in piece && piece.kind !== "image" ? [piece.address] : [];
    return [...own, ...shownAddresses(piece.children)];
  });

const foundAddresses = (line: string): string[] =>
  inlineReferences(line).flatMap((found) => {
    if (found.kind === "link") return [found.href];
    return found.tag.attributes.get("url") ?? [];
  });

const anyText = fc.string({ unit: fc.constantFrom(..."ab 🚀\\*_~`$[]<>{}|^!().1") }).map(escaped);
const anyAddress = fc
  .string({ unit: fc.constantFrom(..."ab1-_.~*!&?=#/") })
  .map((path) => `https://a.example/${path}`);
const anyWords = anyText.map((text) => text.trim()).filter((text) => text !== "");

/** Pieces as a provider writes them. */
const anyPiece = fc.oneof(
  anyText,
  fc.string({ unit: fc.constantFrom(..."ab[](<*$ ") }).map((code) => `\`\` ${code} \`\``),
  fc.tuple(anyWords, anyAddress).map(([words, address]) => `[${words}](${address})`),
  fc.tuple(anyWords, anyAddress).map(([words, address]) => `![${words}](${address})`),
  fc.tuple(anyWords, anyAddress).map(([words, url]) => `<mention-page url="${url}">${words}</mention-page>`),
  anyAddress.map((address) => `<mention-page url="${address}"/>`),
  anyAddress.map((address) => `[^${address}]`),
  fc.constantFrom("**[a](https://b)**", "<br>", '<span color="red">a</span>'),
);

test("SYNC-2: in what a provider writes, references are what is shown as links", () => {
  fc.assert(
    fc.property(fc.array(anyPiece, { maxLength: 8 }), (pieces) => {
      const line = pieces.join(" ");
      assert.deepEqual(foundAddresses(line), shownAddresses(inlineTree(line)));
    }),
    { numRuns: 3000 },
  );
});
