import assert from "node:assert/strict";
import { test } from "node:test";
import type { ActivityCall, TokenActivity } from "@clew/client";
import { withEvent } from "./merged-activity.ts";

const none: TokenActivity = {
  days: 30,
  calls: 0,
  refused: 0,
  pages: 0,
  week: { calls: 0, refused: 0, pages: 0 },
  hours: [],
  most_read: [],
  latest: [],
  last_event_id: "0",
};

const call = (words: string, status = 200, ids: readonly string[] = []): ActivityCall => ({
  at: "2026-11-24T11:04:12.000Z",
  operation: "search",
  words,
  node_ids: [...ids],
  pages: ids.length,
  status,
  ms: 3,
});

const wordsOf = ({ latest }: TokenActivity) => latest.map(({ words }) => words);

test("APP-9: an event adds its calls, newest first, and counts them in their hour", () => {
  const week = { calls: 3, refused: 1, pages: 2 };
  const first = withEvent(none, 2, {
    calls: [call("a"), call("b")],
    week: { ...week, calls: 2, refused: 0 },
  });
  const { hours, calls, refused, pages, last_event_id, ...rest } = withEvent(first, 3, {
    calls: [call("c", 403)],
    week,
  });
  assert.deepEqual(hours, [{ at: "2026-11-24T11:00:00.000Z", operation: "search", calls: 3, refused: 1 }]);
  assert.deepEqual([calls, refused, pages, last_event_id, rest.week], [3, 1, 2, "3", week]);
  assert.deepEqual(
    rest.latest.map(({ words }) => words),
    ["c", "b", "a"],
  );
});

test("APP-9: calls that are known from another answer are not added again", () => {
  const known = withEvent(none, 2, { calls: [call("a"), call("b")], week: none.week });
  const event = { calls: [call("b"), call("c")], week: { calls: 3, refused: 0, pages: 0 } };
  const after = withEvent(known, 3, event);
  assert.deepEqual(wordsOf(after), ["c", "b", "a"]);
  const again = withEvent(after, 3, event);
  assert.deepEqual([wordsOf(again), again.calls], [["c", "b", "a"], 3]);
});

test("APP-9: an event counts the pages of its calls, the most read first", () => {
  const first = withEvent(none, 1, { calls: [call("a", 200, ["x", "y"])], week: none.week });
  const { most_read } = withEvent(first, 2, { calls: [call("b", 200, ["y", "z"])], week: none.week });
  assert.deepEqual(
    most_read.map(({ node_id, reads }) => [node_id, reads]),
    [
      ["y", 2],
      ["z", 1],
      ["x", 1],
    ],
  );
});
