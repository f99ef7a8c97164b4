import assert from "node:assert/strict";
import { test } from "node:test";
import { createReplays } from "./replays.ts";

test("SYNC-9: the number of remembered ids is bounded, and the newest are remembered", () => {
  const replays = createReplays(() => 0);
  const event = (number: number) => ({
    id: String(number),
    at: 0,
    workspaceId: "w",
    isAboutPages: true,
    changed: null,
  });
  for (let number = 0; number <= 10_000; number += 1) assert.equal(replays.isNew(event(number)), true);
  assert.equal(replays.isNew(event(10_000)), false);
  assert.equal(replays.isNew(event(1)), false);
  assert.equal(replays.isNew(event(0)), true);
});
