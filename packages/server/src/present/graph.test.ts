import assert from "node:assert/strict";
import { test } from "node:test";
import { id, page } from "@clew/graph/testing";
import fc from "fast-check";
import { presentContent, presentNode } from "./graph.ts";

const textOf = (markdown: string) => ({
  nodeId: "00000000-0000-0000-0000-000000000001",
  markdown,
  totalChars: [...markdown].length,
  updatedAt: Date.UTC(2031, 0, 2, 3, 4, 5, 6),
  truncated: false,
});

test("GRAPH-5: the parts of a text are counted in code points, not UTF-16 units", () => {
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

test("GRAPH-5: the parts of a text in order are the whole text", () => {
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

const source = {
  connection: { workspaceId: "w" },
  graph: { degree: () => ({ in: 2, out: 3 }), importance: () => 0.5 },
};

const presented = (given: Parameters<typeof page>[1]) => presentNode(source, page(1, given));

test("a node is sent with the contract's fields and no others", () => {
  const given = page(1, { title: "", parentId: id(2), type: "database", createdAt: 0, updatedAt: 1 });
  const stored = { ...given, properties: { Secret: 1 } };
  assert.deepEqual(presentNode(source, stored), {
    id: id(1),
    workspace_id: "w",
    type: "database",
    title: "",
    icon: null,
    url: null,
    parent_id: id(2),
    created_at: "1970-01-01T00:00:00.000Z",
    updated_at: "1970-01-01T00:00:00.001Z",
    degree: { in: 2, out: 3 },
    importance: 0.5,
  });
});

test("ERR-6: a node's URL is sent only if it is https or mailto", () => {
  for (const url of ["https://example.com/a?b#c", "HTTPS://example.com", "mailto:page@example.com"]) {
    assert.equal(presented({ url }).url, url);
  }
  const others = [
    "http://example.com",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://example.com/1",
    "//example.com",
    "/relative",
    "",
  ];
  for (const url of others) assert.equal(presented({ url }).url, null, url);
});

test("ERR-6: a node's icon is sent only as an emoji or an https link", () => {
  for (const icon of ["🌍", "👩🏽‍🚀", "🇨🇭", "❤️", "1️⃣", "https://example.com/icon.png"]) {
    assert.equal(presented({ icon }).icon, icon);
  }
  const others = [
    "javascript:alert(1)",
    "data:image/svg+xml,<svg onload=alert(1)>",
    "http://example.com/icon.png",
    "<b>",
    "🌍<script>",
    "🌍 ".repeat(100),
    "word",
    "",
  ];
  for (const icon of others) assert.equal(presented({ icon }).icon, null, icon);
});
