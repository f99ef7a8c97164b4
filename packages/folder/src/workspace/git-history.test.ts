import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { access, chmod, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { writeFiles, writeFolder } from "../testing/index.ts";
import { GitHistory, type GitLimits } from "./git-history.ts";
import { type OpenWorkspace, openWorkspace } from "./open.ts";

const now = Date.UTC(2026, 5, 1);
const skip = spawnSync("git", ["--version"]).status === 0 ? false : "git is not installed";

/** A checkout whose folder `notes` is served, without the settings of this machine. */
async function checkout(t: TestContext) {
  const root = await writeFolder(t, {
    "notes/a.md": "# A",
    "notes/sub/ö b.md": "# B",
    "elsewhere.md": "# C",
  });
  const git = (day: string, ...args: string[]) => {
    const date = `${day}T10:20:30Z`;
    const who = ["-c", "user.name=Writer", "-c", "user.email=writer@example.com"];
    return execFileSync("git", [...who, ...args], {
      cwd: root,
      env: {
        ...process.env,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_DATE: date,
        GIT_CONFIG_GLOBAL: "/dev/null",
      },
      encoding: "utf8",
      stdio: "pipe",
    });
  };
  const commit = (day: string) => {
    git(day, "add", "--all");
    git(day, "commit", "--message", day);
  };
  git("2024-01-01", "init");
  commit("2024-01-01");
  return { root, folder: path.join(root, "notes"), git, commit };
}

async function datesIn(folder: string, time = now, limits?: GitLimits) {
  const history = new GitHistory(folder, null, limits);
  await history.read(time);
  return history.dates;
}

const day = (text: string) => Date.parse(`${text}T10:20:30Z`);

test("SRC-4: pages without dates of their own have those of their commits, until another commit is checked out", {
  skip,
}, async (t) => {
  const { root, folder, git, commit } = await checkout(t);
  await writeFiles(root, { "notes/a.md": "# A!", "notes/dated.md": "---\nupdated: 2023-05-06\n---\n" });
  commit("2025-02-03");
  await writeFiles(root, { "notes/new.md": "# New" });
  const history = new GitHistory(folder);
  await history.read(now);
  const read = history.dates;
  assert.deepEqual(Object.fromEntries(read), {
    "a.md": { createdAt: day("2024-01-01"), editedAt: day("2025-02-03") },
    "dated.md": { createdAt: day("2025-02-03"), editedAt: day("2025-02-03") },
    "sub/ö b.md": { createdAt: day("2024-01-01"), editedAt: day("2024-01-01") },
  });
  await history.read(now);
  assert.equal(history.dates, read, "the same commit is not read again");

  const opened = await openWorkspace(folder);
  const shown = async () => {
    const { entries } = await opened.reload();
    return Object.fromEntries(
      entries.map(({ path: file, editedAt }) => [file, new Date(editedAt).toISOString().slice(0, 10)]),
    );
  };
  const { "new.md": fromFile, sub: ofFolder, ...others } = await shown();
  assert.deepEqual(others, { "a.md": "2025-02-03", "dated.md": "2023-05-06", "sub/ö b.md": "2024-01-01" });
  assert.ok(fromFile !== undefined && ofFolder !== undefined);
  git("2025-03-04", "rm", "notes/a.md");
  commit("2025-03-04");
  await writeFiles(root, { "notes/sub/ö b.md": "# B!" });
  commit("2025-04-05");
  const later = await shown();
  assert.deepEqual([later["sub/ö b.md"], later["a.md"]], ["2025-04-05", undefined]);
});

test("SRC-3: a file that a commit renamed keeps its id although its text changed, also while nothing ran", {
  skip,
}, async (t) => {
  const { root, folder, git, commit } = await checkout(t);
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`).join("\n");
  await writeFiles(root, { "notes/long.md": lines });
  commit("2025-01-01");
  const memoryFile = path.join(root, ".pages.jsonl");
  const idOf = async (opened: OpenWorkspace, place: string) =>
    (await opened.reload()).entries.find((entry) => entry.path === place)?.id;
  const opened = await openWorkspace(folder, { memoryFile });
  const id = await idOf(opened, "long.md");
  assert.ok(id !== undefined);
  git("2025-01-02", "mv", "notes/long.md", "notes/renamed.md");
  await writeFiles(root, { "notes/renamed.md": `${lines}\nedited` });
  commit("2025-01-02");
  assert.equal(await idOf(opened, "renamed.md"), id);
  git("2025-01-03", "mv", "notes/renamed.md", "notes/again.md");
  await writeFiles(root, { "notes/again.md": `${lines}\nedited again` });
  commit("2025-01-03");
  assert.equal(await idOf(await openWorkspace(folder, { memoryFile }), "again.md"), id);
});

/** Signs the latest commit, with a signature that no one checks. */
async function sign({ root, git }: Awaited<ReturnType<typeof checkout>>) {
  const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n";
  const file = path.join(root, ".signed");
  await writeFile(file, git("2025-01-01", "cat-file", "commit", "HEAD").replace("\n\n", `\n${signature}`));
  git(
    "2025-01-01",
    "update-ref",
    "HEAD",
    git("2025-01-01", "hash-object", "-t", "commit", "-w", file).trim(),
  );
}

test("SRC-4: a repository's settings run no command", { skip }, async (t) => {
  const stage = await checkout(t);
  const { root, folder, git } = stage;
  await sign(stage);
  const trap = path.join(root, ".trap");
  const sprung = path.join(root, ".sprung");
  await writeFile(trap, `#!/bin/sh\necho "$0 $@" >> '${sprung}'\n`);
  await chmod(trap, 0o755);
  const commands = ["core.fsmonitor", "core.pager", "core.sshCommand", "gpg.program", "diff.external"];
  const drivers = ["diff.md.textconv", "diff.md.command", "filter.md.clean", "filter.md.process"];
  await writeFiles(root, { ".gitattributes": "*.md diff=md filter=md" });
  for (const name of [...commands, ...drivers]) git("2025-01-01", "config", name, trap);
  git("2025-01-01", "config", "log.showSignature", "true");
  git("2025-01-01", "log");
  await rm(sprung);
  assert.equal((await datesIn(folder)).get("a.md")?.editedAt, day("2024-01-01"));
  await assert.rejects(access(sprung), { code: "ENOENT" });
});

test("SRC-4: there are no dates outside a checkout, in a broken one, and beyond the limits of a read", {
  skip,
}, async (t) => {
  const plain = await writeFolder(t, { "a.md": "" });
  assert.equal((await datesIn(plain)).size, 0);
  await mkdir(path.join(plain, ".git"));
  assert.equal((await datesIn(plain)).size, 0);
  const { folder } = await checkout(t);
  assert.equal((await datesIn(folder, now, { milliseconds: 60_000, bytes: 0 })).size, 0);
  assert.equal((await datesIn(folder, Date.UTC(2020, 0, 1))).size, 0, "commits in the future");
});

test("SRC-2, SRC-4: git that does not end is stopped, and not asked again at each look", {
  skip,
}, async (t) => {
  const { root, folder } = await checkout(t);
  await writeFile(path.join(root, ".git/config"), `[include]\n\tpath = ${path.join(root, "pipe")}\n`);
  execFileSync("mkfifo", [path.join(root, "pipe")]);
  const history = new GitHistory(folder, null, { milliseconds: 200, bytes: 1024 });
  await history.read(now);
  assert.deepEqual([history.head, history.dates.size], [null, 0]);
  await rm(path.join(root, "pipe"));
  await history.read(now);
  assert.equal(history.head, null, "it was asked again");
});
