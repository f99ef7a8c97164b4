import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { copyFile, open, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { identifyFolders } from "../connections/identify-folders.ts";
import type { ServiceToken } from "../model/service-token.ts";
import { openDatabase } from "../store/database.ts";
import type { Database } from "../store/port.ts";
import { forgottenRevision } from "../store/queries/change-feed.ts";
import { moveRevision, storedVersion } from "../store/queries/changes.ts";
import { findConnection, publishRevision } from "../store/queries/connections.ts";
import { insertRevocation, revocationsAfter } from "../store/queries/revocations.ts";
import {
  findServiceToken,
  removeWorkspaceFromTokens,
  setTokenRevoked,
} from "../store/queries/service-tokens.ts";
import { endSession, findLiveSession, openSession } from "../store/queries/sessions.ts";
import { replaceDatabase } from "../store/sqlite/restore.ts";
import { someConnection, someToken } from "../store/testing/scratch.ts";
import { type TestInstallation, testInstallation } from "./testing/installation.ts";

/** An installation with a backup that contains only `before`; `after` was added later. */
async function backedUp(t: TestContext): Promise<TestInstallation & { readonly backup: string }> {
  const installation = await testInstallation(t);
  const backup = join(installation.folder, "backup");
  await installation.with(({ add }) => add("before"));
  await installation.run("backup", backup);
  installation.now += 60_000;
  return Object.assign(installation, { backup });
}

const users = (installation: TestInstallation) => installation.with((opened) => opened.users());

/** The files beside the database, without the key, the backup and the database itself. */
async function besides({ folder }: TestInstallation): Promise<string[]> {
  const usual = ["backup", "clew.db", "encryption.key"];
  return (await readdir(folder)).filter((name) => !usual.includes(name)).sort();
}

async function keptCopy(installation: TestInstallation): Promise<string> {
  const [name] = (await besides(installation)).filter((file) => /before-restore-\w+$/.test(file));
  assert.ok(name !== undefined, "the previous database is kept");
  return join(installation.folder, name);
}

/** Kinds of damage to a database of a stopped Clew, by name. */
const damages: Record<string, (path: string) => Promise<void>> = {
  "a damaged header": (path) => overwrite(path, 0, 100),
  "damaged pages": (path) => overwrite(path, 4096, 30 * 4096),
  "no content": (path) => truncate(path, 0),
  "half of its content": (path) => truncate(path, 20_000),
  "other content": (path) => writeFile(path, "# Notes\n".repeat(1000)),
};

async function overwrite(path: string, from: number, bytes: number): Promise<void> {
  const file = await open(path, "r+");
  await file.write(Buffer.alloc(bytes, 0x5a), 0, bytes, from);
  await file.close();
}

test("OPS-7, SRC-2: a restore in a new place brings back the workspaces of folders, and so their ids", async (t) => {
  const installation = await testInstallation(t);
  const backup = join(installation.folder, "backup");
  const folders = [{ slug: "notes", name: "notes", path: "/notes" }];
  const identified = ({ database }: { readonly database: Database }) =>
    identifyFolders(database, folders, randomBytes);
  const before = await installation.with(identified);
  await installation.run("backup", backup);
  const other = await testInstallation(t);
  await copyFile(installation.keyFile, other.keyFile);
  await other.run("restore", backup);
  assert.deepEqual(await other.with(identified), before);
});

test("OPS-7: a restore moves the database of a killed process aside with its log, and keeps both", async (t) => {
  const installation = await backedUp(t);
  await installation.killedAfter(({ add }) => add("after"));
  assert.ok((await readFile(`${installation.path}-wal`)).length > 0, "the log is not empty");
  await installation.run("restore", installation.backup);
  assert.deepEqual(await users(installation), ["before"]);
  const kept = await openDatabase({ location: { kind: "sqlite", path: await keptCopy(installation) } });
  t.after(() => kept.close());
  const rows = await kept.read.selectFrom("users").select("id").orderBy("id").execute();
  assert.deepEqual(
    rows.map(({ id }) => id),
    ["after", "before"],
  );
});

for (const part of [1, 0.5]) {
  test(`OPS-7: a log without its database does not affect the restored one (${part} of it)`, async (t) => {
    const installation = await backedUp(t);
    await installation.killedAfter(({ add }) => add("after"));
    await rm(installation.path);
    const log = await readFile(`${installation.path}-wal`);
    await writeFile(`${installation.path}-wal`, log.subarray(0, log.length * part));
    assert.match(
      await installation.run("restore", installation.backup),
      /Nothing could be carried over .*: there was none/,
    );
    assert.match(await installation.run("verify"), /is sound/);
    assert.deepEqual(await users(installation), ["before"]);
  });
}

for (const [what, damage] of Object.entries(damages)) {
  test(`OPS-7: a restore replaces a database with ${what}, and reports that nothing was carried over`, async (t) => {
    const installation = await backedUp(t);
    await installation.killedAfter(({ add }) => add("after"));
    await damage(installation.path);
    const said = await installation.run("restore", installation.backup);
    assert.match(said, /Nothing could be carried over from the previous database: it cannot be read/);
    assert.match(said, /and checked it/);
    assert.match(await installation.run("verify"), /is sound/);
    assert.deepEqual(await users(installation), ["before"]);
    await keptCopy(installation);
  });
}

test("OPS-7: a restored database is verified, and the previous one is put back if it is invalid", async (t) => {
  const installation = await backedUp(t);
  await installation.killedAfter(({ add }) => add("after"));
  const { path, folder } = installation;
  const draft = join(folder, "draft");
  const kept = join(folder, "kept");
  const before = await Promise.all(["", "-wal", "-shm"].map((suffix) => readFile(path + suffix)));
  await copyFile(installation.backup, draft);
  const check = async () => {
    assert.deepEqual(await readFile(path), await readFile(installation.backup));
    throw new Error("it is invalid");
  };
  await assert.rejects(replaceDatabase({ path, draft, kept, check }), /it is invalid/);
  const after = await Promise.all(["", "-wal", "-shm"].map((suffix) => readFile(path + suffix)));
  assert.deepEqual(after, before);
  assert.deepEqual(await besides(installation), ["clew.db-shm", "clew.db-wal"]);

  for (const suffix of ["", "-wal", "-shm"]) await rm(path + suffix);
  await copyFile(installation.backup, draft);
  await assert.rejects(replaceDatabase({ path, draft, kept, check }), /it is invalid/);
  assert.deepEqual(await readdir(folder).then((names) => names.sort()), ["backup", "encryption.key"]);
});

test("SESS-7: a signing key that was retired or revoked since the backup never signs again", async (t) => {
  const installation = await backedUp(t);
  const old = await installation.with(({ keys }) => keys.current());
  await installation.run("keys", "rotate");
  await installation.run("restore", installation.backup);
  await installation.with(async ({ keys }) => {
    assert.notEqual((await keys.current()).kid, old.kid);
    assert.equal((await keys.find(old.kid))?.kid, old.kid, "it verifies until its last token has expired");
  });
  await installation.with(({ database }) =>
    database.transaction((trx) => trx.deleteFrom("signing_keys").where("kid", "=", old.kid).execute()),
  );
  installation.now += 1;
  await installation.run("restore", installation.backup);
  assert.equal(await installation.with(({ keys }) => keys.find(old.kid)), null);
});

test("TOK-8, SESS-4, GRAPH-15: what had ended stays ended if an older backup is restored first", async (t) => {
  const installation = await backedUp(t);
  const { folder, run } = installation;
  const sessionId = "a later session";
  const tokens = await installation.with(async ({ database }) => {
    await database.transaction((trx) =>
      openSession(trx, {
        id: sessionId,
        userId: "before",
        userAgent: null,
        createdAt: 1,
        refreshExpiresAt: 2 ** 50,
      }),
    );
    const revoked = await someToken(database, "before");
    const narrowed = await someToken(database, "before", { workspaceIds: ["w1", "w2"] });
    return { revoked, narrowed };
  });
  const newer = join(folder, "newer");
  await run("backup", newer);
  await installation.with(({ database }) =>
    database.transaction(async (trx) => {
      await setTokenRevoked(trx, tokens.revoked.id, installation.now);
      await removeWorkspaceFromTokens(trx, "before", "w1", installation.now);
      await endSession(trx, sessionId, installation.now);
    }),
  );
  for (const backup of [installation.backup, newer]) {
    installation.now += 60_000;
    await run("restore", backup);
  }
  await installation.with(async ({ database }) => {
    const stored = async ({ id }: ServiceToken) => findServiceToken(database.read, null, id);
    assert.notEqual((await stored(tokens.revoked))?.revokedAt, null);
    assert.deepEqual((await stored(tokens.narrowed))?.workspaceIds, ["w2"]);
    assert.equal(await findLiveSession(database.read, sessionId, installation.now), null);
  });
});

test("GRAPH-11, GRAPH-26: after a restore no cursor and no entity tag from before fits a graph", async (t) => {
  const installation = await backedUp(t);
  const { folder, path, run } = installation;
  const backup = join(folder, "with a graph");
  const id = await installation.with(({ database }) => someConnection(database, "before"));
  const move = (revisions: number) =>
    installation.with(({ database }) =>
      database.transaction(async (trx) => {
        for (let moved = 0; moved < revisions; moved += 1) await moveRevision(trx, id);
        return publishRevision(trx, id, 1);
      }),
    );
  const stored = () =>
    installation.with(async ({ database }) => {
      const [version, forgotten, connection] = [
        await storedVersion(database.read, id),
        await forgottenRevision(database.read, id),
        await findConnection(database.read, id),
      ];
      return { ...version, forgotten, published: connection?.publishedRevision };
    });
  assert.equal(await move(2), 2);
  const { mark } = await stored();
  await run("backup", backup);
  assert.equal(await move(3), 5);

  await run("restore", backup);
  const restored = await stored();
  assert.deepEqual({ ...restored, mark: null }, { revision: 6, forgotten: 6, published: 6, mark: null });
  assert.notEqual(restored.mark, mark);

  // It lacks the graph of the database that it replaces, and another restore follows.
  installation.now += 1;
  await run("restore", installation.backup);
  installation.now += 1;
  await run("restore", backup);
  assert.equal(await installation.with(({ database }) => findConnection(database.read, id)), null);
  await rm(path);
  await run("restore", backup);
  assert.ok(((await stored()).revision ?? 0) > 100_000, "nothing says how far the graph had come");
});

test("GRAPH-15: a grant that the provider has still to revoke is revoked after a restore too", async (t) => {
  const installation = await backedUp(t);
  const revocation = { provider: "some", sealedToken: Uint8Array.of(1, 2, 3), dueAt: 5 };
  const waiting = () => installation.with(({ database }) => revocationsAfter(database.read, 0, 10));
  await installation.with(({ database }) => database.transaction((trx) => insertRevocation(trx, revocation)));
  await installation.run("restore", installation.backup);
  const [first, ...others] = await waiting();
  assert.deepEqual(
    [first?.provider, Buffer.from(first?.sealedToken ?? []), others],
    ["some", Buffer.of(1, 2, 3), []],
  );
  installation.now += 1;
  await installation.run("restore", installation.backup);
  assert.equal((await waiting()).length, 1, "it is not doubled");
});

test("SESS-7: if retired keys are unknown, none of a backup's keys signs again", async (t) => {
  const installation = await backedUp(t);
  const old = await installation.with(({ keys }) => keys.current());
  await rm(installation.path);
  assert.match(await installation.run("restore", installation.backup), /only verify/);
  await installation.with(async ({ keys }) => {
    assert.notEqual((await keys.current()).kid, old.kid);
    assert.equal((await keys.find(old.kid))?.kid, old.kid);
  });
});
