import assert from "node:assert/strict";
import { test } from "node:test";
import { daysOf } from "./days.ts";

const at = (day: number, hour: number, month = 10) => new Date(2026, month, day, hour).getTime();
const counted = (time: number, calls: number, refused = 0) => ({
  at: new Date(time).toISOString(),
  operation: "search" as const,
  calls,
  refused,
});

test("APP-9: calls are counted by the days of the person who looks, a week at least", () => {
  const days = daysOf(
    [counted(at(22, 0), 2), counted(at(22, 23), 3, 1), counted(at(24, 9), 4)],
    at(23, 8),
    at(24, 11),
  );
  assert.deepEqual(
    days.map(({ begins, calls, refused }) => [new Date(begins).getDate(), calls, refused]),
    [
      [18, 0, 0],
      [19, 0, 0],
      [20, 0, 0],
      [21, 0, 0],
      [22, 5, 1],
      [23, 0, 0],
      [24, 4, 0],
    ],
  );
});

test("APP-9: days begin with the first, over changes of the clock too", () => {
  // The clock is put forward in March in much of the world.
  const days = daysOf([], at(1, 12, 2), at(31, 12, 2));
  assert.deepEqual(
    days.map(({ begins }) => new Date(begins).getDate()),
    Array.from({ length: 31 }, (_, index) => index + 1),
  );
  assert.ok(days.every(({ begins }) => new Date(begins).getHours() === 0));
});
