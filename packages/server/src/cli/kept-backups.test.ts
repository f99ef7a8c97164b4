import assert from "node:assert/strict";
import { mkdir, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readLastBackup } from "../store/queries/installation.ts";
import { testInstallation } from "./testing/installation.ts";

const day = 86_400_000;

/** An installation with a folder for backups. */
async function withFolder(t: TestContext) {
  const installation = await testInstallation(t);
  await installation.with(({ add }) => add("someone"));
  const folder = join(installation.folder, "backups");
  await mkdir(folder, { mode: 0o700 });
  const backUp = (keep: number) => installation.run("backup", "--keep", String(keep), folder);
  const lastBackup = () => installation.withoutKey(({ read }) => readLastBackup(read));
  return { installation, folder, backUp, lastBackup };
}

test("OPS-7: backup --keep names each file by its time, and removes the oldest of its own beyond the number", async (t) => {
  const { installation, folder, backUp, lastBackup } = await withFolder(t);
  const others = ["clew-20200101T000000Z.db.txt", "clew.db", "notes-20200101T000000Z.db", "clew-2020.db"];
  for (const name of others) await writeFile(join(folder, name), "");
  // Its name is that of a backup, but it is a folder, or leads elsewhere.
  await mkdir(join(folder, "clew-20200101T000000Z.db"));
  await symlink("/etc/hostname", join(folder, "clew-20200102T000000Z.db"));
  const untouched = [...others, "clew-20200101T000000Z.db", "clew-20200102T000000Z.db"];
  await writeFile(join(folder, "clew-20300101T000000Z.db.age"), "");
  for (let turn = 0; turn < 4; turn += 1) {
    const said = await backUp(3);
    assert.equal(
      /Removed (\S+):/.exec(said)?.[1],
      [undefined, undefined, "clew-20300101T000000Z.db.age", "clew-20310304T000000Z.db"][turn],
    );
    assert.equal(await lastBackup(), installation.now);
    installation.now += day;
  }
  assert.deepEqual(
    (await readdir(folder)).sort(),
    [...untouched, ...[5, 6, 7].map((date) => `clew-2031030${date}T000000Z.db`)].sort(),
  );
  assert.match(await installation.run("verify", join(folder, "clew-20310307T000000Z.db")), /is sound/);
});

test("OPS-7: a backup that fails removes no other, and is not recorded", async (t) => {
  const { installation, folder, backUp, lastBackup } = await withFolder(t);
  await backUp(1);
  const made = installation.now;
  await assert.rejects(backUp(1), /exists already/);
  installation.now += day;
  await assert.rejects(installation.run("backup", "--keep", "1", "--encrypt", folder), /BACKUP_RECIPIENTS/);
  assert.deepEqual(await readdir(folder), ["clew-20310304T000000Z.db"]);
  assert.equal(await lastBackup(), made);
  // The clock has been set back: the new one is not the newest by its name, and stays.
  installation.now -= 2 * day;
  await backUp(1);
  assert.deepEqual(await readdir(folder), ["clew-20310303T000000Z.db"]);
});

test("OPS-7: backup says how it is to be called", async (t) => {
  const { installation, folder } = await withFolder(t);
  await assert.rejects(installation.run("backup"), /missing required argument 'path'/);
  await assert.rejects(installation.run("backup", "--keep", "7", join(folder, "no", "ne")), /is no folder/);
  await writeFile(join(folder, "file"), "");
  await assert.rejects(installation.run("backup", "--keep", "7", join(folder, "file")), /is no folder/);
  await assert.rejects(installation.run("backup", "--keep", "7", "--force", folder), /leave --force out/);
  await assert.rejects(installation.run("backup", "--record", folder), /use it alone/);
});

test("OPS-7: backup --keep creates its folder, for its user alone", async (t) => {
  const { installation, folder } = await withFolder(t);
  await installation.run("backup", "--keep", "7", join(folder, "new"));
  assert.equal((await stat(join(folder, "new"))).mode & 0o777, 0o700);
});

test("OPS-7: backup --record records what pg_dump made", async (t) => {
  const { installation, lastBackup } = await withFolder(t);
  assert.equal(await lastBackup(), null);
  assert.match(await installation.run("backup", "--record"), /as of 2031-03-04T00:00:00\.000Z/);
  assert.equal(await lastBackup(), installation.now);
});

test("OPS-7: a backup names its key, and without that key verify and restore say which one is missing", async (t) => {
  const { installation, folder } = await withFolder(t);
  const file = join(folder, "one.db");
  const said = await installation.run("backup", file);
  const [, fingerprint = ""] = /fingerprint ([0-9a-f]{16}): keep/.exec(said) ?? [];
  assert.notEqual(fingerprint, "");
  assert.match(await installation.run("verify", file), new RegExp(`with the key ${fingerprint}\\.`));
  await rm(installation.keyFile);
  const missing = new RegExp(`needs has the fingerprint ${fingerprint}`);
  await assert.rejects(installation.run("verify", file), { code: "missing_key", message: missing });
  installation.settings = { ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64") };
  const before = await readdir(installation.folder);
  for (const command of ["verify", "restore"])
    await assert.rejects(installation.run(command, file), (error) => {
      assert.ok(error instanceof Error);
      assert.match(error.message, missing);
      assert.match(error.message, /The given key has the fingerprint [0-9a-f]{16}\./);
      return true;
    });
  assert.deepEqual(await readdir(installation.folder), before);
});
