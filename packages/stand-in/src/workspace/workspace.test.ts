import assert from "node:assert/strict";
import { cp, mkdir, rename, symlink } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import type { Entry } from "@clew/folder";
import { openWorkspace } from "@clew/folder";
import { type Files, writeFiles, writeFolder } from "@clew/folder/testing";
import { collectPaginatedAPI, isFullDatabase, isFullPage } from "@notionhq/client";
import { pino } from "pino";
import { idsByTitle } from "../testing/references.ts";
import { serve, serveFiles } from "../testing/serve-folder.ts";

/** The workspace as lines: a title below its parent's, indented. */
async function outline(directory: string): Promise<string[]> {
  const { topLevel } = (await openWorkspace(directory)).current();
  const lines = (entry: Entry): string[] => [
    entry.title,
    ...entry.children.flatMap(lines).map((line) => `  ${line}`),
  ];
  return topLevel.flatMap(lines);
}

test("every Markdown file is a page, and so is every folder with a page below it", async (t) => {
  const directory = await writeFolder(t, {
    "readme.md": "# Read Me",
    "a.md": "# File A",
    "a.mdx": "# File AX",
    "a/index.mdx": "# Folder A",
    "a/README.md": "# A's Readme",
    "a/b/README.MD": "# Folder B",
    "a/b/leaf.md": "",
    "no index/deep/leaf.md": "# Deep Leaf",
    "pictures/one.png": "",
    ".hidden/page.md": "# Hidden",
    ".draft.md": "# Draft",
    "notes.txt": "",
  });
  assert.deepEqual(await outline(directory), [
    "File A",
    "File AX",
    "Read Me",
    "Folder A",
    "  A's Readme",
    "  Folder B",
    "    leaf",
    "no index",
    "  deep",
    "    Deep Leaf",
  ]);
});

test("symbolic links are not followed, including cyclic ones", async (t) => {
  const directory = await writeFolder(t, { "a/page.md": "# Page" });
  await symlink(directory, path.join(directory, "a", "again"));
  await symlink("/etc/hostname", path.join(directory, "host.md"));
  assert.deepEqual(await outline(directory), ["a", "  Page"]);
});

const titles: readonly [name: string, text: string, title: string][] = [
  ["front.md", "---\ntitle: Front\n---\n# Heading", "Front"],
  ["quoted.md", "---\ntitle: 'It''s: quoted'\n---\n", "It's: quoted"],
  ["folded.md", "---\ntitle: >\n  two\n  lines\n---\n", "two lines"],
  ["number.md", "---\ntitle: 2001\n---\n", "2001"],
  ["heading.md", "\n\n# The `code` and *more* #\n", "The code and more"],
  ["later heading.md", "text\n\n# A heading further down\n", "later heading"],
  ["below a second.md", "## Second\n\n# First\n", "below a second"],
  ["commented.md", "<!-- a note\n# no -->\n\n# After a comment", "After a comment"],
  ["imports.mdx", 'import X from "./x.js";\n\n{/* note */}\n# After imports', "After imports"],
  ["prose.md", "import taxes are due\n\n# Not first", "prose"],
  ["indented.md", "\n    # code", "indented"],
  ["link.md", "# See [this](x.md) and [[that|those]]", "See this and those"],
  [
    "mail.md",
    "# Michael <mail@example.org> <https://m.example/> <b>bold</b>",
    "Michael <mail@example.org> <https://m.example/> bold",
  ],
  ["glued.md", "# ⏱[[2022-12-03]]20:33", "⏱2022-12-03 20:33"],
  ["id.md", "# Set up {#setup-id}\n", "Set up"],
  ["comment id.md", "# Usage {/*usage*/} #\n", "Usage"],
  ["braces.md", "# The {#x} sign", "The {#x} sign"],
  ["setext.md", "Under\n=====\n", "Under"],
  ["in-code.md", "```\n# not this\n```\n\n# nor this", "in-code"],
  ["second-level.md", "## Only two", "second-level"],
  ["T - TODO.md", "", "T - TODO"],
  ["2025-11-25.md", "", "2025-11-25"],
  ["build-a_server.mdx", "", "build-a_server"],
  ["empty-title.md", "---\ntitle: ''\n---\n", "empty-title"],
];

test("a title comes from the front matter, else from a heading at the beginning, else from the file's name", async (t) => {
  const directory = await writeFolder(t, Object.fromEntries(titles.map(([name, text]) => [name, text])));
  const { entries } = (await openWorkspace(directory)).current();
  for (const [name, , title] of titles) {
    assert.equal(entries.find((entry) => entry.path === name)?.title, title, name);
  }
});

test("ids stay the same when the folder moves and the server restarts, and differ between things with one name", async (t) => {
  const files: Files = {
    "a.md": "",
    "a.mdx": "",
    "a/index.md": "text",
    "rows/_database.yml": "title: Rows",
    "rows/é.md": "",
  };
  const directory = await writeFolder(t, files);
  const moved = path.join(path.dirname(directory), "elsewhere", "notes");
  await cp(directory, moved, { recursive: true });
  const ids = async (place: string) => {
    const workspace = (await openWorkspace(place)).current();
    const blocks = workspace.entries.flatMap((entry) => workspace.blocks(entry));
    return [workspace.id, ...workspace.entries.map(({ id }) => id), ...blocks.map(({ id }) => id)];
  };
  const before = await ids(directory);
  assert.deepEqual(await ids(moved), before);
  assert.equal(new Set(before).size, before.length);
  assert.ok(
    before.every(
      (id) =>
        /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id) ||
        id.startsWith(before[3]?.slice(0, 8) ?? "-"),
    ),
  );
});

const otherNames: readonly [name: string, text: string, aliases: readonly string[]][] = [
  ["plain.md", "", []],
  ["T - TODO.md", "# To do", ["T - TODO"]],
  ["Same.md", "# same", []],
  ["one.md", "---\nalias: Uno\n---\n", ["Uno"]],
  [
    "two.md",
    "---\ntitle: Two!\naliases: [Dos, ' ', null, 2, dos, Two!, { a: 1 }]\n---\n",
    ["two", "Dos", "2"],
  ],
  ["three.md", "---\nAliases: Doe, Jane\n---\n", ["Doe, Jane"]],
  ["folder/index.md", "---\ntitle: Index\nalias: Dir\n---\n", ["folder", "Dir"]],
  ["rows/_database.yml", "title: Table", ["rows"]],
];

test("GRAPH-3: a page or database has aliases: the name of its file or folder, and those in its front matter", async (t) => {
  const { signIn } = await serveFiles(t, Object.fromEntries(otherNames));
  const { notion } = await signIn();
  const pages = await collectPaginatedAPI(notion.search, {});
  const aliases = pages.map((page) =>
    "aliases" in page && Array.isArray(page.aliases) ? page.aliases : null,
  );
  const ofDatabase = await notion.databases.retrieve({
    database_id: (await idsByTitle(notion)).get("Table") ?? "",
  });
  const key = (names: unknown) => JSON.stringify(names);
  assert.deepEqual(aliases.map(key).sort(), otherNames.map(([, , names]) => key(names)).sort());
  assert.deepEqual("aliases" in ofDatabase && ofDatabase.aliases, ["rows"]);
});

test("a note with its folder's name, or Hugo's _index, is the folder's page", async (t) => {
  const directory = await writeFolder(t, {
    "🍀 garden/🍀 Garden.md": "text",
    "🍀 garden/rose.md": "",
    "posts/_index.md": "# All posts",
    "posts/posts.md": "---\ntitle: A note\n---\n",
    "both/both.md": "---\ntitle: A note of that name\n---\n",
    "both/README.md": "# The readme",
  });
  assert.deepEqual(await outline(directory), [
    "The readme",
    "  A note of that name",
    "All posts",
    "  A note",
    "🍀 garden",
    "  rose",
  ]);
});

test("invalid front matter is reported with its file, and is not part of the text", async (t) => {
  const logged: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(line) });
  const bad = "---\ntitle: [oops\n---\n\nThe text";
  const { directory, standIn, signIn } = await serveFiles(
    t,
    { "bad.md": bad, "good.md": "# Good", "rule.md": "---\nbetween two rules\n---\n" },
    { log },
  );
  const { notion } = await signIn();
  const ids = await idsByTitle(notion);
  const text = async (title: string) =>
    (await notion.pages.retrieveMarkdown({ page_id: ids.get(title) ?? "" })).markdown;
  assert.equal(await text("bad"), "The text");
  assert.match(await text("rule"), /between two rules/);
  const warnings = () => logged.map((line) => JSON.parse(line)).map(({ path: file }) => file);
  assert.deepEqual(warnings(), ["bad.md", "rule.md"]);
  assert.match(logged[0] ?? "", /flow sequence/i);
  await writeFiles(directory, { "sub/worse.md": bad });
  await standIn.reload();
  assert.deepEqual(warnings(), ["bad.md", "rule.md", "sub/worse.md"], "each is named once");
});

test("times come from the front matter, else from the file, in whole minutes", async (t) => {
  const { signIn } = await serveFiles(t, {
    "dated.md": "---\ncreated: 2024-05-06T07:08:09Z\nupdated: '2025-01-02 03:04:59'\n---\n",
    "dayonly.md": "---\ncreated: 2024-05-06\n---\n",
    "wrong.md": "---\ncreated: soon\nupdated: 2024-13-45\n---\n",
  });
  const { notion } = await signIn();
  const ids = await idsByTitle(notion);
  const page = async (title: string) => {
    const found = await notion.pages.retrieve({ page_id: ids.get(title) ?? "" });
    assert.ok(isFullPage(found));
    return found;
  };
  const dated = await page("dated");
  assert.equal(dated.created_time, "2024-05-06T07:08:00.000Z");
  assert.equal(dated.last_edited_time, "2025-01-02T03:04:00.000Z");
  assert.equal((await page("dayonly")).created_time, "2024-05-06T00:00:00.000Z");
  const wrong = await page("wrong");
  assert.match(wrong.created_time, /:00\.000Z$/);
  assert.ok(Date.parse(wrong.last_edited_time) > Date.UTC(2025, 0, 1));
});

test("an icon is an emoji or an https URL; anything else is ignored", async (t) => {
  const icons = [
    "🌍",
    "👩‍🚀",
    "❤️",
    "⭐",
    "https://x.example/i.png",
    "http://x.example/i.png",
    "javascript:x",
    "word",
    "1",
  ];
  const { standIn } = await serveFiles(
    t,
    Object.fromEntries(icons.map((icon, index) => [`p${index}.md`, `---\nicon: "${icon}"\n---\n`])),
  );
  const found = standIn.workspace().entries.map(({ icon }) => icon);
  assert.deepEqual(found, [...icons.slice(0, 5), null, null, null, null]);
});

test("the workspace has its folder's name unless _workspace.yml sets another", async (t) => {
  const directory = await writeFolder(t, { "a.md": "" });
  const plain = (await openWorkspace(directory)).current();
  assert.deepEqual([plain.name, plain.icon], ["notes", null]);
  const described = await writeFolder(t, {
    "_workspace.yml": "name: Field Guide\nicon: 🌌\nid: fixed",
    "a.md": "",
  });
  const other = await writeFolder(t, { "_workspace.yml": "name: Other\nid: fixed" });
  const [one, two] = await Promise.all([openWorkspace(described), openWorkspace(other)]);
  assert.deepEqual([one.current().name, one.current().icon], ["Field Guide", "🌌"]);
  assert.equal(one.current().id, two.current().id);
});

test("opening a missing folder fails", async (t) => {
  const directory = await writeFolder(t, {});
  await assert.rejects(serve(t, path.join(directory, "nothing")), {
    message: /^failed to read the folder .*nothing: ENOENT/,
  });
});

test("a folder with a _database.yml is a database, and its pages are rows", async (t) => {
  const { signIn } = await serveFiles(t, {
    "sky/stars/_database.yml":
      "title: Stars\nicon: ⭐\nproperties:\n  Kind: { type: select, options: [giant, dwarf] }",
    "sky/stars/index.md": "All that *shines*, see [[Sol]].",
    "sky/stars/sol.md": "---\ntitle: Sol\nKind: dwarf\n---\nText",
    "sky/stars/binary/index.md": "---\ntitle: Binary\n---\n",
    "sky/stars/binary/a.md": "---\ntitle: Component A\n---\n",
  });
  const { notion } = await signIn();
  const ids = await idsByTitle(notion);
  const database = await notion.databases.retrieve({ database_id: ids.get("Stars") ?? "" });
  assert.ok(isFullDatabase(database));
  assert.equal(
    database.description.map(({ plain_text }) => plain_text).join(""),
    "All that shines, see Sol.",
  );
  assert.deepEqual(database.icon, { type: "emoji", emoji: "⭐" });
  assert.deepEqual(database.parent, { type: "page_id", page_id: ids.get("sky") });
  const [source] = database.data_sources;
  const rows = await notion.dataSources.query({ data_source_id: source?.id ?? "" });
  assert.deepEqual(rows.results.map(({ id }) => id).sort(), [ids.get("Sol"), ids.get("Binary")].sort());
  const row = await notion.pages.retrieve({ page_id: ids.get("Sol") ?? "" });
  assert.ok(isFullPage(row));
  assert.deepEqual(row.parent, {
    type: "data_source_id",
    data_source_id: source?.id,
    database_id: database.id,
  });
  const part = await notion.pages.retrieve({ page_id: ids.get("Component A") ?? "" });
  assert.ok(isFullPage(part));
  assert.deepEqual(part.parent, { type: "page_id", page_id: ids.get("Binary") });
  const children = await notion.blocks.children.list({ block_id: ids.get("sky") ?? "" });
  assert.deepEqual(
    children.results.map((block) => ("type" in block ? [block.type, block.id] : [])),
    [["child_database", database.id]],
  );
  const { markdown } = await notion.pages.retrieveMarkdown({ page_id: ids.get("sky") ?? "" });
  const address = `https://www.notion.so/${database.id.replaceAll("-", "")}`;
  assert.equal(markdown, `<database url="${address}" inline="false">Stars</database>`);
});

test("files may move while the folder is scanned", async (t) => {
  const names = Array.from({ length: 100 }, (_, number) => `page-${number}.md`);
  const directory = await writeFolder(t, Object.fromEntries(names.map((name) => [name, "Text"])));
  await mkdir(path.join(directory, "away"));
  const open = await openWorkspace(directory);
  for (const name of names) {
    const looking = open.reload();
    await rename(path.join(directory, name), path.join(directory, "away", name));
    await looking;
  }
  const { entries } = await open.reload();
  assert.equal(entries.length, names.length + 1);
});
