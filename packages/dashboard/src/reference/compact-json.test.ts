import assert from "node:assert/strict";
import { test } from "node:test";
import { compactJson } from "./compact-json.ts";

test("what fits into a line is in one line, and the rest is indented", () => {
  assert.equal(compactJson({ a: [1, null, "x"], b: {}, c: [] }), '{ "a": [1, null, "x"], "b": {}, "c": [] }');
  const [half, long] = ["x".repeat(38), "x".repeat(60)];
  assert.equal(
    compactJson({ items: [{ id: half, at: { in: 1 } }], next: null }),
    `{\n  "items": [{ "id": "${half}", "at": { "in": 1 } }],\n  "next": null\n}`,
  );
  assert.equal(compactJson([long, long]), `[\n  "${long}",\n  "${long}"\n]`);
});

test("a value is the same when it is read again, and no line is too long but for a text", () => {
  const value = {
    names: Array.from({ length: 30 }, (_, index) => ({ index, name: `a "name" of ${index}`, more: [index] })),
    "a key": { text: "y".repeat(200), flag: false },
  };
  const text = compactJson(value);
  assert.deepEqual(JSON.parse(text), value);
  for (const line of text.split("\n")) assert.ok(line.length <= 84 || line.includes("yyy"), line);
});
