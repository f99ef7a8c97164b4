import assert from "node:assert/strict";
import { test } from "node:test";
import { priorities } from "./request.ts";
import { roomFor } from "./room.ts";

const minute = 60_000;
const times = (count: number, time: number) => Array.from({ length: count }, () => time);

test("SYNC-9: long syncs of large workspaces take no place from those that begin", () => {
  const long = times(11, -60 * minute);
  assert.equal(roomFor([], 0), priorities.schedule);
  assert.equal(roomFor(long, 0), priorities.schedule);
  assert.equal(roomFor([...long.slice(4), ...times(4, -1_000)], 0), null, "four begin at a time");
  assert.equal(roomFor([...long.slice(4), ...times(4, -15_000)], 0), priorities.schedule);
});

test("SYNC-9: the last places are kept for what a person waits for", () => {
  assert.equal(roomFor(times(12, -minute), 0), priorities.person);
  assert.equal(roomFor(times(16, -minute), 0), null);
});
