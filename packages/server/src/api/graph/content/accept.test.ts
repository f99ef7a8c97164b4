import assert from "node:assert/strict";
import { test } from "node:test";
import { negotiate } from "./accept.ts";

const offered = ["application/json", "text/markdown"] as const;

const cases: readonly (readonly [accept: string | undefined, best: string | null])[] = [
  [undefined, "application/json"],
  ["", "application/json"],
  ["*/*", "application/json"],
  ["application/json", "application/json"],
  ["application/*", "application/json"],
  ["application/json; charset=utf-8", "application/json"],
  ["text/markdown", "text/markdown"],
  ["TEXT/Markdown", "text/markdown"],
  ["text/markdown; charset=UTF-8; variant=GFM", "text/markdown"],
  ["text/*", "text/markdown"],
  ["text/markdown, */*", "application/json"],
  ["text/markdown, */*;q=0.8", "text/markdown"],
  ["text/markdown;q=0.5, application/json", "application/json"],
  ["text/markdown;q=0.5, application/json;q=0.4", "text/markdown"],
  ["text/markdown ; q=1.000 , application/json ; q=0.999", "text/markdown"],
  ["*/*, application/json;q=0", "text/markdown"],
  ["*/*;q=0.1, text/*;q=0.2, text/markdown;q=0.05", "application/json"],
  ["text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", "application/json"],
  ["application/json, text/plain, */*", "application/json"],
  ["text/html", null],
  ["image/*", null],
  ["application/json;q=0", null],
  ["application/json;q=0.0, text/markdown;q=0.000", null],
  ["*/*;q=0", null],
  ["json", null],
  ["text/markdown;q=2", null],
  ["text/markdown;q=", null],
  [",,;,/,text/,q=1, text/markdown", "text/markdown"],
];

for (const [accept, best] of cases) {
  test(`GRAPH-5: Accept ${accept ?? "absent"} is answered with ${best ?? "nothing"}`, () => {
    assert.equal(negotiate(accept, offered), best);
  });
}
