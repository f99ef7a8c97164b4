import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { freePort } from "../../../../scripts/free-port.ts";
import { everybody, onLists, onlyAt } from "../model/testing/allow-lists.ts";
import type { Database } from "../store/port.ts";
import { finishSync, upsertConnection } from "../store/queries/connections.ts";
import { recordBackup, writeInstallation } from "../store/queries/installation.ts";
import { upsertUser } from "../store/queries/users.ts";
import { scratchDatabase } from "../store/testing/scratch.ts";
import { createMetrics } from "./metrics.ts";
import type { StateSources } from "./state-gauges.ts";

const minute = 60_000;

/** Serves the metrics of a database, and returns a function that reads a sample; undefined if there is none. */
async function serveMetrics(t: TestContext, database: Database, given: Partial<StateSources> = {}) {
  const metrics = createMetrics();
  const now = 100 * minute;
  metrics.observeState({
    build: { version: "1.2.3", commit: "abc" },
    database,
    caches: [],
    clock: () => now,
    allowed: everybody,
    intervalMs: 15 * minute,
    memory: () => ({ limit: 2e9, heapLimit: 1e9 }),
    textIndexLag: () => 0,
    ...given,
  });
  const port = await freePort();
  const { close } = await metrics.serve({ host: "127.0.0.1", port, onError: assert.ifError });
  t.after(close);
  const sample = async (name: string) => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const line = text.split("\n").find((each) => each.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.slice(name.length + 1));
  };
  return { metrics, now, sample };
}

/** Connects a user of their own to a workspace of that name, and returns the connection's id. */
async function connect(database: Database, name: string, at: number): Promise<number> {
  const { id } = await database.transaction(async (trx) => {
    const person = { provider: "some", providerUserId: name, name, email: `${name}@example.org` };
    await upsertUser(trx, { newId: name, avatarUrl: null, ...person }, 1);
    const sealed = { accessToken: Uint8Array.of(1), refreshToken: null };
    const grant = {
      userId: name,
      workspaceId: name,
      name,
      icon: null,
      provider: "some",
      grantId: "grant",
      ...sealed,
    };
    return upsertConnection(trx, grant, at);
  });
  return id;
}

test("OPS-2: connections that were never synced or are overdue are counted, of people who may use Clew", async (t) => {
  const { database } = await scratchDatabase(t);
  const end = async (id: number, now: number) =>
    database.transaction((trx) => finishSync(trx, id, { startedAt: now, now, isComplete: true }));
  await end(await connect(database, "fresh", 0), 41 * minute);
  await end(await connect(database, "overdue", 0), 39 * minute);
  await connect(database, "first", 70 * minute);
  await connect(database, "second", 90 * minute);
  const counts = async (given: Partial<StateSources>) => {
    const { sample } = await serveMetrics(t, database, given);
    return [
      await sample("clew_connections_overdue"),
      await sample("clew_connections_never_synced"),
      await sample("clew_oldest_never_synced_age_seconds"),
    ];
  };
  assert.deepEqual(await counts({}), [1, 2, 30 * 60]);
  assert.deepEqual(await counts({ intervalMs: 0 }), [0, 2, 30 * 60]);
  const allowed = onLists({ workspaces: ["second"], emails: ["fresh@example.org"] });
  assert.deepEqual(await counts({ allowed }), [0, 1, 10 * 60]);
  assert.deepEqual(await counts({ allowed: onlyAt("another") }), [0, 0, 0]);
});

test("OPS-2: the build, the limits of memory and disk, and the pool are shown", async (t) => {
  const { database } = await scratchDatabase(t);
  await database.upkeep?.checkRoom();
  const { metrics, sample } = await serveMetrics(t, database);
  const { version: schema } = await database.schemaState();
  assert.equal(await sample(`clew_build_info{version="1.2.3",commit="abc",schema="${schema}"}`), 1);
  assert.equal(await sample("clew_memory_limit_bytes"), 2e9);
  assert.equal(await sample("clew_heap_limit_bytes"), 1e9);
  const isFile = database.upkeep !== undefined;
  assert.equal(await sample("clew_disk_needed_bytes"), isFile ? 64 * 2 ** 20 : undefined);
  assert.equal(((await sample("clew_disk_free_bytes")) ?? 0) > 0, isFile);
  assert.equal((await sample('clew_db_pool{state="idle"}')) !== undefined, !isFile);
  metrics.observePoolWait(40);
  assert.equal(await sample('clew_db_pool_wait_seconds_bucket{le="0.025"}'), 0);
  assert.equal(await sample('clew_db_pool_wait_seconds_bucket{le="0.1"}'), 1);
  assert.equal(await sample('clew_syncs_total{kind="full",outcome="failed"}'), 0);
  metrics.observeSync({ kind: "full", outcome: "failed" });
  assert.equal(await sample('clew_syncs_total{kind="full",outcome="failed"}'), 1);
});

test("OPS-2: the time of the last good backup is shown, once there is one, and the lag of the text index", async (t) => {
  const { database } = await scratchDatabase(t);
  await database.transaction((trx) =>
    writeInstallation(trx, { sealedKeyCheck: Uint8Array.of(1), nextKeyCheck: null }),
  );
  const { sample } = await serveMetrics(t, database, { textIndexLag: () => 7 });
  assert.equal(await sample("clew_backup_last_success_timestamp_seconds"), undefined);
  await database.record((trx) => recordBackup(trx, 5 * minute));
  assert.equal(await sample("clew_backup_last_success_timestamp_seconds"), 300);
  assert.equal(await sample("clew_text_index_lag_pages"), 7);
});

test("OPS-2: while the database is down its gauges have no values, and the others do", async (t) => {
  const { database } = await scratchDatabase(t);
  const down: Database = { ...database, snapshot: () => Promise.reject(new Error("down")) };
  const { sample } = await serveMetrics(t, down);
  assert.equal(await sample("clew_database_up"), 0);
  assert.equal(await sample('clew_build_info{version="1.2.3",commit="abc",schema=""}'), 1);
  assert.equal(await sample("clew_memory_limit_bytes"), 2e9);
  for (const name of ["clew_connections_overdue", "clew_sessions_live", "clew_oldest_sync_age_seconds"])
    assert.equal(await sample(name), undefined, name);
});
