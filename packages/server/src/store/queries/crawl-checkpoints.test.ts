import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { WriteTransaction } from "../port.ts";
import { nodeId, scratchDatabase, someConnection } from "../testing/scratch.ts";
import {
  beginCrawl,
  closeCrawl,
  editsKnownUntil,
  endCrawl,
  lookedUpNodes,
  recordCrawlStart,
  recordEdits,
  recordLookedUp,
} from "./crawl-checkpoints.ts";

/** Two connections of different people, and what their syncs record. */
async function open(t: TestContext) {
  const { database } = await scratchDatabase(t);
  const ids = [await someConnection(database), await someConnection(database)] as const;
  const recorder = (id: number) => {
    const write = <T>(work: (trx: WriteTransaction) => Promise<T>) => database.transaction(work);
    return {
      begin: (startedAt: number) => write((trx) => beginCrawl(trx, id, startedAt)),
      start: (at: number) => write((trx) => recordCrawlStart(trx, id, at)),
      lookUp: (...numbers: number[]) => write((trx) => recordLookedUp(trx, id, numbers.map(nodeId))),
      end: () => write((trx) => endCrawl(trx, id)),
      close: () => write((trx) => closeCrawl(trx, id)),
      edits: (at: number) => write((trx) => recordEdits(trx, id, at)),
      knownUntil: () => editsKnownUntil(database.read, id),
      lookedUp: async () => (await lookedUpNodes(database.read, id)).toSorted(),
    };
  };
  return [recorder(ids[0]), recorder(ids[1])] as const;
}

test("SYNC-7: a listing compares with the latest one that ended, whatever other connections do", async (t) => {
  const [one, other] = await open(t);
  assert.equal(await one.begin(10), null);
  await one.start(11);
  assert.equal(await one.end(), true);
  await one.close();
  assert.equal(await other.begin(20), null, "nothing was listed of it before");
  await other.start(21);
  assert.equal(await one.begin(30), 11);
  await one.start(31);
  await one.close();
  assert.equal(await one.begin(40), 11, "the listing before did not end");
  assert.equal(await other.begin(50), null, "its first listing did not end");
});

test("SYNC-6: a resumed sync continues its listing, and keeps the time of its start", async (t) => {
  const [one, other] = await open(t);
  assert.equal(await one.begin(10), null);
  await one.start(11);
  assert.equal(await one.begin(10), 11, "what was listed before the restart was seen from then on");
  await one.start(15);
  assert.equal(await one.begin(10), 11);
  assert.equal(await one.end(), true);
  assert.equal(await one.end(), false, "it had ended before");
  assert.equal(await other.end(), false, "it has no listing");
  await one.close();
  assert.equal(await one.begin(20), 11);
  assert.equal(await one.end(), true, "each listing ends once");
});

test("SYNC-6: what was looked up is known to the runs of the same sync alone", async (t) => {
  const [one, other] = await open(t);
  for (const each of [one, other]) await each.begin(10);
  await one.lookUp(1, 2);
  await one.lookUp(2, 3);
  await other.lookUp(4);
  await one.begin(10);
  assert.deepEqual(await one.lookedUp(), [1, 2, 3].map(nodeId));
  await one.begin(20);
  assert.deepEqual([await one.lookedUp(), await other.lookedUp()], [[], [nodeId(4)]]);
  await one.lookUp(5);
  await other.close();
  assert.deepEqual([await one.lookedUp(), await other.lookedUp()], [[nodeId(5)], []]);
});

test("SYNC-11: edits are known until the latest listing that ended, or a later reading of edits", async (t) => {
  const [one, other] = await open(t);
  assert.equal(await one.knownUntil(), null, "nothing was listed");
  for (const each of [one, other]) await each.begin(10);
  await one.start(11);
  assert.equal(await one.knownUntil(), null, "the first listing has not ended");
  await one.end();
  assert.equal(await one.knownUntil(), 11);
  await one.edits(15);
  assert.equal(await one.knownUntil(), 15);
  await one.begin(20);
  await one.start(21);
  assert.equal(await one.knownUntil(), 15, "the listing has not ended");
  await one.end();
  assert.equal(await one.knownUntil(), 21);
  assert.equal(await other.knownUntil(), null, "it is another connection");
});
