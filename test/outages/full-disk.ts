import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { tokenLimits } from "@clew/contract";
import type { Stage } from "../support/stage.ts";
import { Ground } from "./ground.ts";

/**
 * The disk of DATA_DIR is full, really: a file system of its own without a free byte. Reads go on; writes are refused and
 * nothing is half done; a sync does not call itself complete; `kill -9` and a start meanwhile lose nothing; and once there is
 * room again, all works without a hand. Needs the right to mount.
 */
export async function runFullDisk(stage: Stage): Promise<string> {
  const disk = join(stage.folder, "disk");
  await mkdir(disk);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=1g", "tmpfs", disk]);
  stage.defer(async () => void execFileSync("umount", ["--lazy", disk]));
  const ground = await Ground.open(stage, () => ({ DATA_DIR: join(disk, "data") }));
  const kept = await ground.createToken("before");
  assert.equal(kept.status, 201);
  const before = await ground.reads();
  const synced = await ground.workspace();
  const free = await fill(disk);

  assert.deepEqual(await ground.reads(), before, "reads go on");
  const { created, refused } = await writeUntilRefused(ground, disk);
  await ground.edit();
  const requested = await ground.requestSync();
  if (requested.status < 300) {
    await sleep(10_000);
    const { sync } = await ground.workspace();
    const isNew = sync.finished_at !== synced.sync.finished_at;
    if (isNew && sync.outcome === "complete")
      assert.ok(await ground.showsEdit(), "a sync that could not write is not complete");
  }
  await ground.reads();

  await ground.clew.kill();
  await ground.spawn();
  const code = await Promise.race([ground.clew.ended, sleep(20_000, "runs" as const)]);
  if (code !== "runs") {
    assert.equal(code, 4, ground.clew.output());
    assert.match(ground.clew.output(), /The disk .* is full/);
  }
  await free();
  if (code !== "runs") await ground.spawn();
  await ground.clew.ready();
  await ground.signIn();
  const names = await ground.tokenNames();
  assert.deepEqual(
    names.toSorted(),
    ["of the outage", "before", ...created].toSorted(),
    "what was acknowledged, and no more",
  );
  assert.equal((await ground.createToken("after")).status, 201);
  assert.equal((await ground.requestSync()).status, 202);
  const { sync } = await ground.settled(60_000);
  assert.equal(sync.outcome, "complete", JSON.stringify(sync));
  await ground.assertSameAsNew();
  return `a write was refused with ${refused.status} ${refused.code}, a sync with ${requested.status} ${requested.code ?? ""}; a start ${code === "runs" ? "served" : `ended with ${code}`}`;
}

/**
 * Creates tokens until one is refused: the files that are there already may still have room for some. Each is followed by a filling, since
 * Clew releases its reserve meanwhile. Fewer than a person may have, whose limit would refuse them too.
 */
async function writeUntilRefused(ground: Ground, disk: string) {
  const created: string[] = [];
  for (let attempt = 0; attempt < tokenLimits.usablePerUser - 2; attempt += 1) {
    const name = `attempt ${attempt}`;
    const refused = await ground.createToken(name);
    if (refused.status !== 201) {
      assert.equal(refused.status, 503, `a write is refused as ${refused.code}`);
      return { created, refused };
    }
    created.push(name);
    await fill(disk);
  }
  return assert.fail(`${created.length} tokens fit on a full disk`);
}

/** Fills a file system to the last byte. Returns what makes room again. */
async function fill(disk: string): Promise<() => Promise<void>> {
  const path = join(disk, "filler");
  const file = await open(path, "a");
  for (const size of [1 << 20, 1 << 12, 1]) {
    const piece = Buffer.alloc(size);
    for (;;) {
      const written = await file.write(piece).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== "ENOSPC") throw error;
          return false;
        },
      );
      if (!written) break;
    }
  }
  await file.close();
  return () => rm(path);
}
