import assert from "node:assert/strict";
import { test } from "node:test";
import { destinationOf } from "./addresses.ts";

const demo = new URL("http://localhost:8420/demo/");
const id = "0123456789abcdef0123456789abcdef";
const page = { kind: "page", id: "01234567-89ab-cdef-0123-456789abcdef" };

test("addresses of pages are recognised, at the provider and in the demo workspace", () => {
  for (const address of [
    id,
    page.id,
    `collection://${page.id}`,
    `/${id}`,
    `https://www.notion.so/Title-${id}`,
    `https://www.notion.so/team/Title-${id}?pvs=4#block`,
    `https://app.notion.com/p/x-${id}`,
    `https://team.notion.site/x-${id}`,
    `https://www.notion.so/x?p=${id}`,
    `http://localhost:8420/demo/pages/${page.id}`,
  ])
    assert.deepEqual(destinationOf(address, demo), page, address);
});

test("other addresses are followed only if they open a site or a letter", () => {
  assert.deepEqual(destinationOf("https://example.org/a", demo), {
    kind: "place",
    href: "https://example.org/a",
  });
  assert.deepEqual(destinationOf("mailto:a@example.org", demo), {
    kind: "place",
    href: "mailto:a@example.org",
  });
  for (const address of [
    "javascript:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "JAVASCRIPT:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "blob:http://localhost/x",
    "file:///etc/passwd",
    "//evil.example/x",
    "/\\evil.example",
    "relative",
    "",
    `https://example.org/${"x".repeat(9_000)}`,
  ])
    assert.deepEqual(destinationOf(address, demo), { kind: "none" }, address);
});
