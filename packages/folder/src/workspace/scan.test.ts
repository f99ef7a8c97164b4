import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, open, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { Worker } from "node:worker_threads";
import { writeFiles, writeFolder } from "../testing/index.ts";
import { readingFile } from "./left-out.ts";
import { openWorkspace } from "./open.ts";
import { OpenFolder } from "./open-folder.ts";
import { type ScannedFolder, scanFolder } from "./scan.ts";
import { maxFileBytes } from "./scanned-file.ts";
import { unreadParts } from "./skipped.ts";

const secret = "a secret from outside";

/** A folder, and one beside it with a secret. */
async function writeBoth(t: TestContext) {
  const directory = await writeFolder(t, { "x.md": "allowed", "sub/note.md": "allowed" });
  const outside = path.join(path.dirname(directory), "outside");
  await mkdir(outside);
  await writeFile(path.join(outside, "note.md"), secret);
  return { directory, outside };
}

function textsIn(folder: ScannedFolder): string[] {
  return [...folder.files.map(({ text }) => text), ...folder.folders.flatMap(textsIn)];
}

test("SRC-2: links that take the places of a file and a folder while they are read are never followed", async (t) => {
  const workerData = await writeBoth(t);
  const swapping = new Worker(new URL("../testing/swap-links.ts", import.meta.url), { workerData });
  await once(swapping, "message");
  const seen = new Set<string>();
  for (let count = 0; count < 500; count += 1) {
    const folder = await scanFolder(workerData.directory);
    for (const text of textsIn(folder)) seen.add(text);
  }
  await swapping.terminate();
  assert.deepEqual([...seen], ["allowed"]);
});

test("SRC-2: what is opened from an open folder is in it, even if a link has taken a place meanwhile", async (t) => {
  const { directory, outside } = await writeBoth(t);
  const root = await OpenFolder.open(directory);
  const sub = await root.openFolder("sub");
  t.after(() => Promise.all([root.close(), sub.close()]));
  await rename(path.join(directory, "sub"), path.join(directory, "moved"));
  await symlink(outside, path.join(directory, "sub"));
  await rm(path.join(directory, "x.md"));
  await symlink(path.join(outside, "note.md"), path.join(directory, "x.md"));
  const file = await sub.openFile("note.md");
  assert.equal(await file.readFile("utf8"), "allowed");
  await file.close();
  await assert.rejects(root.openFile("x.md"), { code: "ELOOP" });
  await assert.rejects(root.openFolder("sub"));
});

test("SRC-2: a pipe with a page's name holds up no scan", async (t) => {
  const directory = await writeFolder(t, { "a.md": "a" });
  const folder = await OpenFolder.open(directory);
  t.after(() => folder.close());
  const { status } = spawnSync("mkfifo", [path.join(directory, "pipe.md")]);
  if (status !== 0) return t.skip("there is no mkfifo");
  await (await folder.openFile("pipe.md")).close();
  assert.deepEqual(textsIn(await scanFolder(directory)), ["a"]);
});

test("SRC-2: a file of more than 5 MiB is left out by name, until it is smaller", async (t) => {
  const largest = "x".repeat(maxFileBytes);
  const directory = await writeFolder(t, {
    "largest.md": largest,
    "larger.md": `${largest}x`,
    "a.md": "[x](larger.md)",
  });
  const warnings: unknown[] = [];
  const opened = await openWorkspace(directory, { onWarning: (warning) => warnings.push(warning) });
  const titles = () => opened.current().entries.map(({ title }) => title);
  assert.deepEqual(titles(), ["a", "largest"]);
  assert.deepEqual(warnings, [{ path: "larger.md", message: "not read: the file is larger than 5 MiB" }]);
  assert.deepEqual(opened.current().unresolvedLinks(), [], "it is a file, as an image is");
  await truncate(path.join(directory, "larger.md"), 10);
  await opened.reload();
  assert.deepEqual(titles(), ["a", "larger", "largest"]);
});

test("SRC-2: no more of a file is read than it had when it was opened", async (t) => {
  const directory = await writeFolder(t, { "grows.md": "" });
  const file = path.join(directory, "grows.md");
  const growing = await open(file, "a");
  t.after(() => growing.close());
  let isDone = false;
  const grow = async () => {
    while (!isDone) await appendFile(growing, "x".repeat(1024 * 1024));
  };
  const grown = grow();
  for (let count = 0; count < 50; count += 1) {
    const [text = ""] = textsIn(await scanFolder(directory));
    assert.ok(text.length <= maxFileBytes);
    await truncate(file, 4 * 1024 * 1024);
  }
  isDone = true;
  await grown;
});

test("SRC-2: what is not read is named or counted in a warning, again only when that changes", async (t) => {
  const directory = await writeFolder(t, {
    "a.md": "a",
    "rows/_database.yml": "title: Rows",
    "garbled.md": new Uint8Array([0x61, 0xff]),
    "one.canvas": "",
    "two.CANVAS": "",
    "sub/three.org": "",
    "sub/LICENSE": "",
  });
  await symlink(path.join(directory, "a.md"), path.join(directory, "link.md"));
  await symlink(directory, path.join(directory, "circle"));
  // A name in Latin-1.
  await writeFile(
    Buffer.concat([Buffer.from(`${directory}/caf`), Buffer.from([0xe9]), Buffer.from(".md")]),
    "x",
  );
  const warnings: unknown[] = [];
  const opened = await openWorkspace(directory, { onWarning: (warning) => warnings.push(warning) });
  const counted = "2 .canvas, 1 .org, 1 without an ending, 2 symbolic links, 1 name that is not UTF-8";
  const message = `not read: ${counted}`;
  const garbled = { path: "garbled.md", message: "it has bytes that are not UTF-8" };
  assert.deepEqual(warnings, [garbled, { path: "", message }]);
  await writeFiles(directory, { "b.md": "b" });
  await opened.reload();
  assert.equal(warnings.length, 2);
  await symlink(path.join(directory, "b.md"), path.join(directory, "link2.md"));
  await opened.reload();
  assert.deepEqual(warnings.slice(2), [{ path: "", message: message.replace("2 sym", "3 sym") }]);
});

test("SRC-2: of folders in one another the first hundred are read, and the report names where that ends", async (t) => {
  const half = Array.from({ length: 1500 }, () => "d").join("/");
  const directory = await writeFolder(t, { "a.md": "", "deep/b.md": "", [`deep/${half}/c.md`]: "" });
  // The path of all 3 000 is longer than the system takes at once.
  const other = path.join(path.dirname(directory), "other");
  await mkdir(path.join(other, half), { recursive: true });
  const middle = path.join(directory, "deep", half, "d");
  await rename(other, middle);
  await writeFiles(directory, { [`deep/${half.slice(0, 2 * 99 - 1)}/last.md`]: "" });
  try {
    const opened = await openWorkspace(directory);
    const paths = opened.current().entries.flatMap(({ file }) => file?.path ?? []);
    assert.deepEqual(paths.map((place) => path.basename(place)).sort(), ["a.md", "b.md", "last.md"]);
    const { named } = unreadParts(opened.scanned());
    const depth = named.map(({ path: place, message }) => [place.split("/").length, message]);
    assert.deepEqual(depth, [[101, "not read: it is more than 100 folders deep"]]);
  } finally {
    // So that it can be removed.
    await rename(middle, other);
  }
});

test("SRC-2: a file at which reading fails is left out by name until it changes, and the others are read", async (t) => {
  const directory = await writeFolder(t, { "a.md": "# A", "b.md": "# B" });
  const opened = await openWorkspace(directory);
  const titles = () => opened.current().entries.map(({ title }) => title);
  const b = opened.current().entries.find(({ title }) => title === "B")?.file ?? null;
  const failing = () => {
    throw new RangeError("an odd file");
  };
  assert.throws(() => readingFile(b, () => readingFile(b, failing)), RangeError);
  await opened.reload();
  assert.deepEqual(titles(), ["A"]);
  assert.deepEqual(opened.current().report.named, [{ path: "b.md", message: "not read: reading it failed" }]);
  assert.equal(opened.hasUnread(), true, "its page is not known to be gone");
  await writeFile(path.join(directory, "b.md"), "# B again");
  await opened.reload();
  assert.deepEqual(titles(), ["A", "B again"]);
});
