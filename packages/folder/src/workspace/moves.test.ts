import assert from "node:assert/strict";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { writeFiles, writeFolder } from "../testing/index.ts";
import { openWorkspace } from "./open.ts";

const files = {
  "a.md": "# A",
  "b.md": "# B [x](a.md)",
  "docs/index.md": "# Docs",
  "docs/one.md": "# One",
  "plain/two.md": "# Two",
  "rows/_database.yml": "title: Rows",
  "rows/row.md": "# Row",
};

/** A folder, and the ids of its pages by path before and after changes. */
async function look(t: TestContext, some: Readonly<Record<string, string>> = files) {
  const directory = await writeFolder(t, some);
  const memoryFile = path.join(path.dirname(directory), "pages.jsonl");
  const open = () => openWorkspace(directory, { memoryFile });
  let opened = await open();
  const ids = async () => {
    const { entries } = await opened.reload();
    assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length, "every id is that of one page");
    return new Map(entries.map((entry) => [entry.path, entry.id]));
  };
  await ids();
  return {
    ids,
    directory,
    memoryFile,
    opened: () => opened,
    place: (name: string) => path.join(directory, name),
    move: (from: string, to: string) => rename(path.join(directory, from), path.join(directory, to)),
    async restart() {
      opened = await open();
      await opened.ready();
    },
  };
}

for (const isRunning of [true, false]) {
  const when = isRunning ? "while it is watched" : "while nothing runs";
  test(`SRC-2: files and folders that move ${when} keep their ids, as do swapped ones and those that become an index`, async (t) => {
    const { ids, move, place, restart } = await look(t);
    const after = async (change: () => Promise<unknown>) => {
      const before = await ids();
      await change();
      if (!isRunning) await restart();
      const now = await ids();
      return (from: string, to: string) => assert.equal(now.get(to), before.get(from), `${from} is ${to}`);
    };
    let same = await after(() => move("a.md", "c.md"));
    same("a.md", "c.md");
    same = await after(() => move("c.md", "C.md"));
    same("c.md", "C.md");
    same = await after(async () => {
      await move("C.md", "kept");
      await move("b.md", "C.md");
      await move("kept", "b.md");
    });
    same("b.md", "C.md");
    same("C.md", "b.md");
    same = await after(async () => {
      await move("docs", "guides");
      await move("plain", "docs");
      await move("rows", "table");
    });
    for (const [from, to] of Object.entries({
      docs: "guides",
      "docs/one.md": "guides/one.md",
      plain: "docs",
    }))
      same(from, to);
    for (const [from, to] of Object.entries({
      "plain/two.md": "docs/two.md",
      rows: "table",
      "rows/row.md": "table/row.md",
    }))
      same(from, to);
    same = await after(async () => {
      await mkdir(place("b"));
      await move("b.md", "b/index.md");
    });
    same("b.md", "b");
    same = await after(() => move("b/index.md", "b.md"));
    same("b", "b.md");
  });
}

test("SRC-2: a page at the path of one that has moved is another page, and a link to a missing one leads to none", async (t) => {
  const { ids, move, place, opened } = await look(t);
  const { "a.md": first } = Object.fromEntries(await ids());
  await move("a.md", "moved.md");
  assert.equal((await ids()).get("moved.md"), first);
  const [link] = opened().current().unresolvedLinks();
  assert.equal(link?.path, "b.md");
  const page = opened()
    .current()
    .entries.find((entry) => entry.path === "b.md");
  assert.ok(page !== undefined);
  assert.ok(
    !opened()
      .current()
      .leadsTo(page)
      .includes(first ?? ""),
  );
  await writeFile(place("a.md"), "# Another");
  const now = await ids();
  assert.notEqual(now.get("a.md"), first);
  assert.deepEqual(opened().current().leadsTo(page), [now.get("a.md")], "as the link said before");
});

test("SRC-2: a copy has an id of its own, and of equal texts only those with the same name are known again", async (t) => {
  const { ids, move, place } = await look(t, { "a.md": "same", "x/b.md": "same", "c.md": "own" });
  const before = await ids();
  await writeFile(place("copy.md"), await readFile(place("c.md")));
  await writeFile(place("c.md"), "edited");
  await move("a.md", "x/a.md");
  await move("x/b.md", "b.md");
  const after = await ids();
  assert.equal(after.get("c.md"), before.get("c.md"));
  assert.notEqual(after.get("copy.md"), before.get("c.md"));
  assert.equal(after.get("x/a.md"), before.get("a.md"));
  assert.equal(after.get("b.md"), before.get("x/b.md"));
});

test("SRC-2: a file that is removed, and is at another place soon after, keeps its id", async (t) => {
  const { ids, place } = await look(t);
  const { "a.md": first } = Object.fromEntries(await ids());
  await rm(place("a.md"));
  assert.ok(![...(await ids()).values()].includes(first ?? ""));
  await writeFiles(place("."), { "sub/again.md": files["a.md"] });
  assert.equal((await ids()).get("sub/again.md"), first);
});

test("SRC-2: two files that swap their names over a third keep their ids, also if Clew looks in between", async (t) => {
  const { ids, move } = await look(t);
  const before = await ids();
  // A file without an ending is no page.
  await move("a.md", "kept");
  await ids();
  await move("b.md", "a.md");
  await ids();
  await move("kept", "b.md");
  const after = await ids();
  assert.equal(after.get("a.md"), before.get("b.md"));
  assert.equal(after.get("b.md"), before.get("a.md"));
});

test("SRC-2: two files that were removed from one place, one after the other, keep their ids where they appear", async (t) => {
  const { ids, move } = await look(t);
  const before = await ids();
  await move("a.md", "first");
  await ids();
  await move("b.md", "a.md");
  await ids();
  await move("a.md", "second");
  await ids();
  await move("first", "x.md");
  await move("second", "y.md");
  const after = await ids();
  assert.equal(after.get("x.md"), before.get("a.md"));
  assert.equal(after.get("y.md"), before.get("b.md"));
});

test("SRC-2: a moved file keeps its id also if the system names its new place alone at first", async (t) => {
  const { ids, move, opened, place } = await look(t);
  const before = await ids();
  await move("docs/one.md", "plain/moved.md");
  await opened().look(new Set(["plain/moved.md"]));
  await opened().look(new Set(["docs/one.md"]));
  assert.equal((await ids()).get("plain/moved.md"), before.get("docs/one.md"));
  await link(place("b.md"), place("linked.md"));
  await opened().look(new Set(["linked.md"]));
  const after = await ids();
  assert.equal(after.get("b.md"), before.get("b.md"), "a hard link is another file");
  assert.notEqual(after.get("linked.md"), before.get("b.md"));
});

test("SRC-2: a file that was seen to be gone before a restart, or at two places at once, is another page at its new place", async (t) => {
  const { ids, place, move, restart } = await look(t);
  const before = await ids();
  await move("a.md", "kept");
  await ids();
  await restart();
  await move("kept", "c.md");
  await writeFile(place("copy.md"), await readFile(place("b.md")));
  await ids();
  await rm(place("b.md"));
  const after = await ids();
  assert.ok(after.has("c.md") && after.has("copy.md"));
  assert.notEqual(after.get("c.md"), before.get("a.md"));
  assert.notEqual(after.get("copy.md"), before.get("b.md"));
});

test("SRC-2: ids fall back to those of the paths if what is remembered is lost or broken", async (t) => {
  const { ids, move, restart, memoryFile } = await look(t);
  const first = await ids();
  await move("a.md", "moved.md");
  await ids();
  const lines = await readFile(memoryFile, "utf8");
  await writeFile(memoryFile, `${lines}["a.md",{"of":"pa`);
  await restart();
  assert.equal((await ids()).get("moved.md"), first.get("a.md"), "a line that was cut off is left out");
  for (const broken of [
    "",
    "broken",
    "{}\n[]",
    '{"journal":1}\n{"note":3}\n["moved.md",{"of":"x"}]\n[7]\n',
  ]) {
    await writeFile(memoryFile, broken);
    await restart();
    assert.notEqual((await ids()).get("moved.md"), first.get("a.md"));
    await restart();
    assert.equal((await ids()).get("b.md"), first.get("b.md"));
  }
});
