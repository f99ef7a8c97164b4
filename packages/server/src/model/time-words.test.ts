import assert from "node:assert/strict";
import { test } from "node:test";
import { timeOfWords } from "./time-words.ts";

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
    "three days ago",
    "7d",
    "2030-06-15",
    "in 3 days",
  ])
    assert.equal(timeOfWords(text, now), null, text);
});
