import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bareId, someId } from "../testing/api-objects.ts";
import { referencesIn } from "../testing/texts.ts";

const page = (number: number) => `https://www.notion.so/A-page-${bareId(number)}`;
const link = (number: number, count = 1) => ({ type: "link", targetId: someId(number), name: null, count });
const mention = (number: number, count = 1) => ({
  type: "mention",
  targetId: someId(number),
  name: null,
  count,
});

for (const [what, markdown, expected] of [
  ["a hyperlink", `See [this page](${page(1)}).`, [link(1)]],
  ["a mention in single quotes", `<mention-page url='${page(1)}'/>`, [mention(1)]],
  ["a mention with spaces", `<mention-page  url = "${page(1)}" />`, [mention(1)]],
  ["a hyperlink within the workspace", `[this](/${bareId(1)}?pvs=25#${bareId(2)})`, [link(1)]],
  ["a hyperlink with a title", `[this](${page(1)} "title")`, [link(1)]],
  ["a hyperlink in angle brackets", `[this](<${page(1)}>)`, [link(1)]],
  ["a bare address in angle brackets", `<${page(1)}>`, [link(1)]],
  ["occurrences", `[a](${page(1)}) [b](${page(2)})\n[c](${page(1)})`, [link(1, 2), link(2)]],
  ["a hyperlink elsewhere", "[a](https://example.org/)", []],
  ["a page's address as plain text", `see ${page(1)}`, []],
  ["words in double brackets", "[[A page]] ![[A page|words]] \\[\\[A page\\]\\] [[A page#part]]", []],
  ["an id in double brackets", `[[${bareId(1)}]] [[${page(1)}]]`, []],
  ["an escaped hyperlink", `\\[this\\](${page(1)})`, []],
  ["an escaped bracket within a hyperlink", `[a \\] b](${page(1)})`, [link(1)]],
  ["an escaped backslash before a hyperlink", `\\\\[a](${page(1)})`, [link(1)]],
  ["a hyperlink in a code span", `\`[a](${page(1)})\` and [b](${page(2)})`, [link(2)]],
  ["a code span as a hyperlink's text", `[\`a]\`](${page(1)})`, [link(1)]],
  ["a backtick that opens no code span", `\` [a](${page(1)})`, [link(1)]],
  ["nested brackets", `[[a] [b]](${page(1)})`, [link(1)]],
  ["an image's caption", `![[a](${page(1)})](https://example.org/a.png)`, [link(1)]],
  ["an image as a hyperlink", `[![a](https://example.org/a.png)](${page(1)})`, [link(1)]],
  ["an image", `![a](${page(1)})`, []],
  ["styles around a hyperlink", `**[a](${page(1)})** ~~*[b](${page(2)})*~~`, [link(1), link(2)]],
  ["a list deep down", `- a\n\t- [ ] b\n\t\t1. [c](${page(1)})`, [link(1)]],
  ["a heading with a colour", `# [a](${page(1)}) {color="blue"}`, [link(1)]],
  ["a quote", `> [a](${page(1)})<br>[b](${page(2)})`, [link(1), link(2)]],
  [
    "a table",
    `<table header-row="true">\n<tr>\n<td>[a\\|b](${page(1)})</td>\n<td><mention-page url="${page(2)}"/></td>\n</tr>\n</table>`,
    [link(1), mention(2)],
  ],
  ["a table of pipes", `| [a](${page(1)}) | <mention-page url="${page(2)}"/> |`, [link(1), mention(2)]],
  ["a line after a tag", `<callout icon="💡">\n\t[a](${page(1)})\n</callout>`, [link(1)]],
  ["a span of colour", `<span color="red">[a](${page(1)})</span>`, [link(1)]],
  ["a mention", `<mention-page url="${page(1)}">A page</mention-page> and`, [mention(1)]],
  [
    "a mention without its title",
    `- <mention-page url="https://app.notion.com/p/${bareId(1)}"/>`,
    [mention(1)],
  ],
  ["a mention of a database", `<mention-database url="${page(1)}">Tasks</mention-database>`, [mention(1)]],
  ["a mention of a data source", `<mention-data-source url="collection://${someId(1)}"/>`, [mention(1)]],
  ["a mention of a person", `<mention-user url="user://${someId(1)}">A reader</mention-user>`, []],
  ["a mention of a date", '<mention-date start="2026-01-02"/>', []],
  ["an escaped mention", `\\<mention-page url="${page(1)}"/\\>`, []],
  ["a mention in code", `\`<mention-page url="${page(1)}"/>\``, []],
  [
    "a mention in a hyperlink",
    `[see <mention-page url="${page(1)}"/> there](${page(2)})`,
    [link(2), mention(1)],
  ],
  ["brackets in a tag's address", `[a <x y="](b">](${page(1)})`, [link(1)]],
  ["a citation", `So it is.[^${page(1)}]`, [link(1)]],
  ["an escaped citation", `\\[^${page(1)}\\]`, []],
  ["a synced block of another page", `<synced_block_reference url="${page(1)}#${bareId(9)}">`, [mention(1)]],
  [
    "the original of a synced block",
    `<synced_block url="${page(1)}#${bareId(9)}">\n\tx\n</synced_block>`,
    [],
  ],
  ["a tag that is not closed", `<mention-page url="${page(1)}"`, []],
  ["code", `\`\`\`js\n[a](${page(1)})\n\`\`\`\n[b](${page(2)})`, [link(2)]],
  [
    "code with a shorter fence in it",
    `\`\`\`\`\n\`\`\`\n[a](${page(1)})\n\`\`\`\`\n[b](${page(2)})`,
    [link(2)],
  ],
  [
    "code with a deeper fence in it",
    `\t\`\`\`\n\t\t\`\`\`\n[a](${page(1)})\n\t\`\`\`\n[b](${page(2)})`,
    [link(2)],
  ],
  ["code that is never closed", `\`\`\`\n[a](${page(1)})`, []],
  ["code below a list", `- x\n\t\`\`\`\n\t[a](${page(1)})\n\t\`\`\`\n\t[b](${page(2)})`, [link(2)]],
  ["an escaped fence", `\\\`\\\`\\\`\n[a](${page(1)})`, [link(1)]],
  ["a code span of three backticks", `\`\`\`a\`\`\` [b](${page(1)})`, [link(1)]],
  ["a fence of tildes", `~~~\n[a](${page(1)})\n~~~`, []],
  ["an equation", `$$\n[a](${page(1)})\n$$\n[b](${page(2)})`, [link(2)]],
  ["an equation in a line", `$\`x[1](y)\`$ [b](${page(1)})`, [link(1)]],
  ["an entity in an address", `[a](https://www.notion.so/x?a=1&amp;p=${bareId(1)})`, [link(1)]],
] as const) {
  test(`SYNC-2: ${what}`, () => {
    const references = referencesIn(markdown).references.map(
      ({ targetName: _, offsets: __, ...reference }) => reference,
    );
    assert.deepEqual(references, expected);
  });
}

for (const [markdown, ...names] of [
  [`See [this page](${page(1)}).`, "this page"],
  [`[a \\] \\* b](${page(1)} "title")`, "a ] * b"],
  [`[**The** \`plan\`](${page(1)})`, "**The** plan"],
  [`[**The plan**](${page(1)}) [~~ \t~~](${page(2)})`, "The plan", undefined],
  [`[](${page(1)}) [${page(2)}](${page(2)}) <${page(3)}>`, undefined, undefined, undefined],
  [`[](${page(1)}) [first](${page(1)}) [second](${page(1)})`, "first"],
  [`[![a caption](https://example.org/a.png)](${page(1)})`, "a caption"],
  [`[one<br>two](${page(1)})`, "one two"],
  [`So it is.[^${page(1)}]`, undefined],
  [`<mention-page url="${page(1)}">A &  page</mention-page>`, "A & page"],
  [`<mention-page url="${page(1)}"/> a <mention-page url="${page(2)}">B</mention-page>`, undefined, "B"],
  [`<mention-page url="${page(1)}">not closed`, undefined],
  [`<mention-database url="${page(1)}"></mention-database>`, undefined],
  [
    `[see <mention-page url="${page(1)}">a page</mention-page> there](${page(2)})`,
    "see a page there",
    "a page",
  ],
  [`[${"🧵".repeat(500)}](${page(1)})`, `${"🧵".repeat(199)}…`],
] as const) {
  test(`GRAPH-4: what ${markdown.slice(0, 60)} calls a page`, () => {
    assert.deepEqual(
      referencesIn(markdown).references.map(({ targetName }) => targetName),
      names,
    );
  });
}

test("GRAPH-4: nested names take time in proportion to the text's length", () => {
  const open = `<mention-page url="${page(1)}">`;
  const { references } = referencesIn(`${open.repeat(20_000)}a${"</mention-page>".repeat(20_000)}`);
  const offsets = [0, open.length, 2 * open.length];
  assert.deepEqual(references, [{ ...mention(1, 20_000), targetName: "a", offsets }]);
});

test("SYNC-1: child pages and databases of a text are children, not references", () => {
  const markdown = [
    `<page url="${page(1)}">One</page>`,
    `\t<database url="${page(2)}" inline="true" icon="💡">Two</database>`,
    `<unknown url="${page(3)}" alt="page"/>`,
    `<unknown url="${page(4)}" alt="collection_view"/>`,
    `<unknown url="${page(5)}#${bareId(6)}" alt="bookmark"/>`,
    `<page url="${page(1)}">One</page>`,
    `\`<page url="${page(7)}">\``,
    '<page url="https://example.org/">Eight</page>',
  ].join("\n");
  const { references, mentioned, children } = referencesIn(markdown);
  assert.deepEqual([references, mentioned], [[], []]);
  assert.deepEqual(
    children.map(({ offset: _, ...child }) => child),
    [
      { id: someId(1), type: "page", name: "One" },
      { id: someId(2), type: "database", name: "Two" },
      { id: someId(3), type: "page" },
      { id: someId(4), type: "database" },
    ],
  );
  const lines = markdown.split("\n");
  assert.deepEqual(
    children.map(({ offset }) => [...markdown].slice(offset).join("").split("\n")[0]),
    [lines[0], lines[1]?.trim(), lines[2], lines[3]],
  );
});

test("GRAPH-4: a linked view of a database has the data source that it shows", () => {
  const source = `data-source-url="collection://${someId(2)}"`;
  const markdown = [
    `<database url="${page(1)}" inline="true" ${source}>Linked view</database>`,
    `<database inline="true" ${source}>View without address</database>`,
    `<page url="${page(3)}" ${source}>Page</page>`,
  ].join("\n");
  const { references, children } = referencesIn(markdown);
  assert.deepEqual(references, []);
  assert.deepEqual(
    children.map(({ offset: _, ...child }) => child),
    [
      { id: someId(1), type: "database", name: "Linked view", collectionId: someId(2) },
      { id: someId(2), type: "database", name: "View without address", collectionId: someId(2) },
      { id: someId(3), type: "page", name: "Page" },
    ],
  );
});

for (const [what, markdown, ...starts] of [
  ["a hyperlink", `🧵 See [this](${page(1)}).`, "[this]"],
  ["nested brackets", `a [[b] [c]](${page(1)})`, "[[b]"],
  ["a hyperlink after an escape", `\\[a] [b](${page(1)})`, "[b]"],
  ["an image's caption", `a ![b ![c [🧵d](${page(1)})](x)](y)`, "[🧵d]"],
  ["an image as a hyperlink", `a [![b](c)](${page(1)})`, "[![b]"],
  ["a bare address", `a <${page(1)}>`, "<https"],
  ["a citation", `So it is.[^${page(1)}]`, "[^http"],
  ["a mention", `\t\t- 🧵<mention-page url="${page(1)}">A</mention-page>`, "<mention-page"],
  ["a mention in a hyperlink", `[a <mention-page url="${page(1)}"/>](https://example.org/)`, "<mention-page"],
  [
    "the first three of four",
    `[a](${page(1)}) [b](${page(1)})\n[c](${page(1)}) [d](${page(1)})`,
    "[a]",
    "[b]",
    "[c]",
  ],
  ["windows line ends", `a\r\n\r\n[b](${page(1)})`, "[b]"],
] as const) {
  test(`GRAPH-24: the offset of ${what} is where it begins, in code points`, () => {
    const [reference] = referencesIn(markdown).references;
    assert.deepEqual(
      reference?.offsets
        ?.map((offset) => [...markdown].slice(offset).join(""))
        .map((rest, at) => rest.startsWith(starts[at] ?? "?")),
      starts.map(() => true),
      JSON.stringify(reference?.offsets),
    );
  });
}

test("SYNC-1: mentions whose type is known are listed for look-ups", () => {
  const tag = (name: string, number: number) => `<${name} url="${page(number)}"/>`;
  const names = ["mention-page", "mention-database", "mention-data-source", "synced_block_reference"];
  const markdown = names.map((name, index) => tag(name, index + 1)).join(" ");
  assert.deepEqual(referencesIn(`${markdown} [a](${page(9)})`).mentioned, [
    { id: someId(1), type: "page" },
    { id: someId(2), type: "database" },
    { id: someId(4), type: "page" },
  ]);
});

test("SYNC-5: no text makes the parser throw, and everything found is in the text", () => {
  const parts = [
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "`",
    "\\",
    '"',
    "\n",
    "\t",
    "!",
    "^",
    "$",
    "~~~",
    page(1),
    " url=",
    "page",
    "mention-page",
  ];
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: "binary" }))), (pieces) => {
      const { references, children } = referencesIn(pieces.join(""));
      for (const { targetId, offsets = [] } of references) {
        assert.equal(targetId, someId(1));
        for (const offset of offsets) assert.match([...pieces.join("")][offset] ?? "", /[[<]/);
      }
      for (const { id } of children) assert.equal(id, someId(1));
    }),
    { numRuns: 500 },
  );
});
