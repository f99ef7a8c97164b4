import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nodeIdOf, nodeKey } from "./statements.ts";

test("a node id survives the store's 16 bytes, whichever of them it is", () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      assert.equal(nodeKey(id).length, 16);
      assert.equal(nodeIdOf(nodeKey(id)), id);
    }),
  );
});

test("a key is read from within a larger buffer", () => {
  const id = "0f0e0d0c-0b0a-0908-0706-050403020100";
  const larger = new Uint8Array(40);
  larger.set(nodeKey(id), 7);
  assert.equal(nodeIdOf(larger.subarray(7, 23)), id);
});

test("text that is no node id has no key", () => {
  for (const text of [
    "",
    "page",
    "0f0e0d0c-0b0a-0908-0706-05040302010",
    "0f0e0d0c-0b0a-0908-0706-0504030201zz",
  ]) {
    assert.throws(() => nodeKey(text), TypeError, text);
  }
});
