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

test("SYNC-9: syncs may fill the memory to the last byte, and are begun up to nine tenths of it", () => {
  const memory = budget();
  memory.hold(1, 400);
  assert.ok(memory.hasRoomFor(2, 500));
  assert.equal(memory.hasRoomFor(2, 501), false);
  memory.hold(2, 600);
  assert.equal(memory.chooseToSuspend(), null, "they have grown to the limit");
  memory.hold(1, 401);
  assert.equal(memory.chooseToSuspend(), 2);
  assert.equal(memory.held(), 401);
});

test("SYNC-9: a sync that no other fits beside begins once no large one runs, and is not suspended for small ones", () => {
  const memory = budget();
  memory.hold(1, 10);
  assert.equal(memory.hasRoomFor(2, 900), false, "it fits, later");
  assert.ok(memory.hasRoomFor(2, 901));
  memory.hold(1, 11);
  assert.equal(memory.hasRoomFor(2, 901), false);
  memory.hold(1, 10);
  memory.hold(2, 1001);
  assert.equal(memory.chooseToSuspend(), null);
  memory.hold(2, 900);
  for (let id = 3; id < 13; id += 1) memory.hold(id, 10);
  assert.equal(memory.chooseToSuspend(), 2, "small ones need the room, and later there is some for it");
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
