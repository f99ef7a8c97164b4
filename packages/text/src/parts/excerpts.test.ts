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
    { offset: 5, text: "See the plan now.", mark: [4, 12] },
    { offset: at("An item"), text: "An item. With two sentences.", mark: null },
    null,
    { offset: at("🚀"), text: "🚀 h", mark: [2, 3] },
    { offset: at("🚀"), text: "🚀 h", mark: null },
  ]);
});

test("GRAPH-24: an excerpt marks the link at its place, however the link is written", () => {
  const cases: readonly (readonly [markdown: string, marked: string | null])[] = [
    ["🚀 see [**the** `plan`](https://a) now", "the plan"],
    ["see <mention-page url='x'>Plan 🚀</mention-page> now", "Plan 🚀"],
    ["see <https://a.example> now", "https://a.example"],
    ["see <mention-page url='x'/> now", null],
    ["see [half a link", null],
    [`see [${"long ".repeat(100)}](b) now`, "long ".repeat(39).trim()],
  ];
  for (const [markdown, marked] of cases) {
    const offset = [...markdown.slice(0, markdown.search(/[[<]/))].length;
    const [excerpt] = excerptsAt(markdown, [offset]);
    const [start, end] = excerpt?.mark ?? [0, 0];
    const text = [...(excerpt?.text ?? "")].slice(start, end).join("");
    assert.equal(text, marked ?? "", markdown);
    assert.equal(excerpt?.mark === null, marked === null, markdown);
  }
});

test("GRAPH-24: an excerpt has at most 200 characters, is plain text, and stands at its offset", () => {
  fc.assert(
    fc.property(anyLines, fc.nat({ max: 4000 }), (markdown, place) => {
      const characters = [...markdown];
      const offset = Math.min(place, characters.length - 1);
      const [excerpt] = excerptsAt(markdown, [offset]);
      if (excerpt === null || excerpt === undefined) return;
      assert.ok([...excerpt.text].length <= 200);
      const [start, end] = excerpt.mark ?? [0, 1];
      assert.ok(0 <= start && start < end && end <= [...excerpt.text].length);
      assert.ok(plainText(markdown).text.includes(excerpt.text));
      assert.equal(characters[excerpt.offset], [...excerpt.text][0]);
      const lineOf = (index: number) =>
        characters.slice(0, index).filter((character) => character === "\n").length;
      assert.equal(lineOf(excerpt.offset), lineOf(offset));
    }),
    { numRuns: 300 },
  );
});
