import assert from "node:assert/strict";
import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { scratchFolder } from "../testing/scratch.ts";
import { copyDatabase, keptCopyPath, removeOldCopies } from "./copies.ts";

const day = 86_400_000;
const now = Date.UTC(2031, 2, 4, 9, 30, 0, 789);

test("SESS-9: copies of the database from before a time are deleted with their logs, and nothing else", async (t) => {
  const folder = await scratchFolder(t);
  const path = join(folder, "clew.db");
  const old = [
    keptCopyPath(path, "restore", now - 31 * day),
    `${keptCopyPath(path, "restore", now - 31 * day)}-wal`,
    keptCopyPath(path, "schema-5", now - 31 * day),
    `${path}.before-restore-20310101T000000Z`,
    `${path}.schema-4.backup`,
  ];
  const kept = [
    path,
    `${path}-wal`,
    keptCopyPath(path, "restore", now - 29 * day),
    keptCopyPath(path, "schema-6", now - 29 * day),
    `${path}.before-restore-by-hand`,
    join(folder, "other.db.before-restore-20200101T000000000Z"),
  ];
  for (const file of [...old, ...kept]) await writeFile(file, "");
  await utimes(`${path}.schema-4.backup`, 1, (now - 31 * day) / 1000);
  await removeOldCopies(path, now - 30 * day);
  const names = kept.map((file) => file.slice(folder.length + 1));
  assert.deepEqual((await readdir(folder)).sort(), names.sort());
});

test("OPS-4: a copy that fails leaves nothing, which would take the room that was missing", async (t) => {
  const folder = await scratchFolder(t);
  const path = join(folder, "clew.db");
  await writeFile(path, "no database, however long this text is");
  await assert.rejects(copyDatabase(path, join(folder, "copy.db")), { code: "SQLITE_NOTADB" });
  assert.deepEqual(await readdir(folder), ["clew.db"]);
});
