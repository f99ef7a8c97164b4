import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Stage } from "../support/stage.ts";
import { Ground } from "./ground.ts";

/** Writes that the disk takes in a second: a network disk that is out of credit. */
const writesPerSecond = 8;

const groups = "/sys/fs/cgroup/blkio";

/**
 * The disk of DATA_DIR takes a few writes a second: the kernel holds back those of Clew. Everything is answered, a sync completes, and
 * what was acknowledged is there after `kill -9`. Needs the right to mount and the controller `blkio` of cgroups.
 */
export async function runSlowDisk(stage: Stage): Promise<string> {
  assert.ok(existsSync(groups), `${groups} is not mounted`);
  const disk = await mountDisk(stage);
  const ground = await Ground.open(stage, () => ({ DATA_DIR: join(disk.folder, "data") }));
  const hold = async () => {
    await writeFile(join(disk.group, "cgroup.procs"), String(ground.clew.pid));
  };
  await hold();
  const quick = await timesOf(20, () => ground.reads());
  const created: string[] = [];
  const writes = await timesOf(5, async () => {
    const name = `slow ${created.length}`;
    assert.equal((await ground.createToken(name)).status, 201);
    created.push(name);
  });
  await ground.edit();
  const begun = performance.now();
  assert.equal((await ground.requestSync()).status, 202);
  const during: number[] = [];
  while (["queued", "running"].includes((await ground.workspace()).sync.state))
    during.push(...(await timesOf(1, () => ground.reads())));
  const { sync } = await ground.settled(1);
  const syncSeconds = (performance.now() - begun) / 1_000;
  assert.equal(sync.outcome, "complete", JSON.stringify(sync));
  await ground.clew.kill();
  await ground.spawn();
  await hold();
  await ground.clew.ready();
  await ground.signIn();
  const names = await ground.tokenNames();
  assert.deepEqual(
    names.toSorted(),
    ["of the outage", ...created].toSorted(),
    "what was acknowledged is kept",
  );
  await ground.assertSameAsNew();
  const ms = (values: readonly number[]) => `${Math.round(Math.max(...values))} ms`;
  return `${writesPerSecond} writes a second: four reads took at most ${ms(quick)} at rest and ${ms(during)} beside a sync of ${syncSeconds.toFixed(1)} s, a new token at most ${ms(writes)}`;
}

/** Mounts a file system of its own on a file, and makes a group whose writes to it are held back. */
async function mountDisk(stage: Stage) {
  const folder = join(stage.folder, "disk");
  const image = join(stage.folder, "disk.img");
  await mkdir(folder);
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { encoding: "utf8" }).trim();
  run("truncate", "-s", "256M", image);
  run("mkfs.ext4", "-q", image);
  const device = run("losetup", "--find", "--show", image);
  stage.defer(async () => void run("losetup", "--detach", device));
  run("mount", device, folder);
  stage.defer(async () => void run("umount", "--lazy", folder));
  const group = join(groups, `clew-${process.pid}`);
  await mkdir(group);
  stage.defer(() => rmdir(group));
  const number = (await readFile(`/sys/class/block/${device.slice("/dev/".length)}/dev`, "utf8")).trim();
  await writeFile(join(group, "blkio.throttle.write_iops_device"), `${number} ${writesPerSecond}`);
  return { folder, group };
}

/** Milliseconds that some work took, each time. */
async function timesOf(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let done = 0; done < count; done += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times;
}
