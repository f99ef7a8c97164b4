import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createMemoryBudget } from "./memory-budget.ts";

const budget = () => createMemoryBudget({ limit: 1000, small: 10 });

test("SYNC-9: any number of syncs runs as long as they fit into the memory", () => {
  const memory = budget();
  for (let id = 0; id < 90; id += 1) {
    assert.ok(memory.hasRoomFor(id, 10));
    memory.hold(id, 10);
  }
  assert.equal(memory.hasRoomFor(100, 11), false, "a tenth is left for those that are open");
  assert.ok(memory.hasRoomFor(100, 10));
  memory.release(0);
  memory.release(1);
  assert.ok(memory.hasRoomFor(100, 11));
});

test("SYNC-9: small syncs wait too while all together have filled the memory", () => {
  const memory = budget();
  for (let id = 0; id < 100; id += 1) memory.hold(id, 10);
  assert.equal(memory.hasRoomFor(100, 1), false);
  memory.release(0);
  assert.ok(memory.hasRoomFor(100, 10));
});

test("SYNC-9: if syncs hold too much, the largest is suspended until there is room for what it held", () => {
  const memory = budget();
  memory.hold(1, 300);
  memory.hold(2, 500);
  assert.equal(memory.chooseToSuspend(), null);
  memory.hold(3, 201);
  assert.equal(memory.chooseToSuspend(), 2);
  assert.equal(memory.chooseToSuspend(), null);
  assert.equal(memory.hasRoomFor(2, 400), false, "it held more than is stored");
  memory.release(1);
  assert.ok(memory.hasRoomFor(2, 400));
});

test("SYNC-9: a small new sync always has room, and a large one is suspended for it", () => {
  const memory = budget();
  memory.hold(1, 500);
  memory.hold(2, 495);
  assert.ok(memory.hasRoomFor(3, 10));
  memory.hold(3, 10);
  assert.equal(memory.chooseToSuspend(), 1);
});

test("SYNC-9: a sync larger than all the memory runs as the only large one", () => {
  const memory = budget();
  assert.ok(memory.hasRoomFor(1, 5000));
  memory.hold(1, 5000);
  assert.equal(memory.chooseToSuspend(), null);
  assert.equal(memory.hasRoomFor(2, 20), false);
  assert.ok(memory.hasRoomFor(3, 10));
  memory.hold(2, 20);
  assert.equal(memory.chooseToSuspend(), 1);
  assert.equal(memory.hasRoomFor(1, 5000), false);
  memory.release(2);
  assert.ok(memory.hasRoomFor(1, 5000));
});

test("SYNC-9: all syncs together keep to the limit, except for a single large one", () => {
  const holds = fc.array(fc.tuple(fc.nat({ max: 20 }), fc.integer({ min: 1, max: 400 })), { maxLength: 100 });
  fc.assert(
    fc.property(holds, (all) => {
      const memory = budget();
      for (const [id, bytes] of all) {
        memory.hold(id, bytes);
        while (memory.chooseToSuspend() !== null);
        assert.ok(memory.held() <= 1000);
      }
    }),
  );
});
