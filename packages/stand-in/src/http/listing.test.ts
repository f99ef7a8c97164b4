import assert from "node:assert/strict";
import { utimes } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { writeFiles } from "@clew/folder/testing";
import { collectPaginatedAPI, isFullPage } from "@notionhq/client";
import { idsByTitle, titleOf } from "../testing/references.ts";
import { serveFiles } from "../testing/serve-folder.ts";

const numbers = Array.from({ length: 57 }, (_, index) => index);
const manyPages = Object.fromEntries(numbers.map((n) => [`folder-${n % 5}/page-${n}.md`, `# Page ${n}`]));

test("a paginated search lists every page and data source once", async (t) => {
  const { signIn, standIn } = await serveFiles(t, {
    ...manyPages,
    "rows/_database.yml": "title: Rows",
    "rows/one.md": "# One",
  });
  const { notion } = await signIn();
  const listed = await collectPaginatedAPI(notion.search, { page_size: 7 });
  assert.equal(listed.length, 57 + 5 + 1 + 1);
  assert.equal(new Set(listed.map(({ id }) => id)).size, listed.length);
  assert.equal(standIn.calls()["POST /v1/search"], Math.ceil(64 / 7));
  const pages = await collectPaginatedAPI(notion.search, { filter: { property: "object", value: "page" } });
  assert.ok(pages.every(({ object }) => object === "page"));
  const sources = await collectPaginatedAPI(notion.search, {
    filter: { property: "object", value: "data_source" },
  });
  assert.deepEqual([pages.length, sources.length], [63, 1]);
});

test("search finds titles, and sorts by the time of the last edit", async (t) => {
  const { signIn } = await serveFiles(t, {
    "old.md": "---\nupdated: 2026-01-01\ncreated: 2025-01-01\n---\n# Report one",
    "new.md": "---\nupdated: 2026-03-01\ncreated: 2025-01-01\n---\n# Report two",
    "other.md": "---\nupdated: 2026-02-01\ncreated: 2025-01-01\n---\n# Else",
  });
  const { notion } = await signIn();
  const titles = async (parameters: Parameters<typeof notion.search>[0]) =>
    (await notion.search(parameters)).results.filter(isFullPage).map(titleOf);
  assert.deepEqual(await titles({ query: "REPORT" }), ["Report two", "Report one"]);
  const sort = { timestamp: "last_edited_time", direction: "ascending" } as const;
  assert.deepEqual(await titles({ sort }), ["Report one", "Else", "Report two"]);
});

test("all blocks of a long page are listed over several pages", async (t) => {
  const { signIn } = await serveFiles(t, { "long.md": numbers.map((n) => `Paragraph ${n}`).join("\n\n") });
  const { notion } = await signIn();
  const id = (await idsByTitle(notion)).get("long") ?? "";
  const blocks = await collectPaginatedAPI(notion.blocks.children.list, { block_id: id, page_size: 10 });
  assert.equal(blocks.length, 57);
  assert.equal(new Set(blocks.map((block) => block.id)).size, 57);
});

const table = {
  "rows/_database.yml": "title: Rows",
  ...Object.fromEntries(
    numbers.map((n) => [
      `rows/row-${n}.md`,
      `---\ntitle: Row ${n}\ncreated: 2025-01-01\nupdated: 2026-01-01T00:${String(n).padStart(2, "0")}:30Z\n---\n`,
    ]),
  ),
};

test("a query lists every row, sorted by a timestamp, and can be filtered by time", async (t) => {
  const { signIn } = await serveFiles(t, table);
  const { notion } = await signIn();
  const [source] = (await notion.search({ filter: { property: "object", value: "data_source" } })).results;
  const query = { data_source_id: source?.id ?? "", page_size: 10 };
  const rows = await collectPaginatedAPI(notion.dataSources.query, {
    ...query,
    sorts: [{ timestamp: "last_edited_time", direction: "descending" }],
  });
  assert.deepEqual(rows.filter(isFullPage).map(titleOf), numbers.map((n) => `Row ${n}`).reverse());
  const late = await collectPaginatedAPI(notion.dataSources.query, {
    ...query,
    filter: {
      and: [
        { timestamp: "last_edited_time", last_edited_time: { on_or_after: "2026-01-01T00:20:00.000Z" } },
        { timestamp: "last_edited_time", last_edited_time: { before: "2026-01-01T00:30:00.000Z" } },
      ],
    },
  });
  assert.equal(late.length, 10);
});

test("a query stops at its limit and reports it; a filter reaches the rest", async (t) => {
  const { signIn } = await serveFiles(t, table, { queryRowLimit: 40 });
  const { notion } = await signIn();
  const [source] = (await notion.search({ filter: { property: "object", value: "data_source" } })).results;
  const query = { data_source_id: source?.id ?? "", page_size: 30 };
  const first = await notion.dataSources.query(query);
  assert.equal(first.request_status, undefined);
  const last = await notion.dataSources.query({ ...query, start_cursor: first.next_cursor });
  assert.deepEqual([last.results.length, last.has_more, last.next_cursor], [10, false, null]);
  assert.deepEqual(last.request_status, {
    type: "incomplete",
    incomplete_reason: "query_result_limit_reached",
  });
  const rest = await notion.dataSources.query({
    ...query,
    filter: { timestamp: "last_edited_time", last_edited_time: { after: "2026-01-01T00:39:00Z" } },
  });
  assert.deepEqual([rest.results.length, rest.request_status], [17, undefined]);
});

test("with rescanning off, a search shows no changes until the folder is read again", async (t) => {
  const { signIn, directory, standIn } = await serveFiles(
    t,
    { "a/index.md": "# A", "a/b.md": "# B" },
    { followFolder: false },
  );
  const { notion } = await signIn();
  const [a, b] = standIn.workspace().entries;
  await writeFiles(directory, { "a/c.md": "# C" });
  assert.deepEqual([...(await idsByTitle(notion)).keys()].sort(), ["A", "B"]);
  const workspace = await standIn.reload();
  assert.deepEqual([...(await idsByTitle(notion)).keys()].sort(), ["A", "B", "C"]);
  // Unchanged files are not read again.
  assert.deepEqual(
    [a, b].map((entry) => workspace.entry(entry?.id ?? "")?.file === entry?.file),
    [true, true],
  );
  assert.equal(await standIn.reload(), workspace);
});

test("a search sees what changed in the folder, and ids stay", async (t) => {
  const { signIn, directory } = await serveFiles(t, { "a.md": "# Before", "b/c.md": "# C" });
  const { notion } = await signIn();
  const before = await idsByTitle(notion);
  await writeFiles(directory, { "a.md": "# After", "b/d.md": "# D" });
  await utimes(path.join(directory, "a.md"), new Date(), new Date(Date.now() + 120_000));
  const after = await idsByTitle(notion);
  assert.equal(after.get("After"), before.get("Before"));
  assert.deepEqual([...after.keys()].sort(), ["After", "C", "D", "b"]);
});
