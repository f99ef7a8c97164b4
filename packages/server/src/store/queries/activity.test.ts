import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { activityLimits } from "@clew/contract";
import type { TokenCall } from "../../model/activity.ts";
import { nodeId, scratchDatabase } from "../testing/scratch.ts";
import {
  addCalls,
  deleteActivityBefore,
  hoursOf,
  latestCalls,
  latestNumber,
  mostRead,
  numberOfCalls,
  type PendingCalls,
  sumsSince,
} from "./activity.ts";

const hour = 3_600_000;

/** A call that had no page. */
const call = (at: number): TokenCall => ({
  at,
  operation: "search",
  words: null,
  nodeIds: [],
  pages: 0,
  status: 200,
  ms: 1,
});

const countOf = (at: number, calls: number) => ({
  hour: Math.floor(at / hour),
  operation: "search" as const,
  calls,
  refused: 0,
});

/** An empty database, and the calls of tokens in it. */
async function open(t: TestContext) {
  const { activity } = (await scratchDatabase(t)).database;
  const token = (id: number) => ({ id, userId: "owner", createdAt: 1 });
  return {
    activity,
    token,
    add: (id: number, given: Partial<PendingCalls>) =>
      activity.write((trx) =>
        addCalls(trx, token(id), { counts: [], pages: new Map(), latest: [], ...given }),
      ),
    /** All that is kept of a token. */
    kept: (id: number) =>
      activity.read(async (db) => ({
        number: await latestNumber(db, token(id)),
        calls: (await latestCalls(db, id, { after: 0, since: 0, limit: 1_000 })).map(({ at }) => at),
        hours: (await hoursOf(db, id, 0)).map(({ at, calls }) => [at, calls]),
        pages: (await mostRead(db, id, 0)).map(({ nodeId }) => nodeId),
      })),
    deleteBefore: (before: number) => activity.write((trx) => deleteActivityBefore(trx, before)),
  };
}

test("APP-9: of each token the latest calls are kept, however many another one has", async (t) => {
  const { add, activity } = await open(t);
  const { calls } = activityLimits;
  await add(1, { counts: [countOf(1, 2)], latest: [call(1), call(2)] });
  const times = Array.from({ length: calls }, (_, index) => 1 + index);
  await add(2, { counts: [countOf(1, calls)], latest: times.map(call) });
  await add(2, { counts: [countOf(1, 1)], latest: [call(calls + 1)] });
  const timesOf = async (id: number) => {
    const found = await activity.read((db) => latestCalls(db, id, { after: 0, since: 0, limit: 1_000 }));
    return found.map(({ at }) => at);
  };
  assert.deepEqual(await timesOf(1), [2, 1]);
  assert.deepEqual(await timesOf(2), times.map((at) => at + 1).toReversed());
  assert.deepEqual(await activity.read((db) => sumsSince(db, 2, 0)), {
    calls: calls + 1,
    refused: 0,
    pages: 0,
  });
});

test("APP-9: calls are kept until their time is over, and with the last of them goes the token", async (t) => {
  const { add, kept, deleteBefore, activity } = await open(t);
  const none = { number: null, calls: [], hours: [], pages: [] };
  await add(1, {
    counts: [countOf(hour, 1), countOf(3 * hour, 1)],
    pages: new Map([
      [nodeId(1), { reads: 1, at: hour }],
      [nodeId(2), { reads: 1, at: 3 * hour }],
    ]),
    latest: [call(hour), call(3 * hour)],
  });
  await add(2, { counts: [countOf(2 * hour, 1)], latest: [call(2 * hour)] });
  const all = {
    number: 2,
    calls: [3 * hour, hour],
    hours: [
      [hour, 1],
      [3 * hour, 1],
    ],
    pages: [nodeId(2), nodeId(1)],
  };
  assert.equal(await deleteBefore(hour), false, "nothing is older");
  assert.deepEqual(await kept(1), all);
  assert.equal(await activity.read((db) => numberOfCalls(db, 1)), 2);
  assert.equal(await deleteBefore(2 * hour), true);
  const late = { number: 2, calls: [3 * hour], hours: [[3 * hour, 1]], pages: [nodeId(2)] };
  assert.deepEqual(await kept(1), late);
  assert.deepEqual((await kept(2)).calls, [2 * hour], "its only call is as old as that");
  assert.equal(await deleteBefore(2 * hour), false, "it is deleted already");
  assert.equal(await deleteBefore(2 * hour + 1), true);
  assert.deepEqual([await kept(1), await kept(2)], [late, none]);
  assert.equal(await deleteBefore(3 * hour + 1), true);
  assert.deepEqual(await kept(1), none);
  assert.equal(await activity.read((db) => numberOfCalls(db, 1)), 0);
});

for (const [what, given] of Object.entries({
  "a page": { pages: new Map([[nodeId(1), { reads: 1, at: hour }]]), latest: [call(3 * hour)] },
  "an hour": { counts: [countOf(hour, 1)], latest: [call(3 * hour)] },
  "a call": { counts: [countOf(3 * hour, 2)], latest: [call(hour), call(3 * hour)] },
  "a token": { latest: [call(hour)] },
}))
  test(`APP-9: that ${what} was deleted is known, so that nothing of it remains on the disk`, async (t) => {
    const { add, deleteBefore } = await open(t);
    await add(1, given);
    assert.deepEqual([await deleteBefore(2 * hour), await deleteBefore(2 * hour)], [true, false]);
  });

test("APP-9: the pages that most answers had come first, of equal ones those that were read last", async (t) => {
  const { add, activity } = await open(t);
  const read = (number: number, reads: number, at: number) => [nodeId(number), { reads, at }] as const;
  await add(1, {
    pages: new Map([read(1, 2, 50), read(2, 1, 90), read(3, 2, 70), read(4, 2, 50), read(5, 9, 9)]),
  });
  await add(2, { pages: new Map([read(6, 100, 80)]) });
  const pages = async (since: number) =>
    (await activity.read((db) => mostRead(db, 1, since))).map(({ nodeId }) => nodeId);
  assert.deepEqual(await pages(10), [3, 1, 4, 2].map(nodeId));
  assert.deepEqual(await pages(9), [5, 3, 1, 4, 2].map(nodeId));
  const many = Array.from({ length: activityLimits.mostRead + 5 }, (_, number) => read(number, 1, number));
  await add(3, { pages: new Map(many) });
  assert.deepEqual(
    (await activity.read((db) => mostRead(db, 3, 0))).map(({ readAt }) => readAt),
    many
      .map(([, { at }]) => at)
      .toReversed()
      .slice(0, activityLimits.mostRead),
  );
});

test("APP-9: of a token that has read as many pages as are kept, those that are known are counted on", async (t) => {
  const { add, activity } = await open(t);
  const pages = (from: number, to: number, at: number) =>
    new Map(
      Array.from({ length: to - from }, (_, index) => [nodeId(from + index), { reads: 1, at }] as const),
    );
  await add(2, { pages: pages(activityLimits.pages, activityLimits.pages + 5, 10) });
  await add(1, { pages: pages(0, activityLimits.pages - 1, 10) });
  await add(1, { pages: pages(activityLimits.pages - 3, activityLimits.pages + 5, 20) });
  const rows = await activity.read((db) =>
    db
      .selectFrom("activity_pages")
      .select("reads")
      .where("token_id", "=", 1)
      .where("read_at", "=", 20)
      .execute(),
  );
  assert.deepEqual(rows.map(({ reads }) => reads).sort(), [1, 2, 2]);
});
