import assert from "node:assert/strict";
import { test } from "node:test";
import { Reach } from "./reach.ts";

test("GRAPH-9: a walk knows nothing of the walks before it, however many there were", () => {
  const farthest = 5;
  // Marks begin anew every few walks.
  const reach = new Reach(farthest + 1, 50);
  for (let walk = 0; walk < 1000; walk += 1) {
    reach.begin();
    const [node, other, third] = [walk % 3, (walk + 1) % 3, (walk + 2) % 3];
    for (const each of [0, 1, 2]) assert.ok(!reach.isBehind(each), `walk ${walk}, node ${each}`);
    reach.add(node);
    for (let level = 1; level <= farthest; level += 1) reach.beginLevel();
    reach.add(other);
    assert.deepEqual([reach.levelOf(node), reach.levelOf(other)], [0, farthest]);
    assert.deepEqual([...reach.nodesAt(0), ...reach.nodesAt(farthest)], [node, other]);
    assert.ok(reach.levelOf(third) < 0);
    reach.close(third);
    assert.deepEqual([reach.isBehind(third), reach.levelOf(third) < 0], [true, true]);
  }
});
