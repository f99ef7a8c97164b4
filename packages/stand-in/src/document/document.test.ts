import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { idsByTitle, readBothForms } from "../testing/references.ts";
import { serveFiles } from "../testing/serve-folder.ts";

/** A page with this text, as Markdown and as blocks. */
async function read(t: TestContext, text: string | Uint8Array, ending = "md") {
  const { signIn } = await serveFiles(t, { [`page.${ending}`]: text, "other.md": "# Other" });
  const { notion } = await signIn();
  const [id = ""] = [...(await idsByTitle(notion))]
    .filter(([title]) => title !== "Other")
    .map(([, one]) => one);
  return { id, notion, ...(await readBothForms(notion, id)) };
}

const everything = `
Text with **bold**, *italic*, ~~gone~~, \`code\`, <u>under</u>, ***both***, H<sub>2</sub>O and a [site](https://s.example/a_(b)).
Second line\\
broken line

## Two
### Three
##### Five

- one
  - one below
    1. first
    2. second
- [ ] open
- [x] done

7. seven
8. eight

> quoted
>
> more

> [!WARNING]
> careful

\`\`\`ts
const a = "[[Other]]";
\`\`\`

$$
x^2
$$

---

| A | B |
| - | - |
| 1 \\| 2 | [[Other]] |

![a picture](https://s.example/p.png)

<details>
<summary>More</summary>

inside

</details>

\\* \\_ $ [ ] { } ^ | ~ \\\\ 1 < 2
`;

test("the Markdown is the provider's dialect: one line per block, children one tab deeper, text escaped, code literal", async (t) => {
  const { markdown } = await read(t, everything);
  assert.deepEqual(markdown.split("\n"), [
    'Text with **bold**, *italic*, ~~gone~~, `code`, <span underline="true">under</span>, ***both***, H2O and a [site](https://s.example/a_%28b%29). Second line<br>broken line',
    "## Two",
    "### Three",
    "#### Five",
    "- one",
    "\t- one below",
    "\t\t1. first",
    "\t\t2. second",
    "- [ ] open",
    "- [x] done",
    "7. seven",
    "8. eight",
    "> quoted",
    "\tmore",
    '<callout icon="⚠️">',
    "\tcareful",
    "</callout>",
    "```typescript",
    'const a = "[[Other]]";',
    "```",
    "$$",
    "x^2",
    "$$",
    "---",
    '<table header-row="true">',
    "<tr>",
    "<td>A</td>",
    "<td>B</td>",
    "</tr>",
    "<tr>",
    "<td>1 \\| 2</td>",
    markdown.split("\n").find((line) => line.includes("mention-page")),
    "</tr>",
    "</table>",
    "![a picture](https://s.example/p.png)",
    "<details>",
    "<summary>More</summary>",
    "\tinside",
    "</details>",
    "\\* \\_ \\$ \\[ \\] \\{ \\} \\^ \\| \\~ \\\\ 1 \\< 2".replace("\\_", "_"),
  ]);
});

test("the blocks have the provider's types and name their parents", async (t) => {
  const { blocks, notion, id } = await read(t, everything);
  assert.deepEqual(
    blocks.map(({ type }) => type),
    [
      "paragraph",
      "heading_2",
      "heading_3",
      "heading_4",
      "bulleted_list_item",
      "bulleted_list_item",
      "numbered_list_item",
      "numbered_list_item",
      "to_do",
      "to_do",
      "numbered_list_item",
      "numbered_list_item",
      "quote",
      "paragraph",
      "callout",
      "code",
      "equation",
      "divider",
      "table",
      "table_row",
      "table_row",
      "image",
      "toggle",
      "paragraph",
      "paragraph",
    ],
  );
  const [, , , , item, below] = blocks;
  assert.deepEqual(item?.parent, { type: "page_id", page_id: id });
  assert.deepEqual(below?.parent, { type: "block_id", block_id: item?.id });
  assert.deepEqual(
    await notion.blocks.retrieve({ block_id: below?.id ?? "" }).then(({ id: same }) => same),
    below?.id,
  );
});

test("components of documentation sites keep their text and links", async (t) => {
  const { markdown } = await read(
    t,
    `import { X } from "./x.js";
export const Yes = () => (
  <Icon icon="check" />
);

{/* a note */}

<CardGroup cols={2} data={{ a: [1, 2] }}>
  <Card title="First" icon="server" href="./other">
    Text with **bold** in it
  </Card>

<Card
  title="Second"
  href="https://s.example"
>
  - a list
</Card>
</CardGroup>

<Note>Short [note](other).</Note>

<Steps>
  <Step title="Do this">
    \`\`\`bash
    run
    \`\`\`
  </Step>
</Steps>

| Works |
| ----- |
| <Yes /> |

A Vec<String> and <your-name> stay, {value} too. <Badge color="green">New</Badge>
`,
    "mdx",
  );
  assert.deepEqual(markdown.replace(/https:\/\/www\.notion\.so\/[0-9a-f]{32}/g, "OTHER").split("\n"), [
    "[**First**](OTHER)",
    "Text with **bold** in it",
    "[**Second**](https://s.example)",
    "- a list",
    '<callout icon="📝">',
    "\tShort [note](OTHER).",
    "</callout>",
    "1. **Do this**",
    "\t```bash",
    "\trun",
    "\t```",
    '<table header-row="true">',
    "<tr>",
    "<td>Works</td>",
    "</tr>",
    "<tr>",
    "<td>Yes</td>",
    "</tr>",
    "</table>",
    "A Vec\\<String\\> and \\<your-name\\> stay, \\{value\\} too. New",
  ]);
});

test("SRC-2: HTML is read however it is indented, and a table keeps what is outside of its cells", async (t) => {
  const text = [
    "<table>\n  <caption>Planets</caption>\n  <tr>\n    <th>Name</th>\n    <th>Is</th>\n  </tr>",
    '  <tr>\n    <td>\n      Jupiter\n    </td>\n    <td>Large.\n<p>\nSee <a\nhref="other.md">another\nplanet</a>.</td>\n  </tr>\n</table>',
    "\n<div>\n\t<ul>\n\t\t<li>in tabs</li>\n\t</ul>\n</div>",
    "\n- <table>\n    <tr>\n      <td>in a list</td>\n    </tr>\n  </table>",
    "\nAfter it\n\n    <td>is code</td>",
  ].join("\n");
  const { markdown } = await read(t, text);
  assert.deepEqual(markdown.replace(/https:\/\/www\.notion\.so\/[0-9a-f]{32}/g, "OTHER").split("\n"), [
    "Planets",
    '<table header-row="true">',
    ...["<tr>", "<td>Name</td>", "<td>Is</td>", "</tr>"],
    ...["<tr>", "<td>Jupiter</td>", "<td>Large. See [another planet](OTHER).</td>", "</tr>"],
    "</table>",
    "- in tabs",
    "- ",
    ...["\t<table>", "\t<tr>", "\t<td>in a list</td>", "\t</tr>", "\t</table>"],
    "After it",
    ...["```plain text", "<td>is code</td>", "```"],
  ]);
});

test("SRC-2: the title of code is kept, before the code", async (t) => {
  const codes = [
    '```js title="src/a.js" {1}',
    "```js:line-numbers [b.js]",
    "```js filename='c.js'",
    "```js {1,3}",
  ];
  const { markdown } = await read(t, codes.map((start) => `${start}\nf()\n\`\`\``).join("\n\n"));
  const titles = markdown.split("\n").filter((line) => !/^(?:```|f\(\))/.test(line));
  assert.deepEqual(titles, ["**src/a.js**", "**b.js**", "**c.js**"]);
});

test("a heading that repeats the title is left out, unless it has a link", async (t) => {
  assert.equal((await read(t, "# Title\n\nText")).markdown, "Text");
  assert.match((await read(t, "# [Title](other.md)\n\nText")).markdown, /^# \[Title\]/);
  assert.equal((await read(t, "First\n\n# Title")).markdown, "First\n# Title");
});

test("GRAPH-5: a heading loses the id at its end, in either form, and nothing else does", async (t) => {
  const text = [
    "## Usage {/*usage*/}",
    "### Set up {#set-up .wide}",
    "## With `code` {#c} ##",
    "Underlined {#under}\n------",
    "> ## Quoted {#quoted}",
    "Words {#words}",
    "## Amid {#amid} words",
    "`{#code}`",
    "    ## code {#indented}",
    "```\n## fenced {#fenced}\n```",
  ].join("\n\n");
  const expected = [
    "## Usage",
    "### Set up",
    "## With `code`",
    "## Underlined",
    "> ",
    "\t## Quoted",
    "Words \\{#words\\}",
    "## Amid \\{#amid\\} words",
    "`{#code}`",
    "```plain text",
    "## code {#indented}",
    "```",
    "```plain text",
    "## fenced {#fenced}",
    "```",
  ];
  assert.deepEqual((await read(t, text)).markdown.split("\n"), expected);
  assert.equal((await read(t, "# Title {#t}\n\n## A {/*a*/}\n\n## B {#b}", "mdx")).markdown, "## A\n## B");
});

test("long text is split into pieces of 2 000 characters, never inside a surrogate pair", async (t) => {
  const text = `x${"😀".repeat(3000)}`;
  const { blocks, markdown } = await read(t, text);
  const [block] = blocks;
  assert.ok(block?.type === "paragraph");
  const pieces = block.paragraph.rich_text.map(({ plain_text }) => plain_text);
  assert.ok(pieces.every((piece) => piece.length <= 2000 && piece.isWellFormed()));
  assert.equal(pieces.join(""), text);
  assert.equal(markdown, text);
});

test("blocks beyond the limit are left out of the Markdown, listed, and can be read one by one", async (t) => {
  const text = Array.from({ length: 10 }, (_, index) => `- item ${index}\n  - below ${index}`).join("\n");
  const { signIn } = await serveFiles(t, { "page.md": text }, { markdownBlockLimit: 13 });
  const { notion } = await signIn();
  const page = await notion.pages.retrieveMarkdown({ page_id: (await idsByTitle(notion)).get("page") ?? "" });
  assert.equal(page.truncated, true);
  assert.equal(page.unknown_block_ids.length, 4);
  const rest = await Promise.all(
    page.unknown_block_ids.map((id) => notion.pages.retrieveMarkdown({ page_id: id })),
  );
  const whole = [page, ...rest].map(({ markdown }) => markdown).join("\n");
  assert.equal(whole, text.replaceAll("  ", "\t"));
});

const strange: readonly [what: string, text: string | Uint8Array, expected: RegExp][] = [
  ["nothing", "", /^$/],
  ["only front matter", "---\ntitle: T\n---", /^$/],
  ["front matter that never ends", "---\ntitle: T\n\nwords", /words/],
  ["a byte order mark", "\ufeff---\ntitle: T\n---\nwords", /^words$/],
  ["Windows line ends", "---\r\ntitle: T\r\n---\r\none\r\n\r\ntwo\r\n", /^one\ntwo$/],
  ["old Macintosh line ends", "one\r\rtwo", /^one\ntwo$/],
  ["bytes that are no UTF-8", new Uint8Array([0x61, 0xff, 0xfe, 0x62, 0x00]), /^a\ufffd\ufffdb/],
  ["a fence that never ends", "```js\n[[Other]]", /\[\[Other\]\]/],
  ["tags that never end", "<Note>\n<div>\n<details>\nwords", /words/],
  ["end tags without a start", "</Note></div>words</p>", /words/],
  ["a tag cut off", "words <a href='", /words/],
  ["an attribute without end", `<Card title={{ words`, /words/],
  ["quotes within quotes, 1 000 deep", `${">".repeat(1000)} words`, /words/],
  [
    "lists within lists, 100 deep",
    Array.from({ length: 100 }, (_, i) => `${"  ".repeat(i)}- w${i}`).join("\n"),
    /w99/,
  ],
  [
    "elements within elements, 1 000 deep",
    `${"<div>\n".repeat(1000)}words${"\n</div>".repeat(1000)}`,
    /words/,
  ],
  ["emphasis within emphasis, 1 000 deep", `${"*a ".repeat(1000)}words${"*".repeat(1000)}`, /words/],
  ["brackets that never close", `${"[".repeat(5000)}words`, /words/],
  ["comments that never end", "<!-- ".repeat(2_000), /!--/],
  ["five million characters on a line", "words ".repeat(830_000), /^words/],
];

test("every page, however unusual its text, can be read as Markdown and as blocks", async (t) => {
  for (const [what, text, expected] of strange) {
    await t.test(what, async (each) => {
      const { markdown } = await read(each, text);
      assert.match(markdown, expected);
    });
  }
});
