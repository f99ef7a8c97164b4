import assert from "node:assert/strict";
import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { type Files, writeFiles } from "@clew/folder/testing";
import { type Client, isFullBlock, isFullDatabase, isFullPage } from "@notionhq/client";
import { idsByTitle, titleOf } from "../testing/references.ts";
import { serveFiles } from "../testing/serve-folder.ts";

// Pages and databases keep their ids while their files are moved, trashed and restored.

const uuid = (number: number) => `a0000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const page = (title: string, front = "", text = "") => `---\ntitle: ${title}\n${front}\n---\n${text}`;

async function stage(t: TestContext, files: Files) {
  const served = await serveFiles(t, files);
  const { notion, tokens } = await served.signIn();
  const write = async (some: Files) => {
    await writeFiles(served.directory, some);
    await served.standIn.reload();
  };
  const move = async (from: string, to: string) => {
    await rename(path.join(served.directory, from), path.join(served.directory, to));
    await served.standIn.reload();
  };
  return { ...served, notion, tokens, write, move };
}

async function retrieve(notion: Client, id: string) {
  const found = await notion.pages.retrieve({ page_id: id });
  assert.ok(isFullPage(found));
  return found;
}

const status = (wanted: number) => (error: object) => "status" in error && error.status === wanted;

test("a page with an explicit id keeps it and its blocks' ids when its file moves and its title changes", async (t) => {
  const { notion, write, move, directory } = await stage(t, {
    "a/index.md": page("A"),
    "b/index.md": page("B", `id: ${uuid(2)}`),
    "a/note.md": page("Note", `id: ${uuid(1).replaceAll("-", "").toUpperCase()}`, "Text"),
  });
  const children = async () => (await notion.blocks.children.list({ block_id: uuid(1) })).results;
  const [block] = await children();
  await move("a/note.md", "b/other.md");
  await write({ "b/other.md": page("Renamed", `id: ${uuid(1)}`, "Text") });
  const moved = await retrieve(notion, uuid(1));
  assert.equal(titleOf(moved), "Renamed");
  assert.deepEqual(moved.parent, { type: "page_id", page_id: uuid(2) });
  assert.deepEqual(Object.keys(moved.properties), ["title"]);
  assert.equal((await children())[0]?.id, block?.id);
  await move("b", "a/below");
  assert.deepEqual((await retrieve(notion, uuid(1))).parent, { type: "page_id", page_id: uuid(2) });
  await rm(path.join(directory, "a/below/other.md"));
  await notion.search({});
  await assert.rejects(retrieve(notion, uuid(1)), status(404));
});

test("a database with an explicit id keeps it and its data source's id", async (t) => {
  const { notion, move } = await stage(t, {
    "top/index.md": page("Top"),
    "top/rows/_database.yml": `title: Rows\nid: ${uuid(1)}`,
    "top/rows/row.md": page("Row", `id: ${uuid(2)}`),
  });
  const sourceId = async () => {
    const database = await notion.databases.retrieve({ database_id: uuid(1) });
    assert.ok(isFullDatabase(database));
    return database.data_sources[0]?.id ?? "";
  };
  const before = await sourceId();
  await move("top/rows", "top/moved");
  assert.equal(await sourceId(), before);
  const rows = await notion.dataSources.query({ data_source_id: before });
  assert.deepEqual(
    rows.results.map(({ id }) => id),
    [uuid(2)],
  );
});

test("an id that is not a UUID is a property, and a duplicate id is not used twice", async (t) => {
  const { notion, standIn } = await stage(t, {
    "a.md": page("A", `id: ${uuid(1)}`),
    "b.md": page("B", `id: ${uuid(1)}`),
    "c.md": page("C", "id: intro"),
  });
  const ids = await idsByTitle(notion);
  assert.equal(ids.get("A"), uuid(1));
  assert.notEqual(ids.get("B"), uuid(1));
  assert.deepEqual(
    standIn.workspace().warnings.map((warning) => warning.path),
    ["b.md"],
  );
  const other = await retrieve(notion, ids.get("C") ?? "");
  assert.deepEqual(Object.keys(other.properties).sort(), ["id", "title"]);
});

test("a page in the trash is not listed, can be read by its id, and can be restored", async (t) => {
  const trashed = (inTrash: boolean) => ({
    "top/gone/index.md": page("Gone", `id: ${uuid(1)}\nin_trash: ${inTrash}`, "Words that stay."),
  });
  const rows = (inTrash: boolean) => ({
    "top/rows/row.md": page("Row", `id: ${uuid(3)}\nin_trash: ${inTrash}`),
  });
  const { notion, write } = await stage(t, {
    "top/index.md": page("Top", `id: ${uuid(9)}`),
    "top/gone/child.md": page("Child", `id: ${uuid(2)}`),
    "top/rows/_database.yml": `title: Rows\nid: ${uuid(4)}`,
    ...trashed(true),
    ...rows(true),
  });
  const listed = async () => {
    const blocks = (await notion.blocks.children.list({ block_id: uuid(9) })).results.filter(isFullBlock);
    const found = await notion.search({ filter: { property: "object", value: "data_source" } });
    const query = await notion.dataSources.query({ data_source_id: found.results[0]?.id ?? "" });
    const { markdown } = await notion.pages.retrieveMarkdown({ page_id: uuid(9) });
    return {
      titles: [...(await idsByTitle(notion)).keys()].sort(),
      blocks: blocks.map(({ type }) => type),
      rows: query.results.length,
      lines: markdown.split("\n").length,
    };
  };
  assert.deepEqual(await listed(), {
    titles: ["Rows", "Top"],
    blocks: ["child_database"],
    rows: 0,
    lines: 1,
  });
  for (const id of [uuid(1), uuid(2), uuid(3)]) {
    const found = await retrieve(notion, id);
    assert.deepEqual([found.in_trash, Object.keys(found.properties).includes("in_trash")], [true, false]);
  }
  const { markdown } = await notion.pages.retrieveMarkdown({ page_id: uuid(1) });
  assert.equal(markdown, "Words that stay.");
  const inTrash = await notion.search({ filter: { in_trash: true } });
  assert.deepEqual(inTrash.results.map(({ id }) => id).sort(), [uuid(1), uuid(2), uuid(3)]);
  await write({ ...trashed(false), ...rows(false) });
  assert.deepEqual(await listed(), {
    titles: ["Child", "Gone", "Row", "Rows", "Top"],
    blocks: ["child_page", "child_database"],
    rows: 1,
    lines: 2,
  });
  assert.equal((await retrieve(notion, uuid(2))).in_trash, false);
  await write({ "top/rows/_database.yml": `title: Rows\nid: ${uuid(4)}\nin_trash: true` });
  const database = await notion.databases.retrieve({ database_id: uuid(4) });
  assert.ok(isFullDatabase(database) && database.in_trash);
  assert.equal((await retrieve(notion, uuid(3))).in_trash, true);
});

test("the shared pages of a grant can change while it is used, and can be anywhere in the tree", async (t) => {
  const { notion, tokens, standIn, signIn } = await stage(t, {
    "a/index.md": page("A", `id: ${uuid(1)}`),
    "a/b/index.md": page("B", `id: ${uuid(2)}`),
    "a/b/c.md": page("C", `id: ${uuid(3)}`),
    "d.md": page("D", `id: ${uuid(4)}`),
  });
  const other = await signIn({ person: "Visitor" });
  const titles = async (client: Client) => [...(await idsByTitle(client)).keys()].sort();
  await standIn.share(tokens.bot_id, [uuid(2)]);
  assert.deepEqual(await titles(notion), ["B", "C"]);
  await assert.rejects(retrieve(notion, uuid(1)), status(404));
  assert.deepEqual((await retrieve(notion, uuid(2))).parent, { type: "page_id", page_id: uuid(1) });
  await standIn.share(tokens.access_token, [uuid(4)]);
  assert.deepEqual(await titles(notion), ["D"]);
  await standIn.share(tokens.access_token, []);
  assert.deepEqual(await titles(notion), []);
  assert.deepEqual(await titles(other.notion), ["A", "B", "C", "D"]);
  await assert.rejects(standIn.share("nobody", []), /no such grant/);
});
