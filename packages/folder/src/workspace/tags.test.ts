import assert from "node:assert/strict";
import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { type Files, writeFiles, writeFolder } from "../testing/index.ts";
import { openWorkspace } from "./open.ts";
import type { Workspace } from "./workspace.ts";

async function open(t: TestContext, files: Files) {
  const directory = await writeFolder(t, files);
  return { directory, opened: await openWorkspace(directory) };
}

/** The tags of each page as `name ×count`. */
function tagsIn(workspace: Workspace): Record<string, string[]> {
  const tags = workspace.tags();
  return Object.fromEntries(
    workspace.entries.flatMap((entry) => {
      const held = tags.of(entry).map(({ tag, count }) => `${tag.name} ×${count}`);
      return held.length === 0 ? [] : [[entry.path, held]];
    }),
  );
}

/** All tags as `name`, or `name < parent`. */
const allIn = (workspace: Workspace) =>
  workspace.tags().all.map(({ name, parent }) => (parent === null ? name : `${name} < ${parent.name}`));

test("SRC-4: tags of Obsidian are in properties and in the text and its comments, but not in code, links and comments of HTML", async (t) => {
  const { opened } = await open(t, {
    ".obsidian/app.json": "{}",
    "a.md":
      "---\ntags: [recipe, '#Soup', two words, 1984, 7]\n---\n#soup and #to-do, (#no) a#no #1984 #y1984 #über_1",
    "b.md": "---\nTag: one, two three\n---\ntext",
    "c.md": [
      "# Heading #inHeading",
      "`#code` \\#escaped ## #",
      "```",
      "#fenced",
      "```",
      "[[a #link]] [x](a.md #link) <!-- #comment --> %% #hidden %% $$ #x $$",
      "- #list, #end.",
      "##no #a/",
    ].join("\n"),
    "trash.md": "---\nin_trash: true\ntags: [gone]\n---\n#gone",
  });
  assert.deepEqual(tagsIn(opened.current()), {
    "a.md": ["recipe ×1", "Soup ×2", "to-do ×1", "y1984 ×1", "über_1 ×1"],
    "b.md": ["one ×1", "two ×1", "three ×1"],
    "c.md": ["inHeading ×1", "list ×1", "end ×1", "a ×1", "hidden ×1"],
  });
});

test("SRC-4: a nested tag is below the one before its slash, which is a tag too", async (t) => {
  const { opened } = await open(t, {
    ".obsidian/app.json": "{}",
    "1.md": "---\ncreated: 2020-01-02\n---\n#Project/clew/core",
    "2.md": "---\ncreated: 2019-01-02\n---\n#project/Other",
  });
  const workspace = opened.current();
  assert.deepEqual(allIn(workspace), [
    "Project",
    "Project/clew < Project",
    "Project/clew/core < Project/clew",
    "project/Other < Project",
  ]);
  const dates = workspace.tags().all.map(({ createdAt }) => new Date(createdAt).toISOString().slice(0, 10));
  assert.deepEqual(dates, ["2019-01-02", "2020-01-02", "2020-01-02", "2019-01-02"]);
});

for (const [tool, settings, files, expected] of [
  ["Logseq", { "logseq/config.edn": "" }, { "pages/a.md": "tags:: x, y\n\n- #tag and #[[two words]]" }, {}],
  [
    "Hugo",
    { "content/_index.md": "", "hugo.toml": "" },
    { "content/a.md": "---\ntags: [Go, two words]\ncategories: [go, News]\n---\n#text" },
    { "content/a.md": ["Go ×2", "two words ×1", "News ×1"] },
  ],
  [
    "Docusaurus",
    { "docusaurus.config.js": "" },
    { "docs/a.md": "---\ntags: [one, {label: Two words, permalink: /two}, a/b]\n---\n#text" },
    { "docs/a.md": ["one ×1", "Two words ×1", "a/b ×1"] },
  ],
  [
    "Astro Starlight",
    { "astro.config.mjs": "" },
    { "src/content/docs/a.md": "---\ntags: one\n---\n#text" },
    { "src/content/docs/a.md": ["one ×1"] },
  ],
  [
    "mdBook",
    { "book.toml": "" },
    { "src/a.md": "---\ntags: one, two\n---\n#text" },
    { "src/a.md": ["one ×1", "two ×1"] },
  ],
  [
    "VitePress",
    { ".vitepress/config.ts": "" },
    { "a.md": "---\ntags: [one]\n---\n#text" },
    { "a.md": ["one ×1"] },
  ],
  ["plain Markdown", {}, { "a.md": "---\ntag: one\n---\n#text" }, { "a.md": ["one ×1"] }],
] as const) {
  test(`SRC-4: the tags of ${tool}`, async (t) => {
    const { opened } = await open(t, { ...settings, ...files } as Files);
    assert.deepEqual(tagsIn(opened.current()), expected);
    assert.ok(
      opened
        .current()
        .tags()
        .all.every(({ parent }) => parent === null),
    );
  });
}

test("SRC-4: a tag keeps its id while pages are edited and renamed, and two folders have different ids", async (t) => {
  const files = { ".obsidian/app.json": "{}", "a.md": "#Tag #other", "b.md": "#tag" };
  const { directory, opened } = await open(t, { ...files, "_workspace.yml": "name: one" });
  const idsIn = (workspace: Workspace) =>
    Object.fromEntries(workspace.tags().all.map(({ id, name }) => [name.toLowerCase(), id]));
  const before = idsIn(opened.current());
  await rename(path.join(directory, "a.md"), path.join(directory, "z.md"));
  const renamed = await opened.reload();
  assert.deepEqual(idsIn(renamed), before);
  assert.deepEqual(allIn(renamed), ["tag", "other"], "the first spelling is that of the first page");
  assert.deepEqual(idsIn((await openWorkspace(directory)).current()), before);
  const { opened: second } = await open(t, { ...files, "_workspace.yml": "name: two" });
  assert.notEqual(idsIn(second.current()).tag, before.tag);
});

test("SRC-4: once tags were requested, a scan names those that come, go or change, and the pages that have others", async (t) => {
  const { directory, opened } = await open(t, { "a.md": "#Tag", "b.md": "#kept", "c.md": "no link" });
  await opened.ready();
  const reports: string[][] = [];
  const workspace = () => opened.current();
  let known = new Map<string, string>();
  opened.subscribe((changed) =>
    reports.push(
      changed.map(({ of, id }) => `${of} ${known.get(id) ?? workspace().entry(id)?.path ?? id}`).sort(),
    ),
  );
  await writeFile(path.join(directory, "c.md"), "edited");
  await opened.reload();
  assert.deepEqual(reports.pop(), ["page c.md"], "no tags were requested");
  workspace().tags();
  // A folder with links between notes is read as a vault, and its inline tags count.
  await writeFiles(directory, { "c.md": "[[a]]" });
  const after = await opened.reload();
  assert.deepEqual(reports.pop()?.slice(0, 3), ["page a.md", "page b.md", "page c.md"]);
  known = new Map(after.tags().all.map(({ id, name }) => [id, name]));
  assert.deepEqual(
    new Set(
      opened
        .current()
        .tags()
        .all.map(({ name }) => name),
    ),
    new Set(["Tag", "kept"]),
  );
  await writeFiles(directory, { "a.md": "#tag" });
  await opened.reload();
  assert.deepEqual(reports.pop(), ["page a.md", "tag Tag"]);
  await writeFiles(directory, { "a.md": "none" });
  await opened.reload();
  assert.deepEqual(reports.pop(), ["page a.md", "tag Tag"]);
});
