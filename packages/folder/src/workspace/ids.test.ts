import assert from "node:assert/strict";
import { rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { type Files, writeFolder } from "../testing/index.ts";
import { type OpenOptions, openWorkspace } from "./open.ts";
import { dataSourceIdOf } from "./workspace.ts";

const given = "10000000-0000-4000-8000-000000000000";
const one = "a0000000-0000-4000-8000-000000000000";
const two = "b0000000-0000-4000-8000-000000000000";

const clone: Files = {
  "_workspace.yml": `id: ${given}\n`,
  "README.md": "See [[nowhere]] and [[given]].\n\n#tag\n",
  "given.md": `---\nid: ${given}\ntags: [tag]\n---\n`,
  "rows/_database.yml": "properties: {}\n",
  "rows/row.md": "",
};

/** The ids of everything in a folder, and those by their paths. */
async function idsOf(directory: string, options: OpenOptions) {
  const opened = await openWorkspace(directory, options);
  const workspace = await opened.ready();
  const places = Object.fromEntries(workspace.entries.map((entry) => [entry.path, entry.id]));
  const all = [
    workspace.id,
    ...Object.values(places),
    ...workspace.entries.filter(({ kind }) => kind === "database").map(dataSourceIdOf),
    ...workspace.tags().all.map(({ id }) => id),
    ...workspace.entries.flatMap((entry) => workspace.leadsTo(entry)),
  ];
  return { opened, places, all };
}

test("SRC-2: no id of anything in a clone of a folder is one in the other, and each folder's own stay", async (t) => {
  const directory = await writeFolder(t, clone);
  const first = await idsOf(directory, { workspaceId: one });
  const second = await idsOf(await writeFolder(t, clone), { workspaceId: two });
  assert.equal(new Set([...first.all, ...second.all]).size, 2 * new Set(first.all).size);
  assert.equal(new Set(first.all).size, 8, first.all.join());
  assert.deepEqual(
    [...first.all].filter((id) => id === given),
    [],
  );
  const moved = path.join(path.dirname(directory), "elsewhere");
  await rename(directory, moved);
  assert.deepEqual((await idsOf(moved, { workspaceId: one })).all, first.all);
});

test("SRC-2: a page with a given id keeps its id when it moves, is a database or loses its row of memory", async (t) => {
  const directory = await writeFolder(t, clone);
  const before = await idsOf(directory, { workspaceId: one });
  const id = before.places["given.md"];
  await rename(path.join(directory, "given.md"), path.join(directory, "rows/new.md"));
  assert.equal((await idsOf(directory, { workspaceId: one })).places["rows/new.md"], id);
  await rm(path.join(directory, "rows/new.md"));
  await writeFile(path.join(directory, "rows/_database.yml"), `id: ${given}\nproperties: {}\n`);
  assert.equal((await idsOf(directory, { workspaceId: one })).places.rows, id);
});

test("SRC-2: of two files with one given id the path that sorts first has it, and the report names both", async (t) => {
  // A listing has files before folders, whatever their names.
  const text = `---\nid: ${given}\n---\n`;
  const files = { "b.md": text, "a/z.md": text, "a/y/index.md": text };
  const directory = await writeFolder(t, { "a/z.md": text });
  const { places } = await idsOf(directory, { workspaceId: one });
  const both = await idsOf(await writeFolder(t, files), { workspaceId: one });
  assert.equal(both.places["a/y"], places["a/z.md"]);
  assert.equal(new Set(Object.values(both.places)).size, 4);
  assert.deepEqual(both.opened.current().report.named, [
    { path: "b.md", message: "ignored the id, which a/y has" },
    { path: "a/z.md", message: "ignored the id, which a/y has" },
  ]);
});

test("SRC-2: a moved file keeps its id, which is that of its first path in its folder", async (t) => {
  const directory = await writeFolder(t, { "a.md": "# A text of its own", "b.md": "" });
  const memoryFile = path.join(path.dirname(directory), "pages.json");
  const { places } = await idsOf(directory, { workspaceId: one, memoryFile });
  await rename(path.join(directory, "a.md"), path.join(directory, "moved.md"));
  const after = await idsOf(directory, { workspaceId: one, memoryFile });
  assert.equal(after.places["moved.md"], places["a.md"]);
});
