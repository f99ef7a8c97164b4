import assert from "node:assert/strict";
import { test } from "node:test";
import { entityTag, isKnown } from "./entity-tag.ts";

test("GRAPH-5: an entity tag is strong and changes with every fact", () => {
  const facts: readonly (string | number)[] = ["digest", 7, "text/markdown", 0, 50];
  const tag = entityTag(facts);
  assert.match(tag, /^"[\w-]{22}"$/);
  assert.equal(entityTag([...facts]), tag);
  for (const index of facts.keys()) assert.notEqual(entityTag(facts.with(index, 8)), tag);
  assert.notEqual(entityTag(["1", "23"]), entityTag(["12", "3"]));
});

test("GRAPH-5: If-None-Match is read as a list, weakly, or as anything at all", () => {
  for (const known of ['"a"', 'W/"a"', '"b", "a"', '"b",W/"a" , "c"', '"b,c", "a"', "*", " * "]) {
    assert.equal(isKnown(known, '"a"'), true, known);
  }
  for (const other of [undefined, "", '"b"', "a", 'W/"b", "c"', '"*"', '"A"', '"a', '"ba"']) {
    assert.equal(isKnown(other, '"a"'), false, other);
  }
});
