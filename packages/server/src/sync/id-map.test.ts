import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { IdMap } from "./id-map.ts";

/** Few enough that they meet again, and some that share a slot. */
const id = fc
  .nat({ max: 60 })
  .map(
    (number) =>
      `${(number % 4).toString(16).padStart(8, "f")}-0000-4000-8000-${String(number).padStart(12, "0")}`,
  );

test("an IdMap equals a Map after any sets and deletes", () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ what: fc.constant("set" as const), key: id, value: fc.option(id) }),
      fc.record({ what: fc.constant("delete" as const), key: id, value: fc.constant(null) }),
    ),
    { maxLength: 300 },
  );
  fc.assert(
    fc.property(steps, (all) => {
      const model = new Map<string, string | null>();
      const map = new IdMap();
      for (const { what, key, value } of all) {
        if (what === "set") {
          model.set(key, value);
          map.set(key, value);
        } else assert.equal(map.delete(key), model.delete(key));
        assert.equal(map.size, model.size);
        assert.equal(map.get(key), model.get(key));
        assert.equal(map.has(key), model.has(key));
      }
      assert.deepEqual([...map.keys()].sort(), [...model.keys()].sort());
      for (const key of model.keys()) assert.equal(map.get(key), model.get(key));
    }),
  );
});

test("an IdMap rejects keys that are not UUIDs", () => {
  const uuid = "0192f5c4-7d6b-7000-a1b2-c3d4e5f60718";
  for (const text of ["not an id", uuid.slice(1), `${uuid}0`, `${uuid.slice(1)}g`, `${uuid.slice(1)}é`])
    assert.throws(() => new IdMap().set(text, null), TypeError, text);
});
