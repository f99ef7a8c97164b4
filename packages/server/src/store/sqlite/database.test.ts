import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { openDatabase } from "../database.ts";
import { DatabaseError } from "../port.ts";
import { findUser, upsertUser } from "../queries/users.ts";
import { stopping as next } from "../testing/later-migration.ts";
import { manualWait } from "../testing/manual-wait.ts";
import { startProcess } from "../testing/processes.ts";
import { scratchFile, scratchFolder, someUser } from "../testing/scratch.ts";
import { released } from "./migrations/released.ts";

const person = { provider: "some", providerUserId: "1", name: null, email: null, avatarUrl: null };

test("only the owner can open a database, its logs and its folder", async (t) => {
  const path = join(await scratchFolder(t), "data", "clew.sqlite");
  const database = await openDatabase({ location: { kind: "sqlite", path } });
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
  const database = await openDatabase({ location: { kind: "sqlite", path } });
  t.after(() => database.close());
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test("commits go to the disk, references are enforced and the schema is not trusted", async (t) => {
  const { database } = await scratchFile(t);
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

for (const state of ["runs", "is stopped"]) {
  test(`OPS-9: while a process that ${state} holds the write lock, reads work and writes fail after ten seconds`, async (t) => {
    const { wait, advance } = manualWait();
    const { path } = await scratchFile(t);
    const database = await openDatabase({ location: { kind: "sqlite", path }, lockWait: wait });
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

test("OPS-4: a database that is not new is copied before its schema changes", async (t) => {
  const { database, path } = await scratchFile(t);
  const userId = await someUser(database);
  await database.close();
  const clock = () => Date.UTC(2031, 1, 4, 9, 30, 0, 789);
  await (
    await openDatabase({ location: { kind: "sqlite", path }, migrations: [...released, next], clock })
  ).close();

  const copy = `${path}.before-schema-${next.version}-20310204T093000789Z`;
  assert.equal((await stat(copy)).mode & 0o777, 0o600);
  const before = await openDatabase({ location: { kind: "sqlite", path: copy } });
  t.after(() => before.close());
  assert.notEqual(await findUser(before.read, userId), null);
});

test("OPS-4: opening a database that is up to date, or new, makes no copy", async (t) => {
  const { database, path } = await scratchFile(t);
  await database.close();
  await (await openDatabase({ location: { kind: "sqlite", path } })).close();
  assert.deepEqual(await readdir(dirname(path)), ["clew.sqlite"]);
});

test("a file that is no database is refused with its path and the reason", async (t) => {
  const path = join(await scratchFolder(t), "clew.sqlite");
  await writeFile(path, "# Notes\n".repeat(1000));
  await assert.rejects(openDatabase({ location: { kind: "sqlite", path } }), (error) => {
    assert.ok(error instanceof DatabaseError);
    assert.equal(error.code, "unusable");
    assert.match(error.message, /clew\.sqlite is damaged: file is not a database/);
    assert.ok(error.cause instanceof Error);
    return true;
  });
});
