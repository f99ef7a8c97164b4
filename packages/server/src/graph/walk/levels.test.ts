import assert from "node:assert/strict";
import { test } from "node:test";
import { Levels } from "./levels.ts";

test("GRAPH-9: a walk knows nothing of the walks before it, however many there were", () => {
  const farthest = 0xf_ffff;
  const levels = new Levels(farthest + 1);
  // Enough for the sum of their levels to pass 32 bits twice.
  for (let walk = 0; walk < 9000; walk += 1) {
    levels.begin();
    const [node, other] = [walk % 3, (walk + 1) % 3];
    for (const each of [0, 1, 2]) assert.ok(levels.of(each) < 0, `walk ${walk}, node ${each}`);
    levels.set(node, 0);
    levels.set(other, farthest);
    assert.deepEqual([levels.of(node), levels.of(other)], [0, farthest]);
    assert.ok(levels.of((walk + 2) % 3) < 0);
  }
});
