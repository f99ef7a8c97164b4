import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { presentContent } from "./content.ts";

const textOf = (markdown: string) => ({
  nodeId: "00000000-0000-0000-0000-000000000001",
  markdown,
  totalChars: [...markdown].length,
  updatedAt: Date.UTC(2031, 0, 2, 3, 4, 5, 6),
});

test("GRAPH-5: a part of a text counts code points, whatever they need in UTF-16", () => {
  const anyText = fc.string({
    unit: fc.constantFrom("a", "é", "漢", "😀", "👩🏽", "\n", "𝄞"),
    maxLength: 40,
  });
  const any = fc.tuple(anyText, fc.nat(60), fc.integer({ min: 1, max: 60 }));
  fc.assert(
    fc.property(any, ([markdown, offset, maxChars]) => {
      const content = presentContent(textOf(markdown), { offset, maxChars });
      const codePoints = [...markdown];
      assert.equal(content.markdown, codePoints.slice(offset, offset + maxChars).join(""));
      assert.equal(content.next_offset, offset + maxChars < codePoints.length ? offset + maxChars : null);
    }),
  );
});

test("GRAPH-5: the parts of a text, one after the other, are the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 5 }), (markdown, maxChars) => {
      let whole = "";
      let offset: number | null = 0;
      while (offset !== null && whole.length <= markdown.length) {
        const content = presentContent(textOf(markdown), { offset, maxChars });
        whole += content.markdown;
        offset = content.next_offset;
      }
      assert.equal(whole, markdown);
    }),
  );
});

test("GRAPH-5: a part beyond the end is empty and the last", () => {
  const beyond = { offset: 1e15, maxChars: 1 };
  assert.deepEqual(presentContent(textOf("😀😀"), beyond), {
    node_id: "00000000-0000-0000-0000-000000000001",
    markdown: "",
    offset: 1e15,
    total_chars: 2,
    next_offset: null,
    updated_at: "2031-01-02T03:04:05.006Z",
  });
});
