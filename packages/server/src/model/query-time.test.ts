import assert from "node:assert/strict";
import { test } from "node:test";
import { parseQueryTime, parseQueryTimeEitherWay } from "./query-time.ts";

const now = Date.UTC(2030, 5, 15, 12);
const hour = 3_600_000;

test("GRAPH-19: a time is an RFC 3339 date or date-time, or a span back from now", () => {
  const valid: Readonly<Record<string, number>> = {
    "2030-02-28": Date.UTC(2030, 1, 28),
    "2030-02-28T10:20:30Z": Date.UTC(2030, 1, 28, 10, 20, 30),
    "2030-02-28t10:20:30.123456z": Date.UTC(2030, 1, 28, 10, 20, 30, 123),
    "2030-02-28T10:20:30.5+02:00": Date.UTC(2030, 1, 28, 8, 20, 30, 500),
    "2030-02-28T10:20:30 02:00": Date.UTC(2030, 1, 28, 8, 20, 30),
    "2030-02-28T10:20:30-23:59": Date.UTC(2030, 2, 1, 10, 19, 30),
    "2032-02-29": Date.UTC(2032, 1, 29),
    "24h": now - 24 * hour,
    "7d": now - 7 * 24 * hour,
    "2w": now - 14 * 24 * hour,
    "6mo": now - 180 * 24 * hour,
    "1y": now - 365 * 24 * hour,
    "0h": now,
    "999999y": Date.parse("0000-01-01"),
  };
  for (const [text, time] of Object.entries(valid)) assert.equal(parseQueryTime(text, now), time, text);
});

test("GRAPH-19: anything else is not a time", () => {
  const invalid = [
    "",
    "yesterday",
    "7",
    "7m",
    "7mon",
    "1yr",
    "-7d",
    "+7d",
    "7 d",
    "1.5h",
    "9999999d",
    "2030",
    "2030-02",
    "2030-2-3",
    "2030-02-30",
    "2030-13-01",
    "2030-02-28T10:20Z",
    "2030-02-28T10:20:30",
    "2030-02-28T24:00:00Z",
    "2030-02-28T10:60:30Z",
    "2030-02-28T10:20:30+24:00",
    "2030-02-28T10:20:30.Z",
    "1700000000",
  ];
  for (const text of invalid) assert.equal(parseQueryTime(text, now), null, text);
});

test("GRAPH-23: a time of rows may also be a span ahead of now", () => {
  const read = (text: string) => parseQueryTimeEitherWay(text, now);
  assert.deepEqual(
    [read("+36h"), read("+2w"), read("2w")],
    [now + 36 * hour, now + 336 * hour, now - 336 * hour],
  );
  assert.equal(read("2030-02-28"), Date.UTC(2030, 1, 28));
  for (const text of ["+", "+2030-02-28", "++7d", "+ 7d", "+-7d", "+7"]) assert.equal(read(text), null, text);
});
