import assert from "node:assert/strict";
import { test } from "node:test";
import { idOf } from "@clew/folder";
import { idsByTitle, readBothForms } from "../testing/references.ts";
import { serveFiles } from "../testing/serve-folder.ts";

const library = {
  "home.md": "---\ntitle: Home\n---\n",
  "docs/start.mdx": "---\ntitle: Start\naliases: [Begin here]\n---\n",
  "docs/guide/index.mdx": "---\ntitle: Guide\n---\n",
  "docs/guide/first steps.md": "---\ntitle: First Steps\n---\n",
  "docs/bare/leaf.md": "---\ntitle: Leaf\n---\n",
  "docs/Ünïcode.md": "---\ntitle: Unicode\n---\n",
  "docs/picture.png": "no page",
  "rows/_database.yml": "title: Rows",
  "rows/row.md": "---\ntitle: Row\n---\n",
};

const leadTo: readonly [written: string, title: string, kind: "link" | "mention"][] = [
  ["[a](./start.mdx)", "Start", "link"],
  ["[a](start.mdx)", "Start", "link"],
  ["[a](start)", "Start", "link"],
  ["[a](start.md)", "Start", "link"],
  ["[a](START)", "Start", "link"],
  ["[a](start#part)", "Start", "link"],
  ["[a](start?x=1#part)", "Start", "link"],
  ["[a](./guide)", "Guide", "link"],
  ["[a](./guide/)", "Guide", "link"],
  ["[a](guide/index)", "Guide", "link"],
  ["[a](guide/index.mdx#part)", "Guide", "link"],
  ["[a](guide/first%20steps.md)", "First Steps", "link"],
  ["[a](<guide/first steps.md>)", "First Steps", "link"],
  ["[a](%C3%9Cn%C3%AFcode.md)", "Unicode", "link"],
  ["[a](U\u0308ni\u0308code.md)", "Unicode", "link"],
  ["[a](bare)", "bare", "link"],
  ["[a](../home.md)", "Home", "link"],
  ["[a](/docs/start)", "Start", "link"],
  ["[a](/start)", "Start", "link"],
  ["[a](/guide/first%20steps)", "First Steps", "link"],
  ["[a](/home)", "Home", "link"],
  ["[a](../rows)", "Rows", "link"],
  ["[a][ref]\n\n[ref]: ./start.mdx 'Title'", "Start", "link"],
  ["[ref]\n\n[ref]: start", "Start", "link"],
  ["![pic](https://x.example/p.png) and [![alt](p.png)](start)", "Start", "link"],
  ['<a href="/docs/start">a</a>', "Start", "link"],
  ['<Card title="T" href="/start">\n  text\n</Card>', "Start", "link"],
  ['<Card\n  title="T"\n  href="/start"\n>\n  text\n</Card>', "Start", "link"],
  ["<Card href={'/start'}>text</Card>", "Start", "link"],
  ["<Note>\n  see [a](start)\n</Note>", "Start", "link"],
  ["<Steps>\n<Step title='x'>\n- [a](start)\n</Step>\n</Steps>", "Start", "link"],
  ["<div><p>see <a href='start'>a</a></p></div>", "Start", "link"],
  ["| a |\n| - |\n| [a](start) |", "Start", "link"],
  ["> - **[a](start)**", "Start", "link"],
  ["text[^1]\n\n[^1]: see [a](start)", "Start", "link"],
  ["# [a](start)", "Start", "link"],
  ["[`a` b **c**](start)", "Start", "link"],
  ["[[Start]]", "Start", "mention"],
  ["[[start]]", "Start", "mention"],
  ["[[Start#Part]]", "Start", "mention"],
  ["[[Start#^block]]", "Start", "mention"],
  ["[[Start|begin here]]", "Start", "mention"],
  ["[[docs/start|begin here]]", "Start", "mention"],
  ["[[guide/first steps]]", "First Steps", "mention"],
  ["[[First Steps]]", "First Steps", "mention"],
  ["[[first steps.md]]", "First Steps", "mention"],
  ["![[Leaf]]", "Leaf", "mention"],
  ["[[first STEPS]]", "First Steps", "mention"],
  ["[[ünïcode]]", "Unicode", "mention"],
  ["[[Rows]]", "Rows", "mention"],
  ["[[Row]]", "Row", "mention"],
  ["| a |\n| - |\n| [[Leaf\\|x]] |", "Leaf", "mention"],
  // By file name and alias, where no path and no title fits.
  ["[a](leaf.md)", "Leaf", "link"],
  ["[a](Leaf)", "Leaf", "link"],
  ["[a](first%20steps.md)", "First Steps", "link"],
  ["[[Begin Here]]", "Start", "mention"],
  ["[[begin here|x]]", "Start", "mention"],
  ["[[/docs/start]]", "Start", "mention"],
  ["[[./guide/first steps]]", "First Steps", "mention"],
  ["[[../home]]", "Home", "mention"],
  // As Hugo writes them.
  ['[a]({{< relref "start.mdx" >}})', "Start", "link"],
  ['[a]({{% ref "/docs/guide/first steps.md" %}})', "First Steps", "link"],
  ['[a]({{< ref "leaf#part" >}})', "Leaf", "link"],
  ["[ref]\n\n[ref]: {{< relref path='start' >}}", "Start", "link"],
  ['<a href="{{< relref "leaf" >}}">a</a>', "Leaf", "link"],
  ["[a](../start/)", "Start", "link"],
  ["[a](../guide/first%20steps/)", "First Steps", "link"],
];

test("each form of link refers to its page, both in blocks and in Markdown", async (t) => {
  const pages = leadTo.map(([written], index) => [
    `docs/link-${index}.mdx`,
    `---\ntitle: P${index}\n---\n${written}\n`,
  ]);
  const { signIn, standIn } = await serveFiles(t, { ...library, ...Object.fromEntries(pages) });
  const { notion } = await signIn();
  const ids = await idsByTitle(notion);
  for (const [index, [written, title, kind]] of leadTo.entries()) {
    const { fromBlocks, fromMarkdown } = await readBothForms(notion, ids.get(`P${index}`) ?? "");
    assert.deepEqual(fromBlocks, [`${kind} ${ids.get(title)}`], written);
    assert.deepEqual(fromMarkdown, fromBlocks, written);
  }
  assert.deepEqual(standIn.workspace().unresolvedLinks(), []);
});

const leadNowhere: readonly [written: string, target: string, reason: string, page: string, form: string][] =
  [
    ["[a](./nothing.md)", "./nothing.md", "missing", "docs/nothing.md", "link"],
    ["[a](nothing)", "nothing", "missing", "docs/nothing.md", "link"],
    ["[a](../a/nothing/)", "../a/nothing/", "missing", "a/nothing", "link"],
    ["[a](/nothing/here)", "/nothing/here", "missing", "nothing/here.md", "link"],
    ["[a](../../outside.md)", "../../outside.md", "outside", "../outside.md", "link"],
    ["[a](%E0%A4%A.md)", "%E0%A4%A.md", "malformed", "docs/%E0%A4%A.md", "link"],
    ["[a](lost.pdf)", "lost.pdf", "missing", "docs/lost.pdf.md", "link"],
    ["[[Nobody]]", "[[Nobody]]", "missing", "Nobody.md", "mention"],
    ["[[Nobody#Part|x]]", "[[Nobody#Part|x]]", "missing", "Nobody.md", "mention"],
    ["![[gone.png|300]]", "[[gone.png|300]]", "missing", "gone.png.md", "mention"],
    ["![[deep/Nobody.md]]", "[[deep/Nobody.md]]", "missing", "deep/Nobody.md", "mention"],
    ["[[./Nobody]]", "[[./Nobody]]", "missing", "docs/Nobody.md", "mention"],
  ];

test("SYNC-10: an unresolved link has the id that its target would have, and is reported", async (t) => {
  const pages = leadNowhere.map(([written], index) => [`docs/p${index}.md`, written]);
  const { standIn, signIn } = await serveFiles(t, { ...library, ...Object.fromEntries(pages) });
  const { notion } = await signIn();
  const ids = await idsByTitle(notion);
  const reported = leadNowhere.map(([, target, reason], index) => [`docs/p${index}.md`, target, reason]);
  const unresolved = standIn.workspace().unresolvedLinks();
  assert.deepEqual(
    unresolved.map(({ path, target, reason }) => [path, target, reason]).sort(),
    reported.sort(),
  );
  for (const [index, [written, , , page, form]] of leadNowhere.entries()) {
    const { fromBlocks, fromMarkdown } = await readBothForms(notion, ids.get(`p${index}`) ?? "");
    assert.deepEqual(fromBlocks, [`${form} ${idOf("page", page)}`], written);
    assert.deepEqual(fromMarkdown, fromBlocks, written);
  }
});

test("an unresolved link keeps its text, separate from the text around it", async (t) => {
  const { signIn } = await serveFiles(t, {
    "page.md": "⏱[[2022-12-03]]20:33, [[Nobody|they]], [a](gone.md) ![[gone.png|300]]",
  });
  const { notion } = await signIn();
  const { markdown } = await readBothForms(notion, (await idsByTitle(notion)).get("page") ?? "");
  const address = (page: string) => `https://www.notion.so/${idOf("page", page).replaceAll("-", "")}`;
  const mention = (page: string, words: string) =>
    `<mention-page url="${address(page)}" alias="true">${words}</mention-page>`;
  assert.equal(
    markdown,
    `⏱${mention("2022-12-03.md", "2022-12-03")}20:33, ${mention("Nobody.md", "they")}, [a](${address("gone.md")}) ${mention("gone.png.md", "gone.png")}`,
  );
});

test("a link to a file that is not a page is not a reference, and keeps its brackets", async (t) => {
  const text =
    "![[scan.png|300]] [[docs/picture.png]] [a](picture.png) [b](../docs/) [c](scan.png) ![d](lost.png)";
  const { signIn, standIn } = await serveFiles(t, {
    "docs/picture.png": "",
    "art/scan.png": "",
    "docs/page.md": text,
  });
  const { notion } = await signIn();
  const found = await readBothForms(notion, (await idsByTitle(notion)).get("page") ?? "");
  assert.deepEqual(found.fromBlocks, [`link ${idOf("page", "docs")}`]);
  assert.match(found.markdown, /^\\\[\\\[scan\.png\\\|300\\\]\\\] /);
  assert.deepEqual(standIn.workspace().unresolvedLinks(), []);
});

test("links to other sites and links in code are not references", async (t) => {
  const text = [
    "[site](https://site.example/docs/start) [mail](mailto:a@b.example) [part](#part) [other](//host.example/start)",
    "<https://site.example>",
    "`[[Start]]` and `[a](start.mdx)`",
    "```md\n[[Start]] [a](start.mdx)\n```",
    "    [a](start.mdx) [[Start]]",
    "<pre>[a](start.mdx) <a href='start.mdx'>x</a></pre>",
    "\\[[Start]\\] \\[a](start.mdx)",
    "<!-- [a](start.mdx) -->",
  ];
  const { signIn, standIn } = await serveFiles(t, { ...library, "docs/page.md": text.join("\n\n") });
  const { notion } = await signIn();
  const { fromBlocks, fromMarkdown, markdown } = await readBothForms(
    notion,
    (await idsByTitle(notion)).get("page") ?? "",
  );
  assert.deepEqual([fromBlocks, fromMarkdown], [[], []]);
  assert.match(markdown, /\[site\]\(https:\/\/site\.example\/docs\/start\)/);
  assert.deepEqual(standIn.workspace().unresolvedLinks(), []);
});

test("among notes with one name a wiki link means the exact path, then the same folder, then the shortest path", async (t) => {
  const note = (title: string, text = "") => `---\ntitle: ${title}\n---\n${text}`;
  const cases: readonly [from: string, written: string, title: string][] = [
    ["b/one", "note", "Beside"],
    ["c/d/two", "note", "Near"],
    ["c/d/three", "down/note", "Far"],
    ["b/four", "top", "Top"],
    ["longer/five", "short", "Short"],
    ["c/six", "CASE", "Loud"],
    ["c/seven", "case", "Quiet"],
    ["c/eight", "moss", "Note of moss"],
    ["c/nine", "fern", "Folder of fern"],
    ["c/ten", "oak", "Note of oak"],
    ["c/eleven", "Nick", "Bare"],
    ["c/twelve", "index", "Index of c"],
  ];
  const { signIn } = await serveFiles(t, {
    "a/deep/down/note.md": note("Far"),
    "a/note.md": note("Near"),
    "b/note.md": note("Beside"),
    "b/top.md": note("Not the top"),
    "top.md": note("Top"),
    "x/y/short.md": note("Short"),
    "longest/short.md": note("Fewer folders"),
    "e/case.md": note("Quiet"),
    "e/CASE.md": note("Loud"),
    "moss/leaf.md": note("In moss"),
    "far/away/moss.md": note("Note of moss"),
    "fern/fern.md": note("Folder of fern"),
    "oak/index.md": note("Folder of oak"),
    "oak/oak.md": note("Note of oak"),
    "Nick/leaf.md": note("In Nick"),
    "far/bare.md": "---\ntitle: Bare\naliases: nick\n---\n",
    "c/index.md": note("Index of c"),
    ...Object.fromEntries(cases.map(([from, written]) => [`${from}.md`, note(from, `[[${written}]]`)])),
  });
  const { notion } = await signIn();
  const ids = await idsByTitle(notion);
  for (const [from, written, title] of cases) {
    const { fromBlocks } = await readBothForms(notion, ids.get(from) ?? "");
    assert.deepEqual(fromBlocks, [`mention ${ids.get(title)}`], `[[${written}]] in ${from}`);
  }
});

test("a Markdown link by a bare name is unresolved if several notes have this name", async (t) => {
  const { standIn } = await serveFiles(t, {
    "a/note.md": "",
    "b/Note.md": "",
    "page.md": "[x](note.md) [y](index.md)",
    "c/index.md": "",
  });
  assert.deepEqual(
    standIn
      .workspace()
      .unresolvedLinks()
      .map(({ target }) => target),
    ["note.md", "index.md"],
  );
});
