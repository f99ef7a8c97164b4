import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ApiError } from "../model/api-error.ts";
import { readTime, readTimeParameter } from "./times.ts";

const now = Date.UTC(2026, 2, 10, 12);

for (const [text, expected] of [
  ["24h", "2026-03-09T12:00:00.000Z"],
  ["7d", "2026-03-03T12:00:00.000Z"],
  ["2w", "2026-02-24T12:00:00.000Z"],
  ["0h", "2026-03-10T12:00:00.000Z"],
  ["2026-02-28", "2026-02-28T00:00:00.000Z"],
  ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ["2026-02-28T23:59:59Z", "2026-02-28T23:59:59.000Z"],
  ["2026-02-28t23:59:59.5z", "2026-02-28T23:59:59.500Z"],
  ["2026-02-28T23:59:59.123987+02:30", "2026-02-28T21:29:59.123Z"],
  ["2026-02-28T23:59:59-01:00", "2026-03-01T00:59:59.000Z"],
] as const) {
  test(`GRAPH-29: ${text} is a time`, () => {
    const time = readTime(text, now);
    assert.equal(time === null ? null : new Date(time).toISOString(), expected);
  });
}

for (const text of [
  "",
  "7",
  "d",
  "-7d",
  "7 d",
  "7m",
  "1.5h",
  "9999999d",
  "2026-02-30",
  "2026-13-01",
  "2026-2-3",
  "2026-02-28T24:00:00Z",
  "2026-02-28T23:59:60Z",
  "2026-02-28T23:59:59",
  "2026-02-28 23:59:59Z",
  "2026-02-28T23:59:59.Z",
  "Sat, 28 Feb 2026",
  "1772236800",
])
  test(`GRAPH-29: ${JSON.stringify(text)} is no time`, () => {
    assert.equal(readTime(text, now), null);
    assert.throws(
      () => readTimeParameter("since", text, now),
      (error) => error instanceof ApiError && error.faults?.[0]?.path === "?since",
    );
  });

test("GRAPH-29: every moment is read as it is written", () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true }), (date) => {
      assert.equal(readTime(date.toISOString(), now), date.getTime());
    }),
  );
});
