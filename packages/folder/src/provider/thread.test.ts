import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { writeFolder } from "../testing/index.ts";
import { FolderThread } from "./thread.ts";

test("SYNC-5, SRC-2: a file at which the folders' thread stays is left out and named, and read again once it has changed", async (t) => {
  const directory = await writeFolder(t, { "a.md": "# A", "b.md": "# B" });
  const thread = new FolderThread({ module: new URL("../testing/stuck-worker.ts", import.meta.url) });
  t.after(() => thread.close());
  const settings = { path: directory, workspaceId: "11111111-1111-4111-8111-111111111111", memoryFile: null };
  const errors: string[] = [];
  const log = { warn: () => {}, error: (_: object, message: string) => void errors.push(message) };
  const folder = thread.folder(settings, { clock: Date.now, log });
  const list = async () => {
    const { entries, isPartial } = await folder.call("list", { of: "search", few: false, tags: false });
    const titles = entries.map((entry) => ("title" in entry ? entry.title : entry.type));
    const ids = entries.flatMap((entry) => ("title" in entry && entry.title === "B" ? [entry.id] : []));
    return { titles: titles.sort(), isPartial, ids };
  };
  const leftOut = async () => (await folder.call("report", null)).named;
  const whole = await list();
  assert.deepEqual([whole.titles, whole.isPartial], [["A", "B"], false]);
  await writeFile(join(directory, "b.md"), "# B neverending");
  await writeFile(join(directory, "c.md"), "# C");
  const without = await list();
  assert.deepEqual([without.titles, without.isPartial], [["A", "C"], true]);
  const named = { path: "b.md", message: "not read: it takes too much processor time" };
  assert.deepEqual(await leftOut(), [named]);
  assert.deepEqual(errors, ["the thread that reads folders has ended"], "one thread was ended");
  const known = folder.call("node", { id: whole.ids[0] ?? "", of: "page", tags: false });
  await assert.rejects(known, { code: "unavailable" }, "nothing says that the page is gone");
  await writeFile(join(directory, "b.md"), "# B ends");
  const mended = await list();
  assert.deepEqual([mended.titles, mended.isPartial], [["A", "B ends", "C"], false]);
  assert.deepEqual(await leftOut(), []);
  assert.equal(errors.length, 1);
});
