import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { readLinks, writtenLinks } from "./count-links.ts";

/** Writes files into a temporary folder that is removed after the test. */
async function folderOf(t: TestContext, files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "count-links-"));
  t.after(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

const targets = (source: string, dialect: "md" | "mdx" = "md") =>
  writtenLinks(source, dialect).map(({ kind, target }) => (kind === "wiki" ? `[[${target}]]` : target));

test("inline links: titles, angle brackets, parentheses, line breaks, escapes", () => {
  const cases: [string, string[]][] = [
    ["[a](b.md)", ["b.md"]],
    ["[a](b.md \"title\") [a](c.md 't') [a](d.md (t))", ["b.md", "c.md", "d.md"]],
    ["[a](<b c.md>)", ["b c.md"]],
    ["[a](b(c).md) and [a](b\\).md)", ["b(c).md", "b).md"]],
    ["[over two\nlines](b.md) [a](\n  c.md\n)", ["b.md", "c.md"]],
    ["[over a\n\nblank line](b.md)", []],
    ["[a \\] b](c.md) \\[no](d.md) [no\\](e.md)", ["c.md"]],
    ["[outer [inner] text](b.md)", ["b.md"]],
    ["[a [link](b.md) within](c.md)", ["b.md"]],
    ["[a] (b.md) [a](b c.md)", []],
    ["![picture](b.png) [![picture](b.png)](c.md)", ["c.md"]],
    ["![picture of [a](b.md)](c.png)", []],
    ["*[a](b.md)* ~~[a](c.md)~~ <https://example.org> https://example.org", ["b.md", "c.md"]],
    ["[a](b.md?x=1&amp;y=2)", ["b.md?x=1&y=2"]],
    ["# [a](b.md)\n\nTitle [a](c.md)\n---\n", ["b.md", "c.md"]],
    ["- [ ] [a](b.md)\n- [x] done\n1. [a](c.md)\n2. [a](d.md)", ["b.md", "c.md", "d.md"]],
    ["> [a\n> b](c.md)\n> > [a](d.md)\nlazy [a](e.md)", ["c.md", "d.md", "e.md"]],
  ];
  for (const [source, expected] of cases) assert.deepEqual(targets(source), expected, source);
});

test("reference links: full, collapsed, shortcut, in any case, defined before or after", () => {
  const source = [
    "[a][One] [two][] [Three] [four][missing] [four]",
    "",
    "[one]: 1.md",
    '[TWO]: <2 x.md> "title"',
    "[three]:",
    "  3.md",
    "[one]: other.md",
  ].join("\n");
  assert.deepEqual(targets(source), ["1.md", "2 x.md", "3.md"]);
  assert.deepEqual(targets("[x]: a.md\n\n![x] ![picture][x] [text][x]"), ["a.md"]);
  assert.deepEqual(targets("a paragraph\n[x]: a.md\n\n[x]"), [], "a definition cannot interrupt a paragraph");
});

test("footnotes are no links, but their texts are read", () => {
  assert.deepEqual(targets("A[^1].\n\n[^1]: See [a](b.md).\n    And [a](c.md).\n"), ["b.md", "c.md"]);
});

test("code contains no links: fences, indented code, code spans", () => {
  const cases: [string, string[]][] = [
    ["```\n[a](b.md)\n```\n[a](c.md)", ["c.md"]],
    ["~~~md\n[a](b.md)\n```\n[a](b.md)\n~~~\n[a](c.md)", ["c.md"]],
    ["````\n```\n[a](b.md)\n```\n````\n[a](c.md)", ["c.md"]],
    ["- item\n\n  ```\n  [a](b.md)\n\n  [a](b.md)\n  ```\n\n  [a](c.md)", ["c.md"]],
    ["- ```\n  [a](b.md)\n  ```\n- [a](c.md)", ["c.md"]],
    ["- ```\n  [a](b.md)\n\nout of the item [a](c.md)", ["c.md"]],
    ["> ```\n> [a](b.md)\n> ```\n> [a](c.md)\n\n> ```\n[a](d.md)", ["c.md", "d.md"]],
    ["```\nnever closed\n[a](b.md)", []],
    ["text\n\n    [a](b.md)\n\n\t[a](b.md)\n\ntext\n    [a](c.md)", ["c.md"]],
    ["- item\n\n      [a](b.md)\n\n    [a](c.md)", ["c.md"]],
    ["`[a](b.md)` ``[a](`b`)`` [`code`](c.md) `open [a](d.md)", ["c.md", "d.md"]],
    ["\\`[a](b.md)\\` and `a\n[a](c.md)\n b`", ["b.md"]],
    ["``` [a](b.md) ```", []],
  ];
  for (const [source, expected] of cases) assert.deepEqual(targets(source), expected, source);
});

test("comments and front matter contain no links", () => {
  const comment = "<!-- [a](b.md)\n\n[a](b.md) -->\n\n[a](c.md) <!-- [a](b.md) --> [a](d.md)";
  assert.deepEqual(targets(comment), ["c.md", "d.md"]);
  const mdx = "{/* [a](b.md) */} [a](c.md)\n\n{/*\n\n[a](b.md)\n\n*/}\n\n[a](d.md)";
  assert.deepEqual(targets(mdx, "mdx"), ["c.md", "d.md"]);
  assert.deepEqual(targets("---\nsee: '[a](b.md)'\n---\n[a](c.md)\n\n---\n[a](d.md)\n"), ["c.md", "d.md"]);
  assert.deepEqual(targets("\uFEFF---\r\nx: '[[b]]'\r\n---\r\n[a](c.md)\r\n"), ["c.md"]);
});

test("tables: cells are separate, and escaped bars belong to the cell", () => {
  const table = [
    "| a `  | [a](b.md) |",
    "| --- | --- |",
    "| [[Title\\|alias]] | ` [a](c.md) |",
    "[a](d.md) | `x \\| [a](e.md)`",
    "",
    "[a](f.md)",
  ].join("\n");
  assert.deepEqual(targets(table), ["b.md", "[[Title|alias]]", "c.md", "d.md", "f.md"]);
});

test("HTML and JSX: href in quotes, braces or bare, over several lines", () => {
  const cases: [string, string[]][] = [
    [`<a href="b.md">x</a> <a class=x href='c.md'>x</a> <a href=d.md>x</a>`, ["b.md", "c.md", "d.md"]],
    [`<a title="a > b" href="b.md?x&amp;y">x</a>`, ["b.md?x&y"]],
    ['<a data-href="b.md">x</a> `<a href="c.md">` <a name="[a](d.md)">', []],
    ['<svg><use href="icons.svg"/></svg> a < b <link href="x.css">', []],
  ];
  for (const [source, expected] of cases) assert.deepEqual(targets(source), expected, source);
  const card =
    '<Card\n  icon={<Icon name="}" />}\n  href={"/b"}\n>\n  [a](c.md)\n</Card>\n<Card href={`/d`} {...rest} />';
  assert.deepEqual(targets(card, "mdx"), ["/b", "c.md", "/d"]);
  assert.deepEqual(
    targets("<Card href={path} /> <Card href={`/a/` + b} />", "mdx"),
    [],
    "computed addresses",
  );
});

test("an HTML block's Markdown is literal in Markdown and read in MDX", () => {
  const block = '<div>\n[a](b.md) <a href="c.md">x</a>\n\n[a](d.md)\n\n</div>';
  assert.deepEqual(targets(block), ["c.md", "d.md"]);
  assert.deepEqual(targets(block, "mdx"), ["b.md", "c.md", "d.md"]);
  assert.deepEqual(
    targets("<Note>\n      [a](b.md)\n</Note>", "mdx"),
    ["b.md"],
    "indentation is no code in MDX",
  );
  const pre = '<pre>\n[a](b.md)\n\n<a href="c.md">x</a>\n</pre>\n[a](d.md)';
  assert.deepEqual(targets(pre), ["c.md", "d.md"]);
});

test("wiki links and embeds", () => {
  assert.deepEqual(targets("[[A]] ![[B]] [[C|c]] [[1]](d.md) `[[E]]` \\[[F]] [[]]"), [
    "[[A]]",
    "[[B]]",
    "[[C|c]]",
    "d.md",
  ]);
});

test("each link has its line", () => {
  const source = "---\ntitle: x\n---\n\none\ntwo [a](b.md)\n\n| h |\n| - |\n| [a](c.md) |\n\n- x\n  [[D]]\n";
  assert.deepEqual(
    writtenLinks(source, "md").map(({ line }) => line),
    [6, 10, 13],
  );
});

test("addresses resolve with and without extension, to folders, against the root and its folders", async (t) => {
  const expected: [string, string][] = [
    ["guide/index.md", "docs/guide/index.md"],
    ["./guide", "docs/guide/index.md"],
    ["guide/", "docs/guide/index.md"],
    ["guide#part", "docs/guide/index.md"],
    ["guide?x=1", "docs/guide/index.md"],
    ["/docs/guide", "docs/guide/index.md"],
    ["/guide/", "docs/guide/index.md"],
    ["readme-folder", "docs/readme-folder/README.md"],
    ["bare/", "docs/bare"],
    ["bare/deep", "docs/bare/deep"],
    ["page", "docs/page.mdx"],
    ["page.md", "docs/page.mdx"],
    ["../docs/page.mdx", "docs/page.mdx"],
    ["both", "docs/both.md"],
    ["both/", "docs/both.md"],
    ["start.md#self", "docs/start.md"],
    ["%C3%A4.md", "docs/ä.md"],
    ["<with space>", "docs/with space.md"],
    ["/", "index.md"],
    ["/start", "docs/start.md"],
  ];
  const folder = await folderOf(t, {
    "another/start.md": "",
    "docs/start.md": expected.map(([address]) => `[x](${address})`).join("\n"),
    "docs/guide/index.md": "",
    "docs/readme-folder/README.md": "",
    "docs/bare/deep/leaf.md": "",
    "docs/page.mdx": "",
    "docs/both.md": "",
    "docs/both/leaf.md": "",
    "docs/ä.md": "",
    "docs/with space.md": "",
    "index.md": "[x](#here) [x](https://example.org/docs) [x](mailto:a@example.org) [x](//host/x) [x]()",
  });
  const { pages, links, unresolved } = await readLinks(folder);
  assert.equal(pages.length, 11);
  assert.deepEqual(unresolved, []);
  assert.deepEqual(
    links.map(({ raw, to }) => [raw, to]),
    expected.map(([address, to]) => [address.replace(/[<>]/g, ""), to]),
  );
  assert.deepEqual(links[3], {
    from: "docs/start.md",
    to: "docs/guide/index.md",
    raw: "guide#part",
    line: 4,
  });
});

test("wiki links resolve by file name or path, then by title and alias", async (t) => {
  const expected: [string, string][] = [
    ["The Title#Part|alias", "b.md"],
    ["b", "b.md"],
    ["H One", "c.md"],
    ["Rows", "rows"],
    ["sub/d", "sub/d.md"],
    ["sub", "sub"],
    ["Deh", "sub/d.md"],
    ["Eh", "guide/index.md"],
    ["guide", "guide/index.md"],
    ["same", "same.md"],
    ["./sub/same", "sub/same.md"],
    ["sub/SAME", "sub/same.md"],
    ["noted", "noted/noted.md"],
  ];
  const folder = await folderOf(t, {
    "a.md": `${expected.map(([inside]) => `[[${inside}]]`).join(" ")} [[#here]] [[None]] [[pic.png]]`,
    "b.md": '---\ntitle: "The Title" # comment\n---\n# Not this\n',
    "c.md": "# H One\n",
    "c2.md": "text\n\n# H One\n",
    "rows/_database.yml": "title: Rows\n",
    "rows/one.md": "",
    "sub/d.md": "---\ntitle: D\nalias: Deh\n---\n",
    "sub/same.md": "",
    "same.md": "",
    "guide/index.md": "---\naliases:\n  - Eh\n  - 'B'\n---\n",
    "noted/noted.md": "",
    "art/pic.png": "",
  });
  const { links, unresolved } = await readLinks(folder);
  assert.deepEqual(
    links.map(({ raw, to }) => [raw, to]),
    expected.map(([inside, to]) => [`[[${inside}]]`, to]),
  );
  assert.deepEqual(unresolved, [
    { from: "a.md", raw: "[[None]]", line: 1, reason: "no page of this name" },
    { from: "a.md", raw: "[[pic.png]]", line: 1, reason: "not a page (asset)" },
  ]);
});

test("addresses also resolve by a bare name, and against the address of the page", async (t) => {
  const folder = await folderOf(t, {
    "a/b.md": "[x](only) [x](Only.md) [x](twice) [x](../c/) [x](../c) [x](../../d/) [x](pic.png) [x](index)",
    "a/c.md": "",
    "d.md": "",
    "far/only.md": "",
    "far/twice.md": "",
    "far/away/twice.md": "",
    "far/pic.png": "",
    "far/_index.md": "",
  });
  const { links, unresolved } = await readLinks(folder);
  assert.deepEqual(
    links.map(({ to }) => to),
    ["far/only.md", "far/only.md", "a/c.md", "a/c.md", "d.md"],
  );
  assert.deepEqual(
    unresolved.map(({ raw, reason }) => [raw, reason]),
    [
      ["twice", "no such page"],
      ["pic.png", "not a page (asset)"],
      ["index", "no such page"],
    ],
  );
});

test("an unresolved link says why", async (t) => {
  const folder = await folderOf(t, {
    "in/a.md":
      "[x](none.md) [x](../../up.md) [x](pic.svg) [x](../data.json#x) [x](/none) [x](empty/) [x](%zz)",
    "in/empty/note.txt": "",
    "data.json": "{}",
    ".hidden/b.md": "[x](../in/a.md)",
  });
  const { pages, links, unresolved } = await readLinks(folder);
  assert.deepEqual([pages, links], [["in/a.md"], []]);
  assert.deepEqual(
    unresolved.map(({ raw, reason }) => [raw, reason]),
    [
      ["none.md", "no such page"],
      ["../../up.md", "outside the folder"],
      ["pic.svg", "no such page"],
      ["../data.json#x", "not a page (asset)"],
      ["/none", "no such page"],
      ["empty/", "not a page (asset)"],
      ["%zz", "not a valid address"],
    ],
  );
});

test("the command prints totals, or the list as JSON", async (t) => {
  const folder = await folderOf(t, { "a.md": "[x](b.md) [x](b.md) [x](c.md)", "b.md": "" });
  const script = path.join(import.meta.dirname, "count-links.ts");
  const run = promisify(execFile);
  const totals = (await run(process.execPath, [script, folder])).stdout;
  assert.match(
    totals,
    /^pages +2\nlinks to a page +2\ndistinct pairs of pages +1\nlinks to nowhere +1\n {2}no such page +1\n$/,
  );
  const list = JSON.parse((await run(process.execPath, [script, folder, "--json"])).stdout);
  assert.deepEqual(list, await readLinks(folder));
  await assert.rejects(run(process.execPath, [script]), { code: 2 });
});
