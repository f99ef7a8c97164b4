import assert from "node:assert/strict";
import { test } from "node:test";
import { entityTag, matchesEntityTag, negotiate } from "./content-negotiation.ts";

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

test("GRAPH-5: an entity tag is strong and changes with every input", () => {
  const facts: readonly (string | number)[] = ["digest", 7, "text/markdown", 0, 50];
  const tag = entityTag(facts);
  assert.match(tag, /^"[\w-]{22}"$/);
  assert.equal(entityTag([...facts]), tag);
  for (const index of facts.keys()) assert.notEqual(entityTag(facts.with(index, 8)), tag);
  assert.notEqual(entityTag(["1", "23"]), entityTag(["12", "3"]));
});

test("GRAPH-5: If-None-Match may be a list, contain weak tags, or be *", () => {
  for (const known of ['"a"', 'W/"a"', '"b", "a"', '"b",W/"a" , "c"', '"b,c", "a"', "*", " * "]) {
    assert.equal(matchesEntityTag(known, '"a"'), true, known);
  }
  for (const other of [undefined, "", '"b"', "a", 'W/"b", "c"', '"*"', '"A"', '"a', '"ba"']) {
    assert.equal(matchesEntityTag(other, '"a"'), false, other);
  }
});
