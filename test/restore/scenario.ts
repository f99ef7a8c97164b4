import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readdir, readFile, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { pick, type Random, seededRandom } from "@clew/stand-in/testing/random";
import { testInstallation } from "../../packages/server/src/cli/testing/installation.ts";
import { main, withoutSettings } from "../support/clew-process.ts";

type Damage = (path: string, random: Random) => Promise<void>;

/** The number of file system calls within which a restore is finished. */
const calls = 24;

/** The possible damage to the database before it is restored. The first two leave it usable. */
const damages: Readonly<Record<string, Damage>> = {
  nothing: async () => {},
  "a missing shared-memory file": (path) => rm(`${path}-shm`),
  "flipped bytes": async (path, random) => {
    const file = await open(path, "r+");
    const { size } = await file.stat();
    for (let flip = 0; flip < 200; flip += 1)
      await file.write(Buffer.from([Math.floor(random() * 256)]), 0, 1, Math.floor(random() * size));
    await file.close();
  },
  "a damaged header": async (path) => {
    const file = await open(path, "r+");
    await file.write(Buffer.alloc(100, 0x5a), 0, 100, 0);
    await file.close();
  },
  "an end that is missing": async (path, random) =>
    truncate(path, Math.floor(random() * (await readFile(path)).length)),
  "no database but its log": (path) => rm(path),
  "a log that is cut short": async (path, random) => {
    await rm(path);
    await truncate(`${path}-wal`, Math.floor(random() * (await readFile(`${path}-wal`)).length));
  },
};
const usable = ["nothing", "a missing shared-memory file"];

/**
 * Damages a database as the seed decides, and kills a restore over it at some call to the file system. A usable database
 * must still be usable, either the old or the restored one, and a second restore must succeed. Returns what happened.
 */
export async function restoreUnderFire(t: Pick<TestContext, "after">, seed: number): Promise<string> {
  const random = seededRandom(seed);
  const installation = await testInstallation(t);
  const { folder, path } = installation;
  const backup = join(folder, "backup");
  await installation.with(({ add }) => add("before"));
  await installation.run("backup", backup);
  await installation.with(({ add }) => add("after"));
  await installation.killedAfter(({ add }) => add("later"));
  const damage = pick(random, Object.keys(damages));
  await damages[damage]?.(path, random);
  const at = Math.floor(random() * calls);
  const signal = await killedRestore(folder, backup, at);
  const users = () => installation.with((opened) => opened.users());
  if (usable.includes(damage)) {
    assert.match(await installation.run("verify"), /is sound/);
    const there = await users();
    // Without its log, the old one would be neither.
    assert.ok(["before", "after,before,later"].includes(there.join()), `the users are ${there.join()}`);
  }
  installation.now += 1;
  await installation.run("restore", backup);
  assert.match(await installation.run("verify"), /is sound/);
  assert.deepEqual(await users(), ["before"]);
  const left = (await readdir(folder)).filter((name) => /restoring|unfinished|decrypted/.test(name));
  assert.deepEqual(left, []);
  return `${damage}; ${signal === null ? "not killed" : `killed at call ${at}`}`;
}

async function killedRestore(folder: string, backup: string, at: number): Promise<string | null> {
  const preload = join(import.meta.dirname, "kill-at.ts");
  const child = spawn(process.execPath, ["--import", preload, main, "restore", backup], {
    env: { ...withoutSettings, DATA_DIR: folder, KILL_AT: String(at) },
    stdio: "ignore",
  });
  const [, signal] = await once(child, "exit");
  return signal;
}
