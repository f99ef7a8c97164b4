import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { writeFiles, writeFolder } from "../testing/index.ts";
import { readForge } from "./forge.ts";
import { findCheckout } from "./git-checkout.ts";
import { GitHistory } from "./git-history.ts";
import { openWorkspace } from "./open.ts";

const skip = spawnSync("git", ["--version"]).status === 0 ? false : "git is not installed";

const config = '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://github.com/owner/name\n';
const files = { ".git/HEAD": "ref: refs/heads/main\n", ".git/config": config, "a.md": "# A" };

const addressIn = async (folder: string) => (await readForge(folder))?.addressOf("a.md") ?? null;
const address = "https://github.com/owner/name/blob/main/a.md";

/** Runs git without the settings of this machine. */
function git(cwd: string, ...args: string[]): void {
  const who = ["-c", "user.name=Writer", "-c", "user.email=writer@example.com"];
  const settings = [...who, "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" };
  execFileSync("git", [...settings, ...args], { cwd, env, stdio: "pipe" });
}

/** A repository with a commit. */
async function repository(t: TestContext): Promise<string> {
  const folder = await writeFolder(t, { "a.md": "# A" });
  git(folder, "init");
  git(folder, "remote", "add", "origin", "https://github.com/owner/name");
  git(folder, "add", "--all");
  git(folder, "commit", "--message", "A");
  return folder;
}

const pipe = (file: string) => execFileSync("mkfifo", [file]);

/** Things that may take the place of a file of git. */
const hostile: readonly (readonly [string, (git: string) => unknown])[] = [
  ["settings that are a pipe", (at) => pipe(path.join(at, "config"))],
  ["a HEAD that is a pipe", (at) => pipe(path.join(at, "HEAD"))],
  ["settings that lead to an endless file", (at) => symlink("/dev/zero", path.join(at, "config"))],
  ["a HEAD that leads to an endless file", (at) => symlink("/dev/zero", path.join(at, "HEAD"))],
  ["settings that are a folder", (at) => mkdir(path.join(at, "config"))],
];

for (const [name, write] of hostile) {
  test(`SRC-2: ${name} end the reading of git's files, and git is not asked`, async (t) => {
    const folder = await writeFolder(t, files);
    const at = path.join(folder, ".git");
    for (const file of ["HEAD", "config"])
      if (name.includes(file === "HEAD" ? file : "settings")) await rm(path.join(at, file));
    await write(at);
    assert.equal(await findCheckout(folder), null);
    const opened = await openWorkspace(folder);
    const { entries } = await opened.ready();
    assert.deepEqual(
      entries.map((entry) => entry.path),
      ["a.md"],
    );
  });
}

test("SRC-2: .git itself may be no pipe, device or link, and a link in it is not followed", async (t) => {
  const folder = await writeFolder(t, files);
  assert.equal(await addressIn(folder), address);
  const away = path.join(path.dirname(folder), "away");
  await rename(path.join(folder, ".git"), away);
  for (const place of [away, "/dev/zero", "/dev/null"]) {
    await symlink(place, path.join(folder, ".git"));
    assert.equal(await findCheckout(folder), null, place);
    await rm(path.join(folder, ".git"));
  }
  pipe(path.join(folder, ".git"));
  assert.equal(await findCheckout(folder), null);
});

test("SRC-2: of long settings the beginning is read", async (t) => {
  const branches = '[branch "x"]\n\tremote = origin\n'.repeat(10_000);
  const folder = await writeFolder(t, { ...files, ".git/config": config + branches });
  assert.equal(await addressIn(folder), address);
  assert.equal((await findCheckout(folder))?.config.length, 64 * 1024);
});

test("SRC-2, SRC-3: a .git that is a file is followed below the checkout, and elsewhere only if that names the checkout", async (t) => {
  const folder = await writeFolder(t, { ...files, ".git/inner/x": "" });
  await rename(path.join(folder, ".git"), path.join(folder, ".files"));
  const other = await writeFolder(t, files);
  const name = (place: string) => writeFile(path.join(folder, ".git"), `gitdir: ${place}\n`);
  await name(".files");
  assert.equal(await addressIn(folder), address);
  for (const place of [
    path.join(other, ".git"),
    path.relative(folder, path.join(other, ".git")),
    "/dev",
    "nowhere",
  ]) {
    await name(place);
    assert.equal(await findCheckout(folder), null, place);
  }
  await symlink(path.join(other, ".git"), path.join(folder, ".link"));
  await name(".link");
  assert.equal(await findCheckout(folder), null, "a link below the checkout");
  // Another checkout's own worktree does not name this one.
  await writeFiles(other, { ".git/gitdir": path.join(other, ".git") });
  await name(path.join(other, ".git"));
  assert.equal(await findCheckout(folder), null);
});

test("SRC-3, SRC-4: worktrees and submodules have addresses and dates", { skip }, async (t) => {
  const origin = await repository(t);
  const worktree = path.join(path.dirname(origin), "worktree");
  git(origin, "worktree", "add", worktree, "-b", "other");
  const outer = await repository(t);
  git(outer, "submodule", "add", origin, "inner");
  const submodule = path.join(outer, "inner");
  git(submodule, "remote", "set-url", "origin", "https://github.com/owner/name");
  for (const [folder, branch] of [
    [worktree, "other"],
    [submodule, "main"],
  ] as const) {
    assert.equal(await addressIn(folder), address.replace("main", branch));
    const history = new GitHistory(folder);
    await history.read(Date.now());
    assert.deepEqual([...history.dates.keys()], ["a.md"], folder);
  }
});

test("SRC-2: settings with many blank lines are read in linear time", async (t) => {
  const blank = "\n".repeat(60_000);
  const folder = await writeFolder(t, { ...files, ".git/config": `[remote "origin"]\n${blank}` });
  const before = process.threadCpuUsage();
  assert.equal(await addressIn(folder), null);
  const { user } = process.threadCpuUsage(before);
  assert.ok(user < 1_000_000, `${user} µs`);
});
