import assert from "node:assert/strict";
import { test } from "node:test";
import { startOfPeriod, timeOfWords } from "./time-words.ts";

const now = Date.UTC(2030, 5, 15, 12, 30);

test("AGT-3: a time may be said in words, of which days and longer begin at midnight UTC", () => {
  const valid: Readonly<Record<string, number>> = {
    today: Date.UTC(2030, 5, 15),
    " Yesterday ": Date.UTC(2030, 5, 14),
    "last week": Date.UTC(2030, 5, 8),
    "3 days ago": Date.UTC(2030, 5, 12),
    "1 day ago": Date.UTC(2030, 5, 14),
    "a  week ago": Date.UTC(2030, 5, 8),
    "the last 7 days": Date.UTC(2030, 5, 8),
    "past month": Date.UTC(2030, 4, 16),
    "2 weeks": Date.UTC(2030, 5, 1),
    "1 year ago": Date.UTC(2029, 5, 15),
    "an hour ago": now - 3_600_000,
    "last 90 minutes": now - 5_400_000,
    now,
    tomorrow: Date.UTC(2030, 5, 16),
    "three days ago": Date.UTC(2030, 5, 12),
    "in the last two weeks": Date.UTC(2030, 5, 1),
    "1 November 2029": Date.UTC(2029, 10, 1),
    "Nov 1st, 2029": Date.UTC(2029, 10, 1),
    "29 feb 2028": Date.UTC(2028, 1, 29),
  };
  for (const [text, time] of Object.entries(valid)) assert.equal(timeOfWords(text, now), time, text);
});

test("AGT-3: other words are no time", () => {
  for (const text of [
    "",
    "week",
    "ago",
    "days ago",
    "3 moons ago",
    "twenty days ago",
    "30 February 2030",
    "31 June 2030",
    "0 May 2030",
    "October 2029",
    "this week",
    "monday",
    "7d",
    "2030-06-15",
    "in 3 days",
  ])
    assert.equal(timeOfWords(text, now), null, text);
});

test("AGT-3: weeks, months and years begin at midnight UTC", () => {
  const valid: Readonly<Record<string, number>> = {
    "this week": Date.UTC(2030, 5, 10),
    "this month": Date.UTC(2030, 5, 1),
    "This Year": Date.UTC(2030, 0, 1),
    "October 2029": Date.UTC(2029, 9, 1),
    "2029-10": Date.UTC(2029, 9, 1),
    sept: Date.UTC(2029, 8, 1),
    May: Date.UTC(2030, 4, 1),
    june: Date.UTC(2030, 5, 1),
  };
  for (const [text, time] of Object.entries(valid)) assert.equal(startOfPeriod(text, now), time, text);
  for (const text of ["", "2029-13", "2029", "this day", "mayor", "next month", "octopus 2029"])
    assert.equal(startOfPeriod(text, now), null, text);
  assert.equal(startOfPeriod("this week", Date.UTC(2030, 5, 16, 23)), Date.UTC(2030, 5, 10), "a Sunday");
});
