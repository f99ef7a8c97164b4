import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { plainText } from "../markdown/plain-text.ts";
import { anyLines } from "../testing/arbitrary-markdown.ts";
import { excerptsAt } from "./excerpts.ts";

test("GRAPH-24: an excerpt is the sentence or the list item around a place", () => {
  const markdown =
    "One. See [the plan](https://a) now. Three.\n\t- An item. With [two](b) sentences.\n<unknown url='x'/>\n# 🚀 [h](c)";
  const at = (text: string) => [...markdown.slice(0, markdown.indexOf(text))].length;
  assert.deepEqual(excerptsAt(markdown, [at("[the"), at("](b)"), at("<unk"), at("[h]"), 100_000]), [
    { offset: 5, text: "See the plan now." },
    { offset: at("An item"), text: "An item. With two sentences." },
    null,
    { offset: at("🚀"), text: "🚀 h" },
    { offset: at("🚀"), text: "🚀 h" },
  ]);
});

test("GRAPH-24: an excerpt has at most 200 characters, is plain text, and stands at its offset", () => {
  fc.assert(
    fc.property(anyLines, fc.nat({ max: 4000 }), (markdown, place) => {
      const characters = [...markdown];
      const offset = Math.min(place, characters.length - 1);
      const [excerpt] = excerptsAt(markdown, [offset]);
      if (excerpt === null || excerpt === undefined) return;
      assert.ok([...excerpt.text].length <= 200);
      assert.ok(plainText(markdown).text.includes(excerpt.text));
      assert.equal(characters[excerpt.offset], [...excerpt.text][0]);
      const lineOf = (index: number) =>
        characters.slice(0, index).filter((character) => character === "\n").length;
      assert.equal(lineOf(excerpt.offset), lineOf(offset));
    }),
    { numRuns: 300 },
  );
});
