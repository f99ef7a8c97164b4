import assert from "node:assert/strict";
import { readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { integer, pick, type Random, seededRandom } from "@clew/stand-in/testing/random";
import { storedGraph } from "./testing/stored-graph.ts";
import { createWorkspace, type Workspace } from "./testing/workspace.ts";

/** Batches of random edits, after each of which the graph is compared. */
const batches = Number(process.env.FOLDER_EDIT_BATCHES ?? 6);
const minute = 60_000;

test("SRC-2: text, links and title follow when files swap their names and keep their times", async (t) => {
  const workspace = await createWorkspace(t, {
    "a.md": "# Alpha\n\nalpha text [x](c.md)",
    "b.md": "# Beta\n\nbeta text",
    "c.md": "# Gamma\n\ngamma text",
  });
  const { id } = await workspace.connect();
  const place = (name: string) => join(workspace.directory, name);
  const then = new Date("2026-02-03T04:05:06Z");
  for (const name of ["a.md", "b.md", "c.md"]) await utimes(place(name), then, then);
  await workspace.run(id);
  await rename(place("a.md"), place("kept"));
  await rename(place("b.md"), place("a.md"));
  await rename(place("c.md"), place("b.md"));
  await rename(place("kept"), place("c.md"));
  workspace.pass(15 * minute);
  await workspace.run(id);
  const text = async (title: string) => (await workspace.node(id, title)).markdown;
  assert.equal(await text("Beta"), "beta text");
  assert.equal(await text("Gamma"), "gamma text");
  assert.match((await text("Alpha")) ?? "", /^alpha text \[x\]\(.*\)$/);
  assert.deepEqual(await workspace.edges(id), ["Alpha -link-> Alpha"]);
});

/** The graph that a first sync of the same folder gives. */
async function fromNothing(workspace: Workspace) {
  const { id } = await workspace.connect({ person: "Visitor" });
  await workspace.run(id);
  const graph = await storedGraph(workspace.database, id);
  await workspace.database.transaction((trx) => trx.deleteFrom("connections").where("id", "=", id).execute());
  return graph;
}

/** A text that links to other files, by paths and by names. */
function randomText(random: Random, names: readonly string[]): string {
  const words = Array.from({ length: integer(random, 1, 5) }, () => pick(random, ["one", "two", "three"]));
  const target = () => pick(random, [...names, "missing.md"]);
  const links = [`[x](${target()})`, `[[${target().replace(".md", "")}|x]]`, ""];
  return `# ${pick(random, ["Title", "Other", "Same"])} ${integer(random, 1, 9)}\n\n${words.join(" ")} ${pick(random, links)}`;
}

/** One edit of a folder, such as people and programs make; half of them restore the times of the file. */
async function editAtRandom(directory: string, random: Random): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(".md"));
  const place = (name: string) => join(directory, name);
  const [one, other] = [pick(random, names), pick(random, names)];
  const { atime, mtime } = await stat(place(one));
  const edits = ["edit", "edit", "restore", "restore", "swap", "rename", "delete", "add", "add", "touch"];
  switch (pick(random, edits)) {
    case "edit":
      return writeFile(place(one), randomText(random, names));
    case "restore":
      await writeFile(place(one), randomText(random, names));
      return utimes(place(one), atime, mtime);
    case "swap":
      await rename(place(one), place("kept"));
      if (one !== other) await rename(place(other), place(one));
      return rename(place("kept"), place(other));
    case "rename":
      return rename(place(one), place(`renamed ${integer(random, 1, 40)}.md`));
    case "delete":
      return rm(place(one));
    case "add":
      return writeFile(place(`added ${integer(random, 1, 40)}.md`), randomText(random, names));
    case "touch":
      return utimes(place(one), atime, new Date(mtime.getTime() - integer(random, 1, 90) * minute));
  }
}

test("SRC-2: after edits that keep, change or set back the times of files, the graph is that of a first sync", async (t) => {
  const random = seededRandom(11);
  const names = Array.from({ length: 30 }, (_, index) => `note ${index}.md`);
  const files = Object.fromEntries(names.map((name) => [name, randomText(random, names)]));
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect({ person: "Librarian" });
  await workspace.run(id);
  for (let batch = 0; batch < batches; batch += 1) {
    for (let count = 0; count < 12; count += 1) await editAtRandom(workspace.directory, random);
    workspace.pass(pick(random, [5_000, minute, 15 * minute]));
    await workspace.run(id);
    assert.deepEqual(await storedGraph(workspace.database, id), await fromNothing(workspace));
  }
});
