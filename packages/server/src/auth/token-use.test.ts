import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { until } from "@clew/stand-in/testing/until";
import type { Database, WriteTransaction } from "../store/port.ts";
import { listServiceTokens } from "../store/queries/service-tokens.ts";
import { createAuthFixture, minute, second } from "./testing/auth-fixture.ts";
import { createTokenUse, type Every, flushEvery } from "./token-use.ts";

async function lastUse(database: Database, userId: string): Promise<number | null | undefined> {
  const [token] = await listServiceTokens(database.read, userId, { now: 0, limit: 1 });
  return token?.lastUsedAt;
}

/** A timer whose interval the test ends. */
function manualTimer() {
  const timer = { intervalMs: 0, tick: () => {} };
  const every: Every = (intervalMs, work) => {
    Object.assign(timer, { intervalMs, tick: work });
    return () => {
      timer.tick = () => {};
    };
  };
  return { every, timer };
}

/** Lets a write begin, and waits for it where transactions run one at a time, as in SQLite. */
async function begunWrites(database: Database): Promise<void> {
  await setImmediate();
  await database.transaction(async () => {});
}

test("TOK-10: token uses are written within 30 s, without a flush", async (t) => {
  const { clock, database, signUp, serviceToken } = await createAuthFixture(t);
  const user = await signUp("owner");
  const { id } = await serviceToken(user.id);
  const { every, timer } = manualTimer();
  const tokenUse = createTokenUse({ database, clock, onError: assert.ifError, every });
  assert.equal(timer.intervalMs, 30_000);
  tokenUse.record(id);
  const usedAt = clock();
  clock.advance(30_000);
  await begunWrites(database);
  assert.equal(await lastUse(database, user.id), null);
  timer.tick();
  await until(async () => (await lastUse(database, user.id)) !== null);
  assert.equal(await lastUse(database, user.id), usedAt);
  await tokenUse.close();
});

test("TOK-10: the time of last use never decreases, whichever instance writes last", async (t) => {
  const { clock, database, signUp, serviceToken } = await createAuthFixture(t);
  const user = await signUp("owner");
  const { id } = await serviceToken(user.id);
  const instances = [1, 2].map(() => createTokenUse({ database, clock, onError: assert.ifError }));
  const [early, late] = instances;
  early?.record(id);
  clock.advance(20 * second);
  late?.record(id);
  const usedAt = clock();
  await late?.flush();
  await early?.flush();
  assert.equal(await lastUse(database, user.id), usedAt);
  await Promise.all(instances.map((instance) => instance.close()));
});

test("TOK-10: a use is written once", async (t) => {
  const { clock, database, signUp, serviceToken } = await createAuthFixture(t);
  const user = await signUp("owner");
  const { id } = await serviceToken(user.id);
  const tokenUse = createTokenUse({ database, clock, onError: assert.ifError });
  tokenUse.record(id);
  await tokenUse.flush();
  const forget = (trx: WriteTransaction) =>
    trx.updateTable("service_tokens").set({ last_used_at: null }).where("id", "=", id).execute();
  await database.transaction(forget);
  await tokenUse.flush();
  assert.equal(await lastUse(database, user.id), null);
  await tokenUse.close();
});

test("TOK-10: uses that could not be written are written the next time, and closing does not fail", async (t) => {
  const { clock, database, signUp, serviceToken } = await createAuthFixture(t);
  const user = await signUp("owner");
  const [one, two] = [await serviceToken(user.id), await serviceToken(user.id)];
  const rename = (from: string, to: string) =>
    database.transaction((trx) => trx.schema.alterTable(from).renameTo(to).execute());
  const failures: unknown[] = [];
  const tokenUse = createTokenUse({ database, clock, onError: (error) => failures.push(error) });
  tokenUse.record(one.id);
  tokenUse.record(two.id);
  await rename("service_tokens", "out_of_the_way");
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const earlier = database.transaction(() => released);
  const failing = tokenUse.flush();
  await setImmediate();
  // The write has begun and waits for the earlier transaction: later records go into the next write.
  clock.advance(minute);
  tokenUse.record(one.id);
  release();
  await earlier;
  await assert.rejects(failing);
  await rename("out_of_the_way", "service_tokens");
  await tokenUse.flush();
  const uses = await listServiceTokens(database.read, user.id, { now: 0, limit: 2 });
  assert.deepEqual(
    new Map(uses.map(({ id, lastUsedAt }) => [id, lastUsedAt])),
    new Map([
      [one.id, clock()],
      [two.id, clock() - minute],
    ]),
  );
  tokenUse.record(one.id);
  await rename("service_tokens", "out_of_the_way");
  await tokenUse.close();
  assert.equal(failures.length, 1);
});

test("records are written at each interval and on closing", async () => {
  const { every, timer } = manualTimer();
  let writes = 0;
  const write = async () => {
    writes += 1;
  };
  const { flush, close } = flushEvery(1000, { onError: assert.ifError, every }, write);
  assert.equal(timer.intervalMs, 1000);
  await Promise.resolve();
  assert.equal(writes, 0);
  timer.tick();
  await flush();
  assert.equal(writes, 2);
  await close();
  assert.equal(writes, 3);
  timer.tick();
  await Promise.resolve();
  assert.equal(writes, 3);
});

test("writes run one after the other; a failure rejects the flush that waits for it and stops no later write", async () => {
  const failures: unknown[] = [];
  const order: string[] = [];
  let fails = true;
  const write = async () => {
    order.push("begin");
    await setImmediate();
    order.push("end");
    if (fails) throw new Error("away");
  };
  const onError = (error: unknown) => failures.push(error);
  const { flush, close } = flushEvery(1_000_000, { onError }, write);
  const outcomes = await Promise.allSettled([flush(), flush()]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.deepEqual(order, ["begin", "end", "begin", "end"]);
  fails = false;
  await flush();
  fails = true;
  await close();
  assert.equal(failures.length, 1);
});
