import assert from "node:assert/strict";
import { test } from "node:test";
import { page } from "../store/testing/scratch.ts";
import { presentNode } from "./node.ts";

const source = { connection: { workspaceId: "w" }, graph: { degree: () => ({ in: 2, out: 3 }) } };

const presented = (given: Parameters<typeof page>[1]) => presentNode(source, page(1, given));

test("a node leaves with the contract's fields and no others", () => {
  const given = { title: "", parentId: "00000000-0000-0000-0000-000000000002", type: "database" } as const;
  assert.deepEqual(presented({ ...given, createdAt: 0, updatedAt: 1, properties: { Secret: 1 } }), {
    id: "00000000-0000-0000-0000-000000000001",
    workspace_id: "w",
    type: "database",
    title: "",
    icon: null,
    url: null,
    parent_id: "00000000-0000-0000-0000-000000000002",
    created_at: "1970-01-01T00:00:00.000Z",
    updated_at: "1970-01-01T00:00:00.001Z",
    degree: { in: 2, out: 3 },
  });
});

test("ERR-6: a node's URL leaves as https or mailto alone", () => {
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

test("ERR-6: a node's icon leaves as an emoji or an https link alone", () => {
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
