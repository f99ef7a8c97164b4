import assert from "node:assert/strict";
import { test } from "node:test";
import { VisitedSet } from "./visited-set.ts";

test("GRAPH-9: a walk is not affected by earlier walks, however many there were", () => {
  const farthest = 5;
  // Marks begin anew every few walks.
  const visited = new VisitedSet(farthest + 1, 50);
  for (let walk = 0; walk < 1000; walk += 1) {
    visited.begin();
    const [node, other, third] = [walk % 3, (walk + 1) % 3, (walk + 2) % 3];
    for (const each of [0, 1, 2]) assert.ok(!visited.isReachedOrClosed(each), `walk ${walk}, node ${each}`);
    visited.add(node);
    for (let level = 1; level <= farthest; level += 1) visited.beginLevel();
    visited.add(other);
    assert.deepEqual([visited.levelOf(node), visited.levelOf(other)], [0, farthest]);
    assert.deepEqual([...visited.nodesAt(0), ...visited.nodesAt(farthest)], [node, other]);
    assert.ok(visited.levelOf(third) < 0);
    visited.close(third);
    assert.deepEqual([visited.isReachedOrClosed(third), visited.levelOf(third) < 0], [true, true]);
  }
});
