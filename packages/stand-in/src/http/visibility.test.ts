import assert from "node:assert/strict";
import { test } from "node:test";
import { writeFiles } from "@clew/folder/testing";
import { APIErrorCode, collectPaginatedAPI, isFullPage, isNotionClientError } from "@notionhq/client";
import { idsByTitle, readBothForms } from "../testing/references.ts";
import { serveFiles } from "../testing/serve-folder.ts";

const files = {
  "open/index.md":
    "---\ntitle: Open\n---\nSee [[Hidden Plan]], [the plan](../secret/plan.md) and [[Hidden Plan|that]].",
  "open/child.md": "# Child",
  "open/rows/_database.yml":
    "title: Rows\nproperties:\n  Secret: { type: relation, database: ../../secret/table }\n  Peer: { type: relation, database: . }",
  "open/rows/row.md": "---\ntitle: Row\nSecret: ../../secret/table/entry.md\nPeer: '[[Row]]'\n---\n",
  "secret/plan.md": "---\ntitle: Hidden Plan\n---\nNothing to see",
  "secret/table/_database.yml": "title: Hidden Table",
  "secret/table/entry.md": "# Hidden Entry",
};

test("a grant gives access only to the shared pages and everything below them", async (t) => {
  const { signIn, standIn } = await serveFiles(t, files);
  const all = await signIn({ person: "Librarian" });
  const ids = await idsByTitle(all.notion);
  const { notion } = await signIn({ person: "Visitor", pages: ["Open"] });
  const visible = await idsByTitle(notion);
  assert.deepEqual([...visible.keys()].sort(), ["Child", "Open", "Row", "Rows"]);
  const hidden = ids.get("Hidden Plan") ?? "";
  const [block] = (await all.notion.blocks.children.list({ block_id: hidden })).results;
  const table = standIn.workspace().entries.find(({ title }) => title === "Hidden Table");
  const sources = await all.notion.search({
    filter: { property: "object", value: "data_source" },
    query: "Hidden",
  });
  for (const refused of [
    notion.pages.retrieve({ page_id: hidden }),
    notion.pages.retrieveMarkdown({ page_id: hidden }),
    notion.pages.properties.retrieve({ page_id: hidden, property_id: "title" }),
    notion.blocks.retrieve({ block_id: hidden }),
    notion.blocks.retrieve({ block_id: block?.id ?? "" }),
    notion.blocks.children.list({ block_id: hidden }),
    notion.databases.retrieve({ database_id: table?.id ?? "" }),
    notion.dataSources.retrieve({ data_source_id: sources.results[0]?.id ?? "" }),
    notion.dataSources.query({ data_source_id: sources.results[0]?.id ?? "" }),
  ]) {
    await assert.rejects(
      refused,
      (error) => isNotionClientError(error) && error.code === APIErrorCode.ObjectNotFound,
    );
  }
  const shared = await notion.pages.retrieve({ page_id: ids.get("Open") ?? "" });
  assert.ok(isFullPage(shared));
  assert.deepEqual(shared.parent, { type: "workspace", workspace: true });
});

test("references to pages that are not shared have their ids but no titles", async (t) => {
  const { signIn } = await serveFiles(t, files);
  const ids = await idsByTitle((await signIn()).notion);
  const { notion } = await signIn({ person: "Visitor", pages: ["Open"] });
  const { blocks, markdown, fromBlocks, fromMarkdown } = await readBothForms(notion, ids.get("Open") ?? "");
  const plan = ids.get("Hidden Plan");
  assert.deepEqual(fromBlocks, [`link ${plan}`, `mention ${plan}`, `mention ${plan}`]);
  assert.deepEqual(fromMarkdown, fromBlocks);
  assert.match(markdown, />Untitled<\/mention-page>/);
  assert.match(markdown, />that<\/mention-page>/);
  assert.doesNotMatch(JSON.stringify([blocks, markdown]), /Hidden/);
});

test("a relation to a database that is not shared is left out of rows and schema", async (t) => {
  const { signIn } = await serveFiles(t, files);
  const names = async (choice: Parameters<typeof signIn>[0]) => {
    const { notion } = await signIn(choice);
    const row = (await idsByTitle(notion)).get("Row") ?? "";
    const page = await notion.pages.retrieve({ page_id: row });
    const sources = await collectPaginatedAPI(notion.search, { query: "Rows" });
    const [source] = sources.filter((result) => result.object === "data_source");
    return [page, source].map((one) =>
      Object.keys(one !== undefined && "properties" in one ? one.properties : {}).sort(),
    );
  };
  assert.deepEqual(await names({ person: "Visitor", pages: ["Open"] }), [
    ["Name", "Peer"],
    ["Name", "Peer"],
  ]);
  assert.deepEqual(await names({}), [
    ["Name", "Peer", "Secret"],
    ["Name", "Peer", "Secret"],
  ]);
});

test("SIGN-11: sharing every page includes later ones, and sharing some includes later pages below them", async (t) => {
  const { directory, signIn, standIn } = await serveFiles(t, { "a/index.md": "", "b.md": "" });
  const { notion: all } = await signIn({ person: "Librarian" });
  const { notion: some } = await signIn({ person: "Visitor", pages: ["a"] });
  const { notion: none } = await signIn({ person: "Librarian", pages: [] });
  await writeFiles(directory, { "c.md": "", "a/d.md": "" });
  await standIn.reload();
  const titles = async (notion: typeof all) => [...(await idsByTitle(notion)).keys()].sort();
  assert.deepEqual(await titles(some), ["a", "d"]);
  assert.deepEqual(await titles(none), []);
  assert.deepEqual(await titles(all), [], "a person has one grant, which now shares nothing");
  await signIn({ person: "Librarian" });
  assert.deepEqual(await titles(all), ["a", "b", "c", "d"]);
});
