import assert from "node:assert/strict";
import { test } from "node:test";
import { scratchDatabase } from "../../store/testing/scratch.ts";
import { EditTimes } from "./edit-times.ts";
import { Instances } from "./instances.ts";
import { ownerOf } from "./shares.ts";

const second = 1_000;
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
