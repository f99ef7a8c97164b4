import assert from "node:assert/strict";
import { test } from "node:test";
import { GivenCursors } from "./given-cursors.ts";

function stage() {
  let now = 1_000_000;
  const cursors = new GivenCursors(() => now);
  const pass = (ms: number) => {
    now += ms;
  };
  return { cursors, pass };
}

test("SRC-2: a client that got a cursor counts as paging for ten seconds, longer with each further one", () => {
  const { cursors, pass } = stage();
  assert.equal(cursors.readingLeft(1), 0);
  cursors.note([1, 2]);
  assert.equal(cursors.readingLeft(1), 10_000);
  pass(9_999);
  assert.equal(cursors.readingLeft(1), 1);
  cursors.note([1]);
  pass(1);
  assert.equal(cursors.readingLeft(1), 9_999);
  assert.equal(cursors.readingLeft(2), 0);
});

test("SRC-2: a clock that is set back prolongs no paging", () => {
  const { cursors, pass } = stage();
  cursors.note([1]);
  pass(-3_600_000);
  assert.equal(cursors.readingLeft(1), 10_000);
});

test("SRC-2: of very many connections the latest are kept", () => {
  const { cursors } = stage();
  for (let id = 0; id < 10_000; id += 1) cursors.note([id]);
  cursors.note([0]);
  cursors.note([10_000]);
  assert.deepEqual(
    [0, 1, 2].map((id) => cursors.readingLeft(id) > 0),
    [true, false, true],
  );
});
