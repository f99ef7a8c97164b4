import assert from "node:assert/strict";
import { test } from "node:test";
import { named, ref } from "@clew/contract";
import { Type } from "typebox";
import { selfContained } from "./self-contained.ts";

const Leaf = named("Leaf", Type.Object({ word: Type.String() }));
const Branch = named("Branch", Type.Object({ leaves: Type.Array(ref(Leaf)) }));

test("a schema includes all schemas that it refers to, directly or not, once", () => {
  const Tree = Type.Object({ left: ref(Branch), right: ref(Branch), top: ref(Leaf) });
  const whole = selfContained(Tree, [Leaf, Branch]);
  assert.deepEqual(whole.properties, {
    left: { $ref: "#/$defs/Branch" },
    right: { $ref: "#/$defs/Branch" },
    top: { $ref: "#/$defs/Leaf" },
  });
  assert.deepEqual(Object.keys(Object(whole.$defs)), ["Branch", "Leaf"]);
  assert.ok(!JSON.stringify(whole).includes("$id"));
});

test("a schema without references is unchanged, and an unknown reference throws", () => {
  assert.deepEqual(selfContained(Type.Object({}), []), { type: "object", properties: {} });
  assert.throws(() => selfContained(Type.Object({ a: ref(Leaf) }), []), /no message Leaf/);
});
