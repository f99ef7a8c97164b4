import assert from "node:assert/strict";
import { test } from "node:test";
import { recordInstance } from "../../store/queries/instances.ts";
import { scratchDatabase } from "../../store/testing/scratch.ts";
import { EditTimes } from "./edit-times.ts";
import { Instances } from "./instances.ts";
import { nextLook, ownerOf } from "./shares.ts";

const second = 1_000;
const minute = 60 * second;
const names = ["one", "two", "three", "four"];
const connections = Array.from({ length: 4_000 }, (_, id) => id + 1);

test("SYNC-11: connections are shared evenly, and if an instance goes only its own change hands", () => {
  const owners = connections.map((id) => ownerOf(id, names));
  for (const name of names) {
    const share = owners.filter((owner) => owner === name).length;
    assert.ok(Math.abs(share - 1_000) < 150, `${name} has ${share} of ${connections.length}`);
  }
  const left = names.filter((name) => name !== "two");
  connections.forEach((id, at) => {
    if (owners[at] !== "two") assert.equal(ownerOf(id, left), owners[at]);
    assert.equal(ownerOf(id, names.toReversed()), owners[at], "the order of instances does not matter");
  });
  assert.equal(ownerOf(1, []), null);
});

test("SYNC-11, OPS-8: all versions of Clew compute the same shares and times, so an upgrade leaves no connection alone", () => {
  const ids = [
    "00000000-0000-4000-8000-000000000000",
    "6f1b7c52-9c3e-4d1a-8f27-0b5d2e94a713",
    "d2719a4e-58b6-4f03-a1c9-7e60f3b8254d",
  ];
  const some = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1_000, 123_456];
  assert.deepEqual(
    some.map((id) => ids.indexOf(ownerOf(id, ids) ?? "")),
    [1, 0, 0, 0, 0, 0, 1, 1, 2, 1, 1, 0],
  );
  const places = [37_909, 6_347, 11_820, 15_230, 18_269];
  const begun = Date.UTC(2026, 0, 1);
  assert.deepEqual(
    places.map((_, at) => nextLook(at + 1, begun) - begun),
    places,
  );
});

test("SYNC-11: the next look is in the minute that follows, and never at once", () => {
  const place = nextLook(1, 0);
  assert.equal(nextLook(1, place), place + minute);
  assert.equal(nextLook(1, place - 1), place);
  assert.equal(nextLook(1, place + 1), place + minute);
});

/** Instances on one database, by their names. */
async function started(t: Parameters<typeof scratchDatabase>[0]) {
  const { database } = await scratchDatabase(t);
  let now = 1_800_000_000_000;
  const clock = () => now;
  const [one, two] = ["one", "two"].map((id) => new Instances({ id, database, clock }));
  assert.ok(one && two);
  const nothing = { peers: [], lookedAt: null, behind: [] };
  return {
    one,
    two,
    database,
    nothing,
    clock,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

test("SYNC-11: an instance takes part while it was heard of within 45 s, and no more once it has left", async (t) => {
  const { one, two, nothing, pass } = await started(t);
  await one.beat(nothing);
  await two.beat(nothing);
  assert.deepEqual(two.peers(), ["one", "two"]);
  assert.deepEqual(one.peers(), ["one"], "it has not looked since");
  await one.beat(nothing);
  assert.deepEqual(one.peers(), ["one", "two"]);
  pass(44 * second);
  await one.beat(nothing);
  assert.deepEqual(one.peers(), ["one", "two"]);
  pass(second);
  assert.deepEqual(one.peers(), ["one"]);
  await two.beat(nothing);
  await one.beat(nothing);
  assert.deepEqual(one.peers(), ["one", "two"]);
  await two.leave(nothing);
  await one.beat(nothing);
  assert.deepEqual(one.peers(), ["one"]);
});

test("SYNC-11, OPS-8: what an instance has looked at holds by the shares of then, on every instance", async (t) => {
  const { one, database, clock, pass } = await started(t);
  const peers = ["one", "two"];
  const mine = connections.filter((id) => ownerOf(id, peers) === "one");
  const [behind, known] = mine;
  const other = connections.find((id) => ownerOf(id, peers) === "two");
  assert.ok(behind !== undefined && known !== undefined && other !== undefined);
  const lookedAt = clock() - 20 * second;
  await one.beat({ peers, lookedAt, behind: [behind] });
  const times = new EditTimes({ database });
  /** Before every look. */
  const synced = 1;
  const timesOf = async (...ids: readonly number[]) => {
    await times.refresh();
    return ids.map((id) => times.editsAsOf({ id, completeAsOf: synced, editsAsOf: null }));
  };
  assert.deepEqual(await timesOf(known, behind, other), [lookedAt, synced, synced]);
  // Alone, "one" would have all; of "two" there is no report.
  pass(60 * second);
  await one.beat({ peers, lookedAt, behind: [behind] });
  assert.deepEqual(one.peers(), ["one"]);
  assert.deepEqual(await timesOf(other), [synced]);
  await one.leave({ peers: ["one"], lookedAt: clock(), behind: [] });
  assert.deepEqual(await timesOf(other), [clock()], "what it said last stays known");
});

test("SYNC-11: of two instances that both had a connection, the later look counts, whichever is listed first", async (t) => {
  const { database } = await scratchDatabase(t);
  const times = new EditTimes({ database });
  const [earlier, later] = [1_000, 2_000];
  /** Stores the reports of two instances that both had a connection, each alone, and answers until when its edits are known. */
  const asOf = async (id: number, one: number | null, two: number | null) => {
    for (const [name, lookedAt] of Object.entries({ one, two })) {
      const row = { id: name, seenAt: 1, lookedAt, peers: [name], behind: [] };
      await database.transaction((trx) => recordInstance(trx, row));
    }
    await times.refresh();
    return times.editsAsOf({ id, completeAsOf: 1, editsAsOf: null });
  };
  assert.equal(await asOf(1, earlier, later), later);
  assert.equal(await asOf(2, later, earlier), later);
  assert.equal(await asOf(3, earlier, null), earlier, "the other has not looked yet");
  assert.equal(await asOf(4, null, earlier), earlier);
  assert.equal(await asOf(5, null, null), 1);
});

test("SYNC-11: what was known once stays known, and a later sync counts as well", async (t) => {
  const { database } = await scratchDatabase(t);
  const times = new EditTimes({ database });
  assert.equal(times.editsAsOf({ id: 1, completeAsOf: null, editsAsOf: null }), null);
  assert.equal(times.editsAsOf({ id: 1, completeAsOf: null, editsAsOf: 5 }), 5);
  assert.equal(times.editsAsOf({ id: 1, completeAsOf: 3, editsAsOf: null }), 5);
  assert.equal(times.editsAsOf({ id: 1, completeAsOf: 7, editsAsOf: 6 }), 7);
  assert.equal(times.editsAsOf({ id: 2, completeAsOf: 1, editsAsOf: null }), 1, "of another connection");
});

test("SYNC-11: rows of instances that ended an hour ago are deleted", async (t) => {
  const { one, two, nothing, database, pass } = await started(t);
  await one.beat(nothing);
  for (let beats = 0; beats < 2; beats += 1) {
    pass(61 * 60 * second);
    await two.beat(nothing);
  }
  const rows = await database.read.selectFrom("instances").select("id").execute();
  assert.deepEqual(rows, [{ id: "two" }]);
});
