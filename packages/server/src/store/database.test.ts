import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import manifest from "../../package.json" with { type: "json" };
import { openDatabase } from "./database.ts";
import type { Migration } from "./migrate.ts";
import { DatabaseError, type RecordTransaction, type WriteTransaction } from "./port.ts";
import { insertAudit } from "./queries/audit.ts";
import { findSession } from "./queries/sessions.ts";
import { findUser, upsertUser } from "./queries/users.ts";
import { laterMigration, newest, stopping } from "./testing/later-migration.ts";
import { hasPooler, newLocation, onPostgres, released } from "./testing/location.ts";
import { runTogether, startProcess } from "./testing/processes.ts";
import { scratchDatabase, someUser } from "./testing/scratch.ts";

const broken: Migration = {
  ...stopping,
  async up(trx) {
    await stopping.up(trx);
    await sql`this is not sql`.execute(trx);
  },
};

const person = { provider: "some", providerUserId: "1", name: null, email: null, avatarUrl: null };

test("a failed transaction leaves nothing behind, and the next one works", async (t) => {
  const { database } = await scratchDatabase(t);
  const failure = new Error("no");
  const attempt = database.transaction(async (trx) => {
    await upsertUser(trx, { newId: "user", ...person }, 1);
    throw failure;
  });
  await assert.rejects(attempt, failure);
  assert.equal(await findUser(database.read, "user"), null);
  await database.transaction((trx) => upsertUser(trx, { newId: "user", ...person }, 1));
  assert.notEqual(await findUser(database.read, "user"), null);
});

test("transactions of one process run one after the other", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const rename = () =>
    database.transaction(async (trx) => {
      const user = await findUser(trx, userId);
      await new Promise(setImmediate);
      await trx
        .updateTable("users")
        .set({ name: `${user?.name ?? ""}x` })
        .where("id", "=", userId)
        .execute();
    });
  await Promise.all(Array.from({ length: 20 }, rename));
  assert.equal((await findUser(database.read, userId))?.name, "x".repeat(20));
});

test("reads neither wait for an open write transaction nor see what it wrote", async (t) => {
  const { database } = await scratchDatabase(t);
  const written = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const writing = database.transaction(async (trx) => {
    await upsertUser(trx, { newId: "user", ...person }, 1);
    written.resolve();
    await release.promise;
  });
  try {
    await Promise.race([written.promise, writing]);
    assert.equal(await findUser(database.read, "user"), null);
  } finally {
    // Closing waits for it, also after a failure.
    release.resolve();
  }
  await writing;
  assert.notEqual(await findUser(database.read, "user"), null);
});

test("tests run each transaction's work twice, the first run undone", async (t) => {
  const { database } = await scratchDatabase(t);
  const found: unknown[] = [];
  await database.transaction(async (trx) => {
    found.push(await findUser(trx, "user"));
    await upsertUser(trx, { newId: "user", ...person }, found.length);
  });
  assert.deepEqual(found, [null, null], "the second run sees nothing of the first");
  assert.equal((await findUser(database.read, "user"))?.lastSignInAt, 2);
});

test("single reads do not wait for snapshots", async (t) => {
  const { database } = await scratchDatabase(t);
  const release = Promise.withResolvers<void>();
  const snapshots = Array.from({ length: 5 }, () =>
    database.snapshot(async (trx) => {
      await findUser(trx, "user");
      await release.promise;
      return "done";
    }),
  );
  try {
    assert.equal(await findUser(database.read, "user"), null);
  } finally {
    release.resolve();
  }
  assert.deepEqual(await Promise.all(snapshots), Array(5).fill("done"));
});

test("a write outside a transaction does not compile, and fails", async (t) => {
  const { database } = await scratchDatabase(t);
  const event = { userId: "user", at: 1, event: "signed_in" } as const;
  // @ts-expect-error: `read` is no transaction
  const audited = insertAudit(database.read, [event]);
  // A pooler keeps no setting of a session: there only a missing user refuses this one.
  await assert.rejects(audited, hasPooler ? /foreign key/ : /read-?only/);
  // @ts-expect-error: nor is a snapshot
  const stored = database.snapshot((db) => upsertUser(db, { newId: "user", ...person }, 1));
  await assert.rejects(stored, /read-?only/);
  // @ts-expect-error: nor does a handle for reading build writes
  assert.ok(database.read.deleteFrom("users"));
});

test("OPS-8: a write that only records waits for one of the same row, and is not run again", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const runs = { first: 0, second: 0 };
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const rename = (trx: RecordTransaction) =>
    trx.updateTable("users").set({ name: sql<string>`name || 'x'` }).where("id", "=", userId).execute();
  await database.record((trx) =>
    trx.updateTable("users").set({ name: "" }).where("id", "=", userId).execute(),
  );
  const first = database.record(async (trx) => {
    runs.first += 1;
    await rename(trx);
    begun.resolve();
    await release.promise;
  });
  await Promise.race([begun.promise, first]);
  const second = database.record(async (trx) => {
    runs.second += 1;
    await rename(trx);
  });
  const waiting = sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  // SQLite has begun it after the first one at the latest.
  while (onPostgres && (await waiting.execute(database.read)).rows.length === 0) await setTimeout(1);
  release.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(runs, { first: 2, second: 2 }, "in tests the work of each transaction runs twice");
  assert.equal((await findUser(database.read, userId))?.name, "xx");
});

test("a write that only records cannot read, which does not compile", async (t) => {
  const { database } = await scratchDatabase(t);
  // @ts-expect-error: it has no `selectFrom`
  await database.record((trx) => findUser(trx, "user"));
  // @ts-expect-error: nor is it a transaction that decides
  await database.record((trx) => upsertUser(trx, { newId: "user", ...person }, 1));
});

test("OPS-8: what `locked` locks decides before its work runs, and undoes nothing else", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const rename = (name: string) => (trx: WriteTransaction) =>
    trx.updateTable("users").set({ name }).where("id", "=", userId).execute();
  const lock = async (trx: WriteTransaction) => {
    if ((await findUser(trx, userId))?.name === "taken") throw new Error("lost");
  };
  await database.locked(lock, rename("taken"));
  await assert.rejects(database.locked(lock, rename("free")), /lost/);
  assert.equal((await findUser(database.read, userId))?.name, "taken");
});

test("closing waits for the transaction that runs", async (t) => {
  const { database, location } = await scratchDatabase(t);
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const writing = database.transaction(async (trx) => {
    begun.resolve();
    await release.promise;
    await upsertUser(trx, { newId: "user", ...person }, 1);
  });
  await Promise.race([begun.promise, writing]);
  let closed = false;
  const closing = database.close().then(() => {
    closed = true;
  });
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  const closedBefore = closed;
  release.resolve();
  await closing;
  assert.equal(closedBefore, false);
  await writing;
  const again = await openDatabase({ location });
  t.after(() => again.close());
  assert.notEqual(await findUser(again.read, "user"), null);
});

test("OPS-4: a database is ready and takes writes beside a newer program that only adds to it", async (t) => {
  const { database, location } = await scratchDatabase(t);
  assert.equal(await database.ready(), true);
  const adding = laterMigration({ kind: "expand" });
  const newer = await openDatabase({ location, migrations: [...released, adding] });
  t.after(() => newer.close());
  assert.deepEqual([await newer.ready(), await database.ready()], [true, true]);
  assert.equal((await database.schemaState()).isNewer, true);
  const userId = await someUser(database);
  assert.notEqual(await findUser(newer.read, userId), null);
});

test("OPS-4: a program that has the database open stops writing once a newer one has changed what it relies on", async (t) => {
  const { database, location } = await scratchDatabase(t);
  const migrations = [...released, stopping];
  const newer = await openDatabase({ location, migrations });
  t.after(() => newer.close());
  assert.equal(await newer.ready(), true);
  // It has not looked at the schema since: the transaction does.
  await assert.rejects(someUser(database), (error) => {
    assert.ok(error instanceof DatabaseError);
    assert.equal(error.code, "other_schema");
    assert.match(
      error.message,
      new RegExp(`to schema ${newest + 1}, which stops programs before schema ${newest + 1};`),
    );
    return database.isUnavailable(error);
  });
  assert.deepEqual([await database.ready(), await database.canWrite()], [false, false]);
  assert.match(database.schemaFault() ?? "", /Clew/);
  assert.notEqual(await someUser(newer), null);
});

test("OPS-4: a change stops only the programs that rely on what it removes", async (t) => {
  const { database: old, location } = await scratchDatabase(t);
  const adding = laterMigration({ kind: "expand" }, 1);
  const removing = laterMigration({ kind: "contract", stopsBefore: adding.version }, 2);
  const middle = await openDatabase({ location, migrations: [...released, adding] });
  t.after(() => middle.close());
  assert.notEqual(await someUser(old), null);
  const newest = await openDatabase({ location, migrations: [...released, adding, removing] });
  t.after(() => newest.close());
  for (const open of [middle, newest]) assert.notEqual(await someUser(open), null);
  await assert.rejects(someUser(old), { code: "other_schema" });
});

test("OPS-4: a write that began before a migration is in the database when it runs", async (t) => {
  const { database, location } = await scratchDatabase(t);
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const writing = database.transaction(async (trx) => {
    await upsertUser(trx, { newId: "user", ...person }, 1);
    begun.resolve();
    await release.promise;
  });
  await Promise.race([begun.promise, writing]);
  const opening = openDatabase({ location, migrations: [...released, stopping], backUp: false });
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  // It waits for the transaction before it, or for the migration.
  const next = someUser(database).catch((error) => assert.equal(error.code, "other_schema"));
  release.resolve();
  await writing;
  const newer = await opening;
  t.after(() => newer.close());
  const { rows } = await sql<{
    size: number;
  }>`select shoe_size_1 as size from users where id = 'user'`.execute(newer.read);
  assert.deepEqual(rows, [{ size: 39 }]);
  await next;
});

test("OPS-4: a migration says what it did, and a new database needs none", async (t) => {
  const { database, location } = await scratchDatabase(t);
  assert.equal((await openDatabase({ location })).upgrade, null);
  await someUser(database);
  await someUser(database);
  await database.close();
  const migrations = [...released, stopping];
  const { upgrade, read, close } = await openDatabase({ location, migrations, backUp: false });
  t.after(close);
  assert.deepEqual(
    upgrade?.steps.map(({ version, name, rows }) => ({ version, name, rows })),
    [{ version: newest + 1, name: "later-1", rows: 2 }],
  );
  assert.deepEqual([upgrade?.from, upgrade?.to, upgrade?.copy], [newest, newest + 1, null]);
  const { rows } = await sql`select program, stops_before from schema_migrations
    where version > ${newest}`.execute(read);
  assert.deepEqual(rows, [{ program: manifest.version, stops_before: newest + 1 }]);
});

test("OPS-4: a schema that is newer than the program's is refused, with the program that wrote it, and left alone", async (t) => {
  const { database, location } = await scratchDatabase(t);
  await database.close();
  const migrations = [...released, laterMigration({ kind: "expand" })];
  await (await openDatabase({ location, migrations })).close();
  await assert.rejects(openDatabase({ location }), (error) => {
    assert.ok(error instanceof DatabaseError);
    assert.equal(error.code, "newer_schema");
    assert.match(error.message, new RegExp(`schema ${newest + 1}, which Clew ${manifest.version} wrote`));
    return true;
  });
  await (await openDatabase({ location, migrations })).close();
});

test("OPS-4: a migration that fails leaves the schema as it was", async (t) => {
  const { database, location } = await scratchDatabase(t);
  await database.close();
  await assert.rejects(openDatabase({ location, migrations: [...released, broken] }), {
    code: "unusable",
  });
  const again = await openDatabase({ location });
  t.after(() => again.close());
  assert.equal(await again.ready(), true);
  await assert.rejects(sql`select shoe_size_1 from users`.execute(again.read), /shoe_size/);
});

test("OPS-4: of two processes that start at once, one migrates", async (t) => {
  for (let round = 0; round < 3; round += 1) {
    const { location, url, remove } = await newLocation({ isEmpty: true });
    t.after(remove);
    const children = await Promise.all([
      startProcess(t, "open-process.ts", url),
      startProcess(t, "open-process.ts", url),
    ]);
    assert.deepEqual(await runTogether(children), [0, 0]);
    const database = await openDatabase({ location });
    const applied = await database.read.selectFrom("schema_migrations").select("version").execute();
    assert.equal(applied.length, released.length);
    await database.close();
  }
});

test("OPS-6: what a killed process had acknowledged is stored", async (t) => {
  const { database, url } = await scratchDatabase(t);
  const userId = await someUser(database);
  const child = await startProcess(t, "write-process.ts", url, userId);
  const acknowledged: string[] = [];
  child.on("message", (id) => {
    acknowledged.push(String(id));
    if (acknowledged.length === 100) child.kill("SIGKILL");
  });
  child.send("go");
  await once(child, "exit");

  assert.ok(acknowledged.length >= 100);
  for (const id of acknowledged) assert.notEqual(await findSession(database.read, id), null, id);
});
