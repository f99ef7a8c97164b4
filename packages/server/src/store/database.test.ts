import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { openDatabase } from "./database.ts";
import { DatabaseError } from "./port.ts";
import { insertAudit } from "./queries/audit.ts";
import { findSession } from "./queries/sessions.ts";
import { findUser, upsertUser } from "./queries/users.ts";
import type { Migration } from "./sqlite/migrations/migrate.ts";
import { released } from "./sqlite/migrations/released.ts";
import { manualWait } from "./testing/manual-wait.ts";
import { runTogether, startProcess } from "./testing/processes.ts";
import { scratchDatabase, scratchFolder, someUser } from "./testing/scratch.ts";

const next: Migration = {
  version: released.length + 1,
  name: "next",
  async up(trx) {
    await trx.schema.alterTable("users").addColumn("shoe_size", "integer").execute();
  },
};

const broken: Migration = {
  version: released.length + 1,
  name: "broken",
  async up(trx) {
    await trx.schema.alterTable("users").addColumn("shoe_size", "integer").execute();
    await sql`this is not sql`.execute(trx);
  },
};

const person = { provider: "some", providerUserId: "1", name: null, email: null, avatarUrl: null };

test("only the owner can open a database, its logs and its folder", async (t) => {
  const path = join(await scratchFolder(t), "data", "clew.sqlite");
  const database = await openDatabase({ path });
  t.after(() => database.close());
  await someUser(database);

  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    assert.equal((await stat(file)).mode & 0o777, 0o600, file);
  }
  assert.equal((await stat(dirname(path))).mode & 0o777, 0o700);
});

test("opening a database that others could read makes it private", async (t) => {
  const path = join(await scratchFolder(t), "clew.sqlite");
  await writeFile(path, "", { mode: 0o644 });
  const database = await openDatabase({ path });
  t.after(() => database.close());
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test("commits go to the disk, references are enforced and the schema is not trusted", async (t) => {
  const { database } = await scratchDatabase(t);
  const pragma = (name: string) =>
    database.transaction(async (trx) => {
      const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(trx);
      return Object.values(rows[0] ?? {})[0];
    });
  assert.equal(await pragma("journal_mode"), "wal");
  assert.equal(await pragma("synchronous"), 2);
  assert.equal(await pragma("foreign_keys"), 1);
  assert.equal(await pragma("trusted_schema"), 0);
  assert.equal(await pragma("secure_delete"), 1);
  assert.equal(await pragma("busy_timeout"), 0);
});

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
  await written.promise;
  assert.equal(await findUser(database.read, "user"), null);
  release.resolve();
  await writing;
  assert.notEqual(await findUser(database.read, "user"), null);
});

for (const state of ["runs", "is stopped"]) {
  test(`OPS-9: while a process that ${state} holds the write lock, reads work and writes fail after ten seconds`, async (t) => {
    const { wait, advance } = manualWait();
    const { path } = await scratchDatabase(t);
    const database = await openDatabase({ path, lockWait: wait });
    t.after(() => database.close());
    const holder = await startProcess(t, "lock-process.ts", path);
    holder.send("go");
    await once(holder, "message");
    if (state === "is stopped") holder.kill("SIGSTOP");

    let refused = 0;
    const add = () => database.transaction((trx) => upsertUser(trx, { newId: "user", ...person }, 1));
    const writes = Array.from({ length: 3 }, () =>
      add().catch((error) => {
        assert.equal(error.code, "SQLITE_BUSY");
        refused += 1;
      }),
    );
    await advance(9_999);
    assert.deepEqual(await database.callers([{ kind: "session", sessionId: "none" }]), [null]);
    assert.equal(await findUser(database.read, "user"), null);
    assert.equal(refused, 0);
    await advance(1_000);
    await Promise.all(writes);
    assert.equal(refused, 3, "a write behind another one in the queue waited no longer");

    const later = add();
    await advance(5_000);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    await advance(1_000);
    await later;
    assert.notEqual(await findUser(database.read, "user"), null);
  });
}

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
  assert.equal(await findUser(database.read, "user"), null);
  release.resolve();
  assert.deepEqual(await Promise.all(snapshots), Array(5).fill("done"));
});

test("a write outside a transaction does not compile, and fails", async (t) => {
  const { database } = await scratchDatabase(t);
  const event = { userId: "user", at: 1, event: "signed_in" } as const;
  // @ts-expect-error: `read` is no transaction
  const audited = insertAudit(database.read, [event]);
  await assert.rejects(audited, /readonly/);
  // @ts-expect-error: nor is a snapshot
  const stored = database.snapshot((db) => upsertUser(db, { newId: "user", ...person }, 1));
  await assert.rejects(stored, /readonly/);
  // @ts-expect-error: nor does a handle for reading build writes
  assert.ok(database.read.deleteFrom("users"));
});

test("closing waits for the transaction that runs", async (t) => {
  const { database, path } = await scratchDatabase(t);
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const writing = database.transaction(async (trx) => {
    begun.resolve();
    await release.promise;
    await upsertUser(trx, { newId: "user", ...person }, 1);
  });
  await begun.promise;
  let closed = false;
  const closing = database.close().then(() => {
    closed = true;
  });
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  assert.equal(closed, false);
  release.resolve();
  await closing;
  await writing;
  const again = await openDatabase({ path });
  t.after(() => again.close());
  assert.notEqual(await findUser(again.read, "user"), null);
});

test("OPS-2: a database is ready while it answers and its schema is this program's", async (t) => {
  const { database, path } = await scratchDatabase(t);
  assert.equal(await database.ready(), true);
  const newer = await openDatabase({ path, migrations: [...released, next] });
  assert.equal(await newer.ready(), true);
  assert.equal(await database.ready(), false);
  await newer.close();
  assert.equal(await newer.ready(), false);
});

test("OPS-4: a schema that is newer than the program's is refused and left alone", async (t) => {
  const { database, path } = await scratchDatabase(t);
  await database.close();
  await (await openDatabase({ path, migrations: [...released, next] })).close();
  await assert.rejects(openDatabase({ path }), (error) => {
    assert.ok(error instanceof DatabaseError);
    assert.equal(error.code, "newer_schema");
    return true;
  });
  await (await openDatabase({ path, migrations: [...released, next] })).close();
});

test("OPS-4: a database that is not new is copied before its schema changes", async (t) => {
  const { database, path } = await scratchDatabase(t);
  const userId = await someUser(database);
  await database.close();
  const clock = () => Date.UTC(2031, 1, 4, 9, 30, 0, 789);
  await (await openDatabase({ path, migrations: [...released, next], clock })).close();

  const copy = `${path}.before-schema-${released.length + 1}-20310204T093000789Z`;
  assert.equal((await stat(copy)).mode & 0o777, 0o600);
  const before = await openDatabase({ path: copy });
  t.after(() => before.close());
  assert.notEqual(await findUser(before.read, userId), null);
});

test("OPS-4: opening a database that is up to date, or new, makes no copy", async (t) => {
  const { database, path } = await scratchDatabase(t);
  await database.close();
  await (await openDatabase({ path })).close();
  assert.deepEqual(await readdir(dirname(path)), ["clew.sqlite"]);
});

test("OPS-4: a migration that fails leaves the schema as it was", async (t) => {
  const { database, path } = await scratchDatabase(t);
  await database.close();
  await assert.rejects(openDatabase({ path, migrations: [...released, broken] }), { code: "unusable" });
  const again = await openDatabase({ path });
  t.after(() => again.close());
  assert.equal(await again.ready(), true);
  const columns = await sql<{ name: string }>`select name from pragma_table_info('users')`.execute(
    again.read,
  );
  assert.equal(
    columns.rows.some(({ name }) => name === "shoe_size"),
    false,
  );
});

test("OPS-4: of two processes that start at once, one migrates", async (t) => {
  const folder = await scratchFolder(t);
  for (let round = 0; round < 3; round += 1) {
    const path = join(folder, `${round}.sqlite`);
    const children = await Promise.all([
      startProcess(t, "open-process.ts", path),
      startProcess(t, "open-process.ts", path),
    ]);
    assert.deepEqual(await runTogether(children), [0, 0]);
    const database = await openDatabase({ path });
    const applied = await database.read.selectFrom("schema_migrations").select("version").execute();
    assert.equal(applied.length, released.length);
    await database.close();
  }
});

test("a file that is no database is refused with its path", async (t) => {
  const path = join(await scratchFolder(t), "clew.sqlite");
  await writeFile(path, "# Notes\n".repeat(1000));
  await assert.rejects(openDatabase({ path }), (error) => {
    assert.ok(error instanceof DatabaseError);
    assert.equal(error.code, "unusable");
    assert.match(error.message, /clew\.sqlite/);
    assert.ok(error.cause instanceof Error);
    return true;
  });
});

test("OPS-6: what a killed process had acknowledged is stored", async (t) => {
  const { database, path } = await scratchDatabase(t);
  const userId = await someUser(database);
  const child = await startProcess(t, "write-process.ts", path, userId);
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
