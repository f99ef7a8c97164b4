import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { PlacedBlock } from "../document/block.ts";
import type { Span } from "../document/span.ts";
import { enhancedMarkdown } from "../document/write-markdown.ts";
import { listedNode } from "../provider/listed-node.ts";
import { type Files, writeFolder } from "../testing/index.ts";
import { openWorkspace } from "../workspace/open.ts";
import type { Workspace } from "../workspace/workspace.ts";

async function open(t: TestContext, files: Files): Promise<Workspace> {
  return (await openWorkspace(await writeFolder(t, files))).current();
}

function pageAt(workspace: Workspace, file: string) {
  const page = workspace.entries.find((entry) => entry.file?.path === file);
  assert.ok(page, `there is no page of ${file}`);
  return page;
}

/** The targets of the links of a page, in order: files with the section, or `?` where there is no page. */
function targetsIn(workspace: Workspace, file: string): string[] {
  const page = pageAt(workspace, file);
  const found: string[] = [];
  const add = (id: string, section: string | null) => {
    const entry = workspace.entry(id);
    const place = entry === null ? "?" : (entry.file?.path ?? `${entry.path}/`);
    found.push(section === null ? place : `${place} > ${section}`);
  };
  const addSpans = (spans: readonly Span[]) => {
    for (const span of spans) {
      if (span.kind === "mention") add(span.id, span.section);
      else if (span.link?.kind === "entry") add(span.link.id, span.link.section);
    }
  };
  const visit = ({ block, children }: PlacedBlock) => {
    if ("text" in block) addSpans(block.text);
    for (const child of children) visit(child);
  };
  for (const { value } of workspace.properties(page)) if (value.type === "rich_text") addSpans(value.text);
  for (const placed of workspace.blocks(page)) visit(placed);
  return found;
}

function markdownOf(workspace: Workspace, file: string): string {
  const page = pageAt(workspace, file);
  const view = {
    addresses: { ofId: (id: string) => workspace.entry(id)?.path ?? "?", ofBlock: () => "" },
    entry: (id: string) => workspace.entry(id),
    titleOf: (id: string) => workspace.entry(id)?.title ?? "Untitled",
  };
  return enhancedMarkdown(page, workspace.blocks(page), view, Number.POSITIVE_INFINITY).markdown;
}

test("SRC-4: an Obsidian vault: names, aliases, embeds, headings and blocks", async (t) => {
  const workspace = await open(t, {
    ".obsidian/app.json": "{}",
    "people/Ada.md": "---\naliases: [Countess]\n---\n## Life\nborn ^birth\n## Work\n- engine ^engine-1\n",
    "Ada.md": "top",
    "notes.md": [
      "[[Ada]] [[people/ada]] [[Countess]] ![[people/Ada#Work]]",
      "[[people/Ada#^engine-1|the engine]] [[people/Ada#Life#Work]] [[people/Ada#Nothing]]",
      "[x](people/Ada.md#life) [[#Own]] [[Nobody]]",
      "> [!tip] Title\n> said",
    ].join("\n\n"),
  });
  assert.equal(workspace.report.dialect, "Obsidian");
  assert.deepEqual(targetsIn(workspace, "notes.md"), [
    ...["Ada.md", "people/Ada.md", "people/Ada.md", "people/Ada.md > Work"],
    ...["people/Ada.md > Work", "people/Ada.md > Work", "people/Ada.md > Nothing"],
    ...["people/Ada.md > Life", "?"],
  ]);
  const markdown = markdownOf(workspace, "notes.md");
  assert.match(markdown, /url="people\/Ada\.md#Work" alias="true">people\/Ada \\> Work</);
  assert.match(markdown, /url="people\/Ada\.md#Work" alias="true">the engine</);
  assert.match(markdown, /<callout icon="💡">\n\tTitle\n\tsaid\n<\/callout>/);
  assert.doesNotMatch(markdownOf(workspace, "people/Ada.md"), /\^/);
});

test("SRC-4: a Markdown link of Obsidian names a note in the whole vault, from any folder", async (t) => {
  const notes = {
    "Sub/My Note.md": "## Part",
    "Other/Sub/My Note.md": "",
    "Other/Only.md": "",
    "Near.md": "",
    "Other/Near.md": "",
    "Sub/Near.md": "",
    "deep/far/Leaf.md": "",
  };
  const text = [
    "[vault](Sub/My%20Note.md) [heading](Sub/My%20Note.md#Part) [bare](Sub/My%20Note) [name](My%20Note.md)",
    "[exact](Near.md) [beside](./Near.md) [above](../Sub/Near.md) [root](/Sub/Near.md)",
    "[end](far/Leaf.md) [case](FAR/leaf.md) [none](Sub/Only.md) [folder](../deep/far/) [malformed](100%25%.md)",
  ].join("\n\n");
  const files = { ...notes, "Other/links.md": text };
  const place = "Other/links.md";
  const vault = await open(t, { ...files, ".obsidian/app.json": "{}" });
  assert.deepEqual(targetsIn(vault, place), [
    ...["Sub/My Note.md", "Sub/My Note.md > Part", "Sub/My Note.md", "Sub/My Note.md"],
    ...["Near.md", "Other/Near.md", "Sub/Near.md", "Sub/Near.md"],
    ...["deep/far/Leaf.md", "deep/far/Leaf.md", "?", "deep/far/", "?"],
  ]);
  const plain = await open(t, { ...files, "_workspace.yml": "dialect: plain" });
  assert.deepEqual(targetsIn(plain, place), [
    ...["Other/Sub/My Note.md", "Other/Sub/My Note.md > Part", "Other/Sub/My Note.md", "?"],
    ...["Other/Near.md", "Other/Near.md", "Sub/Near.md", "Sub/Near.md"],
    ...["?", "?", "?", "deep/far/", "?"],
  ]);
});

/** The pages that the facts of a page mention or link to, without its text. */
function factsOf(workspace: Workspace, file: string): string[] {
  const { references } = listedNode(pageAt(workspace, file), workspace, null);
  return references.map(({ targetId, name }) => `${workspace.entry(targetId)?.path} ${name ?? ""}`.trim());
}

test("SRC-4: comments of an Obsidian vault are hidden, but their links and tags count", async (t) => {
  const secret = "%% quokka [[b|a secret]] #hidden [x](c.md) ![[d]] `[[e]]` %%";
  const notes = { "b.md": "", "c.md": "", "d.md": "", "e.md": "" };
  const files = {
    ...notes,
    "a.md": `%% draft %%\n# A name %% not said %%\n\nShown ${secret} too.\n\n%%\n## Nobody\n[[e]]\n`,
  };
  const vault = await open(t, { ...files, ".obsidian/app.json": "{}" });
  const { title } = pageAt(vault, "a.md");
  assert.equal(title, "A name");
  assert.equal(markdownOf(vault, "a.md").replace(/\s+/g, " ").trim(), "Shown too.");
  assert.deepEqual(factsOf(vault, "a.md"), ["b.md", "c.md", "d.md", "e.md"]);
  assert.deepEqual(
    vault.tags().all.map(({ name }) => name),
    ["hidden"],
  );
  assert.equal(vault.leadsTo(pageAt(vault, "a.md")).includes(pageAt(vault, "e.md").id), true);
  const plain = await open(t, { ...files, "_workspace.yml": "dialect: plain" });
  assert.match(markdownOf(plain, "a.md"), /quokka/);
  assert.deepEqual(factsOf(plain, "a.md"), []);
});

test("SRC-4: an Excalidraw drawing has its file's title, its words and its links, and not its data", async (t) => {
  const data =
    "N4KAkARALgngDgUwgLgAQQQDwMYEMA2AlgCYBOuA7hADTgQBuCpAzoQPYB2KqATLZMzYBXUtiRoIACyhQ4zZAHoFAc0JRJQgEYA6bGwC2CgF7N6hbEcK4OCtptbErHALRY8RMpWdx8Q1TdIEfARcZgRmBShcZQUebR44gAYaOiCEfQQOKGZuAG1wMFAwYogSbghEgHVNABYAeQBlAFkAZhTiyFhEcsDsKI5lYPaSzG5nGoBOAA5tFoBWOYA2FqnF";
  const notice =
    "==⚠  Switch to EXCALIDRAW VIEW in the MORE OPTIONS menu of this document. ⚠== You can decompress it.";
  const words = "Hello quokka\n    [[b]] ^Im5eSmaB\n\n# Loud ^a_b-c5aB\n\n";
  const parts = `## Element Links\nQvpqGF5x: [[c]]\n\n## Embedded Files\n8d900545e14af2da5796c4c05dcfb9554fee93b9: [[d]]\n\n`;
  const drawings = {
    // As the plug-in writes them now, with a note on the back, in one comment, and long ago.
    "Now.excalidraw.md": `---\nexcalidraw-plugin: parsed\n---\n${notice}\n\n# Back\n[[e]]\n\n%%\nnever\n%%\n# Excalidraw Data\n\n## Text Elements\n${words}${parts}%%\n## Drawing\n\`\`\`compressed-json\n${data}\n\n${data}\n\`\`\`\n%%`,
    "Wrapped.md": `---\nexcalidraw-plugin: parsed\n---\n${notice}\n\n# Back\n[[e]]\n\n%%\n# Excalidraw Data\n\n## Text Elements\n${words}${parts}## Drawing\n\`\`\`json\n{"text":"${data}"}\n\`\`\`\n%%`,
    "Old.excalidraw.md": `${notice}\n\n# Back\n[[e]]\n# Text Elements\n${words}${parts}%%\n# Drawing\n{"text":"${data}"}\n%%`,
  };
  const bare = {
    "Raw.md": `---\nexcalidraw-plugin: raw\n---\n${notice}\n\n## Drawing\n\`\`\`compressed-json\n${data}\n\`\`\`\n%%`,
    "Named.md": `---\nexcalidraw-plugin: raw\ntitle: Given\n---\n# Text Elements\n%%\n# Drawing\n\`\`\`json\n{}\n\`\`\`\n%%`,
  };
  const notes = { "b.md": "", "c.md": "", "d.md": "", "e.md": "" };
  for (const tool of [{ ".obsidian/app.json": "{}" }, { "_workspace.yml": "dialect: plain" }]) {
    const workspace = await open(t, { ...notes, ...drawings, ...bare, ...tool });
    for (const file of Object.keys(drawings)) {
      assert.equal(pageAt(workspace, file).title, file.replace(/\.md$/, ""));
      const markdown = markdownOf(workspace, file);
      assert.match(markdown, /Hello quokka/);
      assert.match(markdown, /Loud/);
      assert.doesNotMatch(
        markdown,
        /N4KA|EXCALIDRAW|Excalidraw Data|Element|Embedded|Drawing|Im5eSmaB|a_b|QvpqGF5x|8d90/,
      );
      if (".obsidian/app.json" in tool) assert.doesNotMatch(markdown, /never|%%/);
      assert.deepEqual(targetsIn(workspace, file), ["e.md", "b.md", "c.md", "d.md"], file);
    }
    for (const [file, title] of [
      ["Raw.md", "Raw"],
      ["Named.md", "Given"],
    ] as const) {
      assert.equal(pageAt(workspace, file).title, title);
      assert.equal(markdownOf(workspace, file).trim(), "");
    }
  }
});

test("SRC-4: signs of HTML in a `[[name]]` are a part of the name", async (t) => {
  const text = [
    "[[What is <leader>fb?]] [[Vec<T> notes]] ![[Vec<T> notes|<b>it</b>]] <b>[[b]]</b>",
    "- one\n    - [[What is <leader>fb?]]",
    "`[[b]] <x>` [[b <b>]] [[b",
  ].join("\n\n");
  const notes = { "What is <leader>fb?.md": "", "Vec<T> notes.md": "", "b.md": "# Of [[Vec<T> notes]]<br>" };
  const named = ["What is <leader>fb?.md", "Vec<T> notes.md", "Vec<T> notes.md", "b.md"];
  const vault = await open(t, { ".obsidian/app.json": "", ...notes, "links.md": text });
  assert.deepEqual(targetsIn(vault, "links.md"), [...named, "What is <leader>fb?.md", "?"]);
  assert.match(markdownOf(vault, "links.md"), />\\<b\\>it\\<\/b\\></);
  assert.equal(pageAt(vault, "b.md").title, "Of Vec<T> notes");
  const pages = Object.fromEntries(Object.entries(notes).map(([name, body]) => [`pages/${name}`, body]));
  const graph = await open(t, {
    "logseq/config.edn": "{}",
    ...pages,
    "pages/links.md": `- ${text.split("\n", 1)[0]}`,
  });
  assert.deepEqual(
    targetsIn(graph, "pages/links.md"),
    named.map((name) => `pages/${name}`),
  );
});

test("SRC-4: links in a formula are none; a price, a name of a variable and an open sign are text", async (t) => {
  // In tables too.
  const links = async (text: string) => {
    const markdown = markdownOf(await open(t, { "b.md": "", "c.md": "", "a.md": text }), "a.md");
    return markdown.match(/(?<!\\)\]\([bc]\.md\)|<mention-page/g)?.length ?? 0;
  };
  const formulas = [
    "$[[b]]_\\rho$ and $\\left[x\\right](b.md)$",
    "- in a list\n    - $\\left[x\\right](b.md)$",
    "| a | b |\n|---|---|\n| $[x](b.md)$ | $[[b]]$ |",
    "# $[x](b.md)$",
    "$a \\$ [x](b.md)$",
    "$[x](b.md) <b>y</b>$.",
  ];
  for (const text of formulas) assert.equal(await links(text), 0, text);
  const prose: readonly (readonly [text: string, count: number])[] = [
    ["it costs $5 and [x](b.md) is $6", 1],
    ["[$a](b.md) and [$c](c.md)", 2],
    ["[US$5](b.md), [[c]] 6$", 2],
    ["| $5 | [x](b.md) | 6$ |\n|---|---|---|", 1],
    ["$ [x](b.md)$ and $[x](b.md) $", 2],
    ["\\$[x](b.md)$", 1],
    ["$[x](b.md)\n\n[x](c.md)$", 2],
    ["$a$ [x](b.md) $c$", 1],
    ["`$` [x](b.md) `$`", 1],
  ];
  for (const [text, count] of prose) assert.equal(await links(text), count, text);
});

const blockId = "61110543-a71f-458d-b42e-b78a4d22f0c0";

test("SRC-4: a Logseq graph: titles, aliases, namespaces, journals, blocks, tags and properties", async (t) => {
  const workspace = await open(t, {
    "logseq/config.edn": '{:hidden ["README.md"]}',
    "pages/term___block.md": `alias:: Blocks, a block\ntype:: [[Feature]]\ntags:: Feature, #[[two words]]\n\n- ## Usage\n\t- one [[features]]\n\t\t- deep [[Feature]]\n\t\t  id:: ${blockId}\n\t\t  second line\n`,
    "pages/feat.md": "title:: Feature\nalias:: features\n\n- text",
    "pages/two words.md": "- x",
    "pages/Why%3F.md": "- y",
    "journals/2026_01_31.md": "- TODO day\n- DONE over",
    "pages/links.md": [
      `- [[term/block]] [[A Block]] #Feature #[[two words]] [[why?]]`,
      `- ((${blockId})) [label](((${blockId}))) {{embed [[Feature]]}} [words]([[Feature]])`,
      "- [[Jan 31st, 2026]] [[pages]] [[Nobody]] `#Feature ((no))`",
    ].join("\n"),
  });
  assert.equal(workspace.report.dialect, "Logseq");
  const block = "pages/term___block.md";
  assert.deepEqual(targetsIn(workspace, "pages/links.md"), [
    ...[block, block, "pages/feat.md", "pages/two words.md", "pages/Why%3F.md"],
    ...[block, block, "pages/feat.md", "pages/feat.md"],
    ...["journals/2026_01_31.md", "?", "?"],
  ]);
  assert.deepEqual(
    targetsIn(workspace, block).filter((place) => place !== "pages/two words.md"),
    Array.from({ length: 4 }, () => "pages/feat.md"),
  );
  assert.equal(pageAt(workspace, block).title, "term/block");
  assert.deepEqual(pageAt(workspace, block).aliases, ["term___block", "Blocks", "a block"]);
  assert.equal(pageAt(workspace, "pages/Why%3F.md").title, "Why?");
  assert.equal(
    markdownOf(workspace, block),
    [
      "## Usage",
      '- one <mention-page url="pages/feat.md">Feature</mention-page>',
      '\t- deep <mention-page url="pages/feat.md">Feature</mention-page> second line',
    ].join("\n"),
  );
  assert.equal(markdownOf(workspace, "journals/2026_01_31.md"), "- [ ] day\n- [x] over");
  assert.match(
    markdownOf(workspace, "pages/links.md"),
    /alias="true">deep \\\[\\\[Feature\\\]\\\]<.*alias="true">label</,
  );
});

test("SRC-4: a Hugo site: sections, languages, slugs, aliases and references", async (t) => {
  const workspace = await open(t, {
    "hugo.toml":
      "baseURL = 'https://x.example/'\ndefaultContentLanguage = 'en'\n[languages.en]\n[languages.fr]\n",
    "content/en/_index.md": "",
    "content/en/docs/_index.md": "",
    "content/en/docs/start.md": "## Set up {#setup}\n",
    "content/en/docs/named.md": "---\nslug: other\naliases: [/old/place/]\n---\n",
    "content/fr/docs/start.md": "---\ntitle: Départ\n---\n",
    "content/fr/docs/bare/leaf.md": "",
    "content/en/docs/bare.md": "",
    "content/en/docs/links.md": [
      "[a](/docs/start/#setup) [a](../start/) [a](/fr/docs/start/) [a](/docs/other/) [a](/old/place/) [a](/docs/)",
      '[a]({{< relref "start" >}}) [a]({{% ref "/docs/named.md" %}}) [a](start.md) [a](/) [a](/docs/gone/)',
    ].join("\n\n"),
    "content/en/docs/deep/refs.md": [
      '[a]({{< ref "docs/named" >}}) [release][] [start][] [tagged](https://x.example/{{< param v >}})',
      '[release]: https://x.example/{{< param v >}}/all\n[start]: {{< relref "/docs/start" >}}',
    ].join("\n\n"),
    "content/fr/docs/links.md":
      "[a](/docs/start/) [a](/docs/other/) [a](../start/) [a](../other/) [a](/docs/bare/)",
  });
  assert.equal(workspace.report.dialect, "Hugo");
  const en = (name: string) => `content/en/docs/${name}.md`;
  assert.deepEqual(targetsIn(workspace, en("links")), [
    ...[`${en("start")} > Set up`, en("start"), "content/fr/docs/start.md", en("named"), en("named")],
    ...[en("_index"), en("start"), en("named"), en("start"), "content/en/_index.md", "?"],
  ]);
  assert.deepEqual(targetsIn(workspace, en("deep/refs")), [en("named"), en("start")]);
  assert.match(markdownOf(workspace, en("deep/refs")), /\[release\]\(https:.*\/all\).*\[tagged\]\(https:/);
  assert.deepEqual(targetsIn(workspace, "content/fr/docs/links.md"), [
    ...["content/fr/docs/start.md", en("named"), "content/fr/docs/start.md", "?", en("bare")],
  ]);
});

test("SRC-4: code in the shortcodes of a Hugo site is code, and its tables of TOML are no links", async (t) => {
  const workspace = await open(t, {
    "hugo.toml": "",
    "content/cascade.md": "",
    "content/links.md": [
      "{{< code-toggle config=build />}}\n\n[[cascade]]",
      "{{< code-toggle file=hugo >}}\n[[cascade]]\n  draft = true\n{{< /code-toggle >}}",
      "{{< highlight go >}}\n// [a](/cascade/)\n{{< /highlight >}}",
      "{{< note >}}\n[a](/cascade/)\n{{< /note >}}",
      "- in a list\n\n  {{< code-toggle >}}\n  [[cascade]]\n  {{< /code-toggle >}}",
      "{{< note >}}\n\n[[cascade]]",
    ].join("\n\n"),
  });
  // Only that in the words of a note, and those after shortcodes without content or end.
  assert.deepEqual(targetsIn(workspace, "content/links.md"), Array(3).fill("content/cascade.md"));
  assert.match(
    markdownOf(workspace, "content/links.md"),
    /\n```toml\n\[\[cascade\]\]\n {2}draft = true\n```\n```go\n\/\/ \[a\]\(\/cascade\/\)\n```\n/,
  );
});

test("SRC-4: a Docusaurus site: numbered prefixes, ids, slugs, posts, heading ids and admonitions", async (t) => {
  const workspace = await open(t, {
    "website/docusaurus.config.js": "module.exports = {};",
    "docs/01-intro.md": "## Why {#because}\n",
    "docs/02-guide/index.md": "",
    "docs/02-guide/2. deep.md": "---\nid: deeper\n---\n",
    "docs/slugged.md": "---\nslug: /elsewhere\n---\n",
    "website/blog/2026-03-22-news.md": "",
    "website/data/part.md": '<blockquote>\n  <p>\n    <a href="/docs/intro">x</a>\n  </p>\n</blockquote>\n',
    "docs/02-guide/links.md": [
      "[a](../01-intro.md#because) [a](/docs/intro) [a](./deeper) [a](/docs/guide/) [a](/docs/elsewhere) [a](/blog/2026/03/22/news)",
      ":::tip[Try] \n\n[a](../intro)\n\n:::\n\n[a](/docs/gone)",
    ].join("\n\n"),
  });
  assert.equal(workspace.report.dialect, "Docusaurus");
  assert.deepEqual(targetsIn(workspace, "docs/02-guide/links.md"), [
    ...["docs/01-intro.md > Why", "docs/01-intro.md", "docs/02-guide/2. deep.md", "docs/02-guide/index.md"],
    ...["docs/slugged.md", "website/blog/2026-03-22-news.md", "docs/01-intro.md", "?"],
  ]);
  assert.deepEqual(targetsIn(workspace, "website/data/part.md"), ["docs/01-intro.md"]);
  assert.match(markdownOf(workspace, "docs/02-guide/links.md"), /<callout icon="💡">\n\t\*\*Try\*\*/);
});

test("SRC-4: a Starlight site: a page that is not translated is that of the default language", async (t) => {
  const workspace = await open(t, {
    "astro.config.mjs": "starlight({ defaultLocale: 'en', locales: { en: {}, fr: {} } })",
    "src/content/docs/en/guides/start.mdx": "",
    "src/content/docs/en/guides/only english.md": "",
    "src/content/docs/fr/guides/start.mdx": "",
    "src/content/docs/fr/bare/leaf.md": "",
    "src/content/docs/en/named.md": "---\nslug: en/other\n---\n",
    "src/content/docs/fr/index.mdx":
      "---\nhero:\n  tagline: Bienvenue\n  actions:\n    - { text: Go, link: /fr/guides/start/ }\n---\n",
    "src/content/docs/fr/links.mdx":
      '[a](/fr/guides/start/) [a](/fr/guides/only-english/) [a](../guides/start/) [a](/en/other/)\n\n<LinkCard title="T" href="/fr/guides/only-english/" />\n\n[a](/fr/bare/)',
  });
  assert.equal(workspace.report.dialect, "Astro Starlight");
  const docs = (place: string) => `src/content/docs/${place}`;
  const english = docs("en/guides/only english.md");
  assert.deepEqual(targetsIn(workspace, docs("fr/links.mdx")), [
    ...[docs("fr/guides/start.mdx"), english, docs("fr/guides/start.mdx"), docs("en/named.md"), english, "?"],
  ]);
  assert.deepEqual(targetsIn(workspace, docs("fr/index.mdx")), [docs("fr/guides/start.mdx")]);
  assert.match(markdownOf(workspace, docs("fr/index.mdx")), /^Bienvenue$/m);
});

test("SRC-4: an mdBook: titles of the summary, pages made of README.md, includes", async (t) => {
  const workspace = await open(t, {
    "book.toml": "[book]\ntitle = 'B'\n",
    "src/SUMMARY.md": "- [The start](start.md)\n  - [Deep `one`](deep/README.md)\n",
    "src/start.md": "# Something else\n",
    "src/deep/README.md":
      "[a](../start.html#x) {{#include ../part.md}} \\{{#include no.md}} [a](../gone.html)",
    "src/part.md": "[a](deep/index.html) [a](deep/)\n\n```\n{{#include start.md}}\n```\n",
  });
  assert.equal(workspace.report.dialect, "mdBook");
  assert.equal(pageAt(workspace, "src/start.md").title, "The start");
  assert.equal(pageAt(workspace, "src/deep/README.md").title, "Deep one");
  assert.deepEqual(targetsIn(workspace, "src/deep/README.md"), ["src/start.md > x", "src/part.md", "?"]);
  assert.deepEqual(targetsIn(workspace, "src/part.md"), ["src/deep/README.md", "src/deep/README.md"]);
});

test("SRC-4: a VitePress site: the source folder, clean addresses, home pages and includes", async (t) => {
  const workspace = await open(t, {
    "docs/.vitepress/config.ts": 'export default { srcDir: "./pages" }',
    "docs/pages/index.md":
      "---\nhero: { name: Tool, actions: [{ text: Go, link: /guide/ }] }\nfeatures: [{ title: Fast, details: yes, link: /guide/api }]\n---\n",
    "docs/pages/guide/index.md":
      "[a](./api) [a](api.html#x) [a](/guide/api.md) [a](../) <!--@include: ./part.md-->",
    "docs/pages/guide/api.md": "::: details More\n[a](/guide/)\n:::\n",
    "docs/pages/guide/part.md": "[a](/docs/pages/guide/api)",
  });
  assert.equal(workspace.report.dialect, "VitePress");
  const api = "docs/pages/guide/api.md";
  const home = "docs/pages/index.md";
  assert.deepEqual(targetsIn(workspace, home), ["docs/pages/guide/index.md", api]);
  assert.deepEqual(targetsIn(workspace, "docs/pages/guide/index.md"), [
    ...[api, `${api} > x`, api, home, "docs/pages/guide/part.md"],
  ]);
  assert.match(markdownOf(workspace, api), /<details>\n<summary>More<\/summary>/);
});

test("SRC-4: the tool is known by the form of files too, and a setting fixes it", async (t) => {
  const cases: readonly (readonly [dialect: string, files: Files])[] = [
    ["plain Markdown", { "a.md": "[b](b.md)", "b.md": "" }],
    ["Obsidian", { "a.md": "[[b]]", "b.md": "" }],
    ["plain Markdown", { "a.md": "```nu\n[[b]; [1]]\n[[b]]\n```\n", "b.md": "" }],
    ["Obsidian", { "a.md": "[[b]]", "docs/_index.md": "" }],
    ["Hugo", { "docs/_index.md": "", "docs/b.md": "[[ -f x ]]" }],
    ["Hugo", { ".obsidian/app.json": "", "hugo.toml": "", "content/a.md": "[[b]]" }],
    ["Logseq", { "pages/a.md": "", "journals/2026_01_31.md": "" }],
    ["mdBook", { "src/SUMMARY.md": "", "src/a.md": "" }],
    ["plain Markdown", { "_workspace.yml": "dialect: plain", "a.md": "[[b]]" }],
    ["Logseq", { "_workspace.yml": "dialect: logseq", ".obsidian/app.json": "", "a.md": "" }],
  ];
  for (const [dialect, files] of cases)
    assert.equal((await open(t, files)).report.dialect, dialect, JSON.stringify(files));
  const { report } = await open(t, { "_workspace.yml": "dialect: word", "a.md": "[[b]]" });
  assert.equal(report.dialect, "Obsidian");
  assert.match(report.named[0]?.message ?? "", /^ignored the dialect, which is none of obsidian, logseq/);
});

test("SRC-2: the report counts what is not read by ending, and names files that are left out or garbled", async (t) => {
  const { report } = await open(t, {
    "a.md": "a",
    "garbled.md": new Uint8Array([0x61, 0xff]),
    "large.md": new Uint8Array(5 * 1024 * 1024 + 1),
    "broken.md": "---\na: [\n---\n",
    "one.canvas": "",
    "two.canvas": "",
    "x.png": "",
  });
  assert.deepEqual(report.unread, [
    { type: ".canvas", count: 2 },
    { type: ".png", count: 1 },
  ]);
  assert.deepEqual(report.named.map(({ path }) => path).sort(), ["broken.md", "garbled.md", "large.md"]);
});

test("SRC-4: a folder of a day has the day as its title", async (t) => {
  const workspace = await open(t, { "blog/2026/03/22/a.md": "", "blog/03/b.md": "" });
  const titles = workspace.entries.filter(({ file }) => file === null).map(({ title }) => title);
  assert.deepEqual(titles, ["blog", "03", "2026", "2026-03", "2026-03-22"]);
});
