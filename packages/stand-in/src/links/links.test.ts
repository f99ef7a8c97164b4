import assert from "node:assert/strict";
import { test } from "node:test";
import { serveFiles } from "../testing/serve-folder.ts";
import { idsByTitle, readBothForms } from "../testing/threads.ts";

const library = {
  "home.md": "---\ntitle: Home\n---\n",
  "docs/start.mdx": "---\ntitle: Start\n---\n",
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
];

test("each form of link leads to its page, in blocks and in Markdown alike", async (t) => {
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

const leadNowhere: readonly [written: string, target: string, reason: string][] = [
  ["[a](./nothing.md)", "./nothing.md", "missing"],
  ["[a](/nothing/here)", "/nothing/here", "missing"],
  ["[a](picture.png)", "picture.png", "not_a_page"],
  ["[a](../../outside.md)", "../../outside.md", "outside"],
  ["[a](%E0%A4%A.md)", "%E0%A4%A.md", "malformed"],
  ["[[Nobody]]", "[[Nobody]]", "missing"],
];

test("a link that leads nowhere keeps its text and is reported with its reason", async (t) => {
  const pages = leadNowhere.map(([written], index) => [`docs/p${index}.md`, written]);
  const { standIn, signIn } = await serveFiles(t, { ...library, ...Object.fromEntries(pages) });
  const { notion } = await signIn();
  const ids = await idsByTitle(notion);
  const expected = leadNowhere.map(([, target, reason], index) => ({
    path: `docs/p${index}.md`,
    target,
    reason,
  }));
  assert.deepEqual(standIn.workspace().unresolvedLinks(), expected);
  const { markdown } = await readBothForms(notion, ids.get("P0") ?? "");
  assert.equal(markdown, "[a](./nothing.md)");
  const wiki = await readBothForms(notion, ids.get("P5") ?? "");
  assert.equal(wiki.markdown, "Nobody");
});

test("links elsewhere and links in code are no threads", async (t) => {
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
    (await idsByTitle(notion)).get("Page") ?? "",
  );
  assert.deepEqual([fromBlocks, fromMarkdown], [[], []]);
  assert.match(markdown, /\[site\]\(https:\/\/site\.example\/docs\/start\)/);
  assert.deepEqual(standIn.workspace().unresolvedLinks(), []);
});

test("of two pages with one name, a wiki link means the one in its folder, else the one nearest the top", async (t) => {
  const { signIn } = await serveFiles(t, {
    "a/deep/down/note.md": "---\ntitle: Far\n---\n",
    "a/note.md": "---\ntitle: Near\n---\n",
    "b/note.md": "---\ntitle: Beside\n---\n",
    "b/one.md": "---\ntitle: One\n---\n[[note]]",
    "c/d/two.md": "---\ntitle: Two\n---\n[[note]] [[down/note]]",
  });
  const { notion } = await signIn();
  const ids = await idsByTitle(notion);
  const threads = async (title: string) => (await readBothForms(notion, ids.get(title) ?? "")).fromBlocks;
  assert.deepEqual(await threads("One"), [`mention ${ids.get("Beside")}`]);
  assert.deepEqual(await threads("Two"), [`mention ${ids.get("Near")}`, `mention ${ids.get("Far")}`].sort());
});
