import assert from "node:assert/strict";
import { test } from "node:test";
import { bareId, listObject, richText, someId } from "./testing/api-objects.ts";
import { timelessProvider } from "./testing/provider.ts";
import { sendError, sendJson, startProvider } from "./testing/provider-server.ts";
import { textTasks } from "./text-tasks.ts";
import { notionDialect } from "./urls.ts";

interface Text {
  readonly markdown: string;
  readonly truncated?: boolean;
  readonly unknown?: readonly number[];
}

/** A provider with these texts and blocks, by the last digits of their ids; anything else is not shared. */
async function workspace(
  t: Parameters<typeof startProvider>[0],
  texts: Record<number, Text | [status: number, code: string]>,
  blocks: Record<number, object> = {},
  children: Record<number, readonly number[]> = {},
) {
  const { url, requests } = await startProvider(t, ({ path }, response) => {
    const [, , kind, id = "", rest] = path.split("/");
    const number = Number.parseInt(id.slice(-12), 16);
    const found = kind === "pages" ? texts[number] : undefined;
    if (Array.isArray(found)) return sendError(response, found[0], found[1]);
    if (found !== undefined)
      return sendJson(response, {
        object: "page_markdown",
        id,
        markdown: found.markdown,
        truncated: found.truncated ?? found.unknown !== undefined,
        unknown_block_ids: (found.unknown ?? []).map(someId),
      });
    const json = (block: number) => ({
      object: "block",
      id: someId(block),
      has_children: children[block] !== undefined,
      ...blocks[block],
    });
    if (kind === "blocks" && rest?.startsWith("children"))
      return sendJson(response, listObject((children[number] ?? []).map(json), null));
    if (kind === "blocks" && blocks[number] !== undefined) return sendJson(response, json(number));
    return sendError(response, 404, "object_not_found");
  });
  const reader = timelessProvider(url).provider.reader("t");
  return { content: () => reader.content(someId(1)), requests };
}

const unknown = (block: number, alt: string) =>
  `<unknown url="https://app.notion.com/p/${bareId(1)}#${bareId(block)}" alt="${alt}"/>`;

test("SYNC-3: a page's text costs one call", async (t) => {
  const { content, requests } = await workspace(t, { 1: { markdown: `# A\n[b](/${bareId(2)})` } });
  assert.deepEqual(await content(), {
    markdown: `# A\n[b](/${bareId(2)})`,
    references: [{ type: "link", targetId: someId(2), name: null, targetName: "b", count: 1, offsets: [4] }],
    mentioned: [],
    children: [],
    titles: [],
    complete: true,
    unsupported: [],
    notShared: 0,
  });
  assert.deepEqual(
    requests.map(({ method, path }) => `${method} ${path}`),
    [`GET /v1/pages/${someId(1)}/markdown?include_transcript=true`],
  );
});

test("SYNC-3: parts of a large page are fetched and inserted in their places", async (t) => {
  const { content } = await workspace(t, {
    1: { markdown: `a\n\t${unknown(2, "toggle")}\nz`, unknown: [2, 4] },
    2: { markdown: `b\n\t${unknown(3, "paragraph")}`, unknown: [3] },
    3: { markdown: `[c](/${bareId(9)})` },
    4: { markdown: "at the end" },
  });
  const { markdown, complete, references } = await content();
  assert.equal(markdown, `a\n\tb\n\t\t[c](/${bareId(9)})\nz\nat the end`);
  assert.equal(complete, true);
  assert.deepEqual(
    references.map(({ targetId }) => targetId),
    [someId(9)],
  );
});

test("SYNC-5: a part that is not shared is counted, and the page is still complete", async (t) => {
  const { content } = await workspace(t, { 1: { markdown: `a\n${unknown(2, "toggle")}`, unknown: [2] } });
  const { complete, notShared, unsupported } = await content();
  assert.deepEqual({ complete, notShared, unsupported }, { complete: true, notShared: 1, unsupported: [] });
});

test("SYNC-5: a part that cannot be read makes the page incomplete", async (t) => {
  for (const texts of [
    { 1: { markdown: "a", unknown: [2] }, 2: [400, "validation_error"] as [number, string] },
    { 1: { markdown: "a", truncated: true } },
  ]) {
    const { content } = await workspace(t, texts);
    const { markdown, complete } = await content();
    assert.equal(complete, false);
    assert.match(markdown, /^a/);
  }
});

test("SYNC-5: parts that contain each other are read once", async (t) => {
  const { content, requests } = await workspace(t, {
    1: { markdown: "a", unknown: [2] },
    2: { markdown: "b", unknown: [1, 2] },
  });
  assert.match((await content()).markdown, /^a\nb/);
  assert.equal(requests.length, 2);
});

test("SYNC-5: if a part fails temporarily, the page fails", async (t) => {
  const { content } = await workspace(t, {
    1: { markdown: "a", unknown: [2] },
    2: [500, "internal_server_error"],
  });
  await assert.rejects(content(), { code: "unavailable" });
});

test("SYNC-5: a page without text in the answer fails", async (t) => {
  const { content } = await workspace(t, { 1: [400, "validation_error"] });
  await assert.rejects(content(), { code: "invalid" });
});

test("SYNC-3: blocks without Markdown are read one by one: bookmarks, embeds and links to pages", async (t) => {
  const { content } = await workspace(
    t,
    {
      1: {
        markdown: [2, 3, 4, 5, 6, 7].map((block) => `\t${unknown(block, "x")}`).join("\n"),
      },
    },
    {
      2: {
        type: "bookmark",
        bookmark: { url: `https://www.notion.so/${bareId(20)}`, caption: richText("A [b]") },
      },
      3: { type: "embed", embed: { url: "https://example.org/a (b)", caption: [] } },
      4: { type: "link_to_page", link_to_page: { type: "page_id", page_id: someId(21) } },
      5: { type: "link_to_page", link_to_page: { type: "database_id", database_id: someId(22) } },
      6: { type: "unsupported", unsupported: {} },
    },
  );
  const { markdown, references, complete, unsupported, notShared } = await content();
  assert.deepEqual(unsupported, [{ kind: "block", type: "unsupported" }]);
  assert.equal(notShared, 1);
  assert.deepEqual(markdown.split("\n"), [
    `\t[A \\[b\\]](https://www.notion.so/${bareId(20)})`,
    "\t[https://example.org/a (b)](https://example.org/a%20%28b%29)",
    `\t<mention-page url="https://www.notion.so/${bareId(21)}"/>`,
    `\t<mention-database url="https://www.notion.so/${bareId(22)}"/>`,
    `\t${unknown(6, "x")}`,
    `\t${unknown(7, "x")}`,
  ]);
  assert.deepEqual(
    references.map(({ type, targetId }) => [type, targetId]),
    [
      ["link", someId(20)],
      ["mention", someId(21)],
      ["mention", someId(22)],
    ],
  );
  assert.equal(complete, true);
});

test("SRC-6: a meeting without Markdown is read with its summary, its notes and its transcript, which is marked", async (t) => {
  const text = (words: string) => ({ type: "paragraph", paragraph: { rich_text: richText(words) } });
  const { content } = await workspace(
    t,
    { 1: { markdown: unknown(2, "meeting_notes") } },
    {
      2: {
        type: "meeting_notes",
        meeting_notes: {
          title: richText("Weekly"),
          status: "notes_ready",
          children: {
            summary_block_id: someId(3),
            notes_block_id: someId(4),
            transcript_block_id: someId(5),
          },
        },
      },
      3: text(""),
      4: text(""),
      5: text(""),
      6: text("We buy rope."),
      7: text("Ask Ada."),
      8: text("So, er, rope."),
    },
    { 2: [3, 4, 5], 3: [6], 4: [7], 5: [8] },
  );
  const { markdown, complete, unsupported } = await content();
  assert.deepEqual(markdown.split("\n"), [
    "Weekly",
    "\tWe buy rope.",
    "\tAsk Ada.",
    "\t<transcript>",
    "\t\tSo, er, rope.",
    "\t</transcript>",
  ]);
  assert.deepEqual([complete, unsupported], [true, []]);
});

test("GRAPH-22: numbered items that are read block by block are counted, from the number that a list begins with", async (t) => {
  const item = (words: string, list_start_index?: number) => ({
    type: "numbered_list_item",
    numbered_list_item: { rich_text: richText(words), list_start_index },
  });
  const { content } = await workspace(
    t,
    { 1: { markdown: unknown(2, "template") } },
    {
      2: { type: "template", template: { rich_text: richText("New") } },
      3: item("Prepare."),
      4: item("Build."),
      5: { type: "code", code: { rich_text: richText("make"), language: "sh" } },
      6: item("Test.", 3),
      7: item("Ship."),
      8: item("Again."),
    },
    { 2: [3, 4, 5, 6, 7], 7: [8] },
  );
  const { markdown } = await content();
  assert.deepEqual(
    markdown.split("\n").filter((line) => /\d/.test(line)),
    ["\t1. Prepare.", "\t2. Build.", "\t3. Test.", "\t4. Ship.", "\t\t1. Again."],
  );
});

test("SYNC-5: a text that is too large with its transcript is read without it, and counts as incomplete", async (t) => {
  const { url } = await startProvider(t, ({ path }, response) =>
    sendJson(response, {
      markdown: path.includes("include_transcript=true") ? "a".repeat(11 * 1024 * 1024) : "Notes",
      truncated: false,
      unknown_block_ids: [],
    }),
  );
  const { markdown, complete } = await timelessProvider(url).provider.reader("t").content(someId(1));
  assert.deepEqual([markdown, complete], ["Notes", false]);
});

test("SYNC-5: an unsupported block is counted by the type that it names", async (t) => {
  const named = (block_type: unknown) => ({ type: "unsupported", unsupported: { block_type } });
  const { content } = await workspace(
    t,
    { 1: { markdown: [2, 3, 4].map((block) => unknown(block, "x")).join("\n") } },
    { 2: named("drive"), 3: named(7), 4: named("") },
  );
  const { unsupported, complete } = await content();
  assert.deepEqual(
    unsupported.map(({ type }) => type),
    ["drive", "unsupported", "unsupported"],
  );
  assert.equal(complete, true);
});

test("SYNC-3: any other block without Markdown is its text", async (t) => {
  const mention = (type: string, number: number) => ({
    type: "mention",
    mention: { type, [type]: { id: someId(number) } },
    plain_text: "Somewhere",
    href: `https://www.notion.so/${bareId(number)}`,
  });
  const words = [...richText("To *do*: "), mention("page", 20), ...richText(" "), mention("database", 21)];
  const linked = richText("there", `https://app.notion.com/p/${bareId(22)}`);
  const { content } = await workspace(
    t,
    { 1: { markdown: [2, 3, 4, 5].map((block) => unknown(block, "x")).join("\n") } },
    {
      2: { type: "template", template: { rich_text: [...words, ...richText(" "), ...linked] } },
      3: { type: "child_database", child_database: { title: "<Tasks>" } },
      4: { type: "child_page", child_page: { title: "Notes" } },
      5: { type: "template", template: { rich_text: [] } },
    },
  );
  const { markdown, references, children } = await content();
  assert.deepEqual(markdown.split("\n"), [
    `To \\*do\\*: <mention-page url="https://www.notion.so/${bareId(20)}">Somewhere</mention-page> ` +
      `<mention-database url="https://www.notion.so/${bareId(21)}">Somewhere</mention-database> [there](https://app.notion.com/p/${bareId(22)})`,
    `<database url="https://www.notion.so/${bareId(3)}">\\<Tasks\\></database>`,
    `<page url="https://www.notion.so/${bareId(4)}">Notes</page>`,
    unknown(5, "x"),
  ]);
  assert.deepEqual(
    references.map(({ type, targetId }) => [type, targetId]),
    [
      ["mention", someId(20)],
      ["mention", someId(21)],
      ["link", someId(22)],
    ],
  );
  assert.deepEqual(children, [
    { id: someId(3), type: "database", name: "<Tasks>", offset: markdown.indexOf("<database") },
    { id: someId(4), type: "page", name: "Notes", offset: markdown.indexOf("<page") },
  ]);
});

test("SRC-6: tabs and templates are read with all that is below them, and what they cannot give is counted", async (t) => {
  const text = (type: string, words: string, more = {}) => ({
    type,
    [type]: { rich_text: richText(words), ...more },
  });
  const { content, requests } = await workspace(
    t,
    { 1: { markdown: `\t${unknown(2, "tab")}\n${unknown(9, "template")}` } },
    {
      2: { type: "tab", tab: {} },
      3: text("paragraph", "First tab"),
      4: text("heading_2", "Inner"),
      5: text("to_do", "Pack", { checked: true }),
      6: text("code", "[[no link]] ```", { language: "python" }),
      7: text("paragraph", "Second tab"),
      8: { type: "child_page", child_page: { title: "A page" } },
      9: text("template", "Add a task"),
      10: text("bulleted_list_item", "Ask"),
      11: { type: "unsupported", unsupported: { block_type: "drive" } },
    },
    { 2: [3, 7], 3: [4, 5, 6], 7: [8], 8: [12], 9: [10, 11] },
  );
  const { markdown, complete, unsupported, children } = await content();
  assert.deepEqual(markdown.split("\n"), [
    "\tFirst tab",
    "\t\t## Inner",
    "\t\t- [x] Pack",
    "\t\t````python",
    "\t\t[[no link]] ```",
    "\t\t````",
    "\tSecond tab",
    `\t\t<page url="https://www.notion.so/${bareId(8)}">A page</page>`,
    "Add a task",
    "\t- Ask",
  ]);
  assert.deepEqual([complete, unsupported], [true, [{ kind: "block", type: "drive" }]]);
  assert.deepEqual(
    children.map(({ id }) => id),
    [someId(8)],
  );
  // A page's own blocks are its text.
  assert.equal(requests.length, 7);
});

test("SRC-6: what is below a tab is read as in the text of a page: tables, equations, pictures and files", async (t) => {
  const text = (type: string, words: string) => ({ type, [type]: { rich_text: richText(words) } });
  const row = (...cells: unknown[]) => ({ type: "table_row", table_row: { cells } });
  const file = (type: string, url: string, more: object) => ({
    type,
    [type]: { caption: [], type: "external", external: { url }, ...more },
  });
  const { content } = await workspace(
    t,
    { 1: { markdown: unknown(2, "tab") } },
    {
      2: { type: "tab", tab: {} },
      3: text("paragraph", "First tab"),
      4: { type: "table", table: { table_width: 2, has_column_header: true } },
      5: row(richText("Name"), richText("Where")),
      6: row(richText("Rope | *cord*"), richText("there", `https://app.notion.com/p/${bareId(22)}`)),
      7: { type: "equation", equation: { expression: "a_1 * b" } },
      8: file("image", "https://example.org/a.png", {
        caption: richText("A boat", `https://app.notion.com/p/${bareId(23)}`),
      }),
      9: {
        type: "file",
        file: {
          caption: [],
          name: "a [1].pdf",
          type: "file",
          file: { url: 'https://file.notion.so/f/a"1).pdf?signature=2' },
        },
      },
      10: file("video", "https://example.org/v", { caption: richText("A film") }),
      11: { type: "breadcrumb", breadcrumb: {} },
      12: { type: "table_of_contents", table_of_contents: {} },
      13: { type: "button", button: {} },
      14: { type: "table", table: { table_width: 1, has_column_header: false } },
      15: row(richText("Alone")),
      16: { type: "file", file: {} },
    },
    { 2: [3], 3: [4, 7, 8, 9, 10, 11, 12, 13, 14, 16], 4: [5, 6], 14: [15] },
  );
  const { markdown, complete, unsupported, references } = await content();
  assert.deepEqual(markdown.split("\n"), [
    "First tab",
    '\t<table header-row="true">',
    "\t<tr><td>Name</td><td>Where</td></tr>",
    `\t<tr><td>Rope \\| \\*cord\\*</td><td>[there](https://app.notion.com/p/${bareId(22)})</td></tr>`,
    "\t</table>",
    "\t$$",
    "\ta_1 * b",
    "\t$$",
    `\t![[A boat](https://app.notion.com/p/${bareId(23)})](https://example.org/a.png)`,
    '\t<file src="attachment:a%221%29.pdf">a \\[1\\].pdf</file>',
    '\t<video src="https://example.org/v">A film</video>',
    "\t<table>",
    "\t<tr><td>Alone</td></tr>",
    "\t</table>",
    '\t<file src=""></file>',
  ]);
  assert.deepEqual([complete, unsupported], [true, []]);
  assert.deepEqual(
    references.map(({ type, targetId }) => [type, targetId]),
    [
      ["link", someId(22)],
      ["link", someId(23)],
    ],
  );
});

test("SRC-6: blocks that contain each other are read once", async (t) => {
  const { content } = await workspace(
    t,
    { 1: { markdown: unknown(2, "tab") } },
    { 2: { type: "tab", tab: {} }, 3: { type: "paragraph", paragraph: { rich_text: richText("a") } } },
    { 2: [3], 3: [2, 3] },
  );
  assert.equal((await content()).markdown, "a");
});

test("SYNC-5: a gigantic page is read up to a limit, and is incomplete", async (t) => {
  const markdown = "a".repeat(6_000_000);
  const parts = [2, 3, 4];
  const { content, requests } = await workspace(t, {
    1: { markdown, unknown: parts },
    ...Object.fromEntries(parts.map((part) => [part, { markdown }])),
  });
  const { complete, markdown: text } = await content();
  assert.equal(complete, false);
  assert.equal(text.replaceAll("\n", "").length, 12_000_000);
  assert.equal(requests.length, 2);
});

test("SYNC-3: no call is made for empty blocks, code or children", async (t) => {
  const child = `<unknown url="https://www.notion.so/${bareId(3)}" alt="page"/>`;
  const { content, requests } = await workspace(t, {
    1: {
      markdown: [unknown(2, "unsupported"), "```", unknown(4, "bookmark"), "```", child].join("\n"),
      unknown: [3],
    },
  });
  const { children, markdown } = await content();
  assert.deepEqual(children, [{ id: someId(3), type: "page", offset: markdown.indexOf(child) }]);
  assert.equal(requests.length, 1);
});

test("SYNC-5: a part that a page with thousands of subpages leaves out is read, and one with too many parts is incomplete", async (t) => {
  const subpages = Array.from({ length: 2_000 }, (_, index) => index + 10);
  const markdown = subpages
    .map((page) => `<unknown url="https://app.notion.com/p/${bareId(page)}" alt="page"/>`)
    .join("\n");
  const { content } = await workspace(t, {
    1: { markdown, unknown: [...subpages, 2] },
    2: { markdown: "The end" },
  });
  const read = await content();
  assert.deepEqual(
    [read.complete, read.markdown.endsWith("\nThe end"), read.children.length],
    [true, true, 2_000],
  );
  const isComplete = (parts: readonly number[]) => {
    const answer = { markdown: "", truncated: true, unknown_block_ids: parts.map(someId) };
    return textTasks.answered(JSON.stringify(answer), notionDialect).complete;
  };
  assert.deepEqual([isComplete(subpages), isComplete([...subpages, 2])], [true, false]);
});

test("SYNC-5: expiring addresses are not stored", async (t) => {
  const { content } = await workspace(
    t,
    {
      1: {
        markdown: `![a](https://prod-files-secure.s3.us-west-2.amazonaws.com/1/a.png?X-Amz-Signature=s)\n${unknown(2, "embed")}`,
      },
    },
    { 2: { type: "embed", embed: { url: "https://file.notion.so/f/b.html?signature=s", caption: [] } } },
  );
  const { markdown } = await content();
  assert.equal(markdown, "![a](attachment:a.png)\n[attachment:b.html](attachment:b.html)");
});

/** A page of `count` bookmarks; lists contain those at the top level only. */
async function bookmarks(t: Parameters<typeof startProvider>[0], count: number, isNested = false) {
  const numbers = Array.from({ length: count }, (_, index) => index + 10);
  const block = (number: number) => ({
    object: "block",
    id: someId(number),
    type: "bookmark",
    bookmark: { url: `https://www.notion.so/${bareId(number + 100_000)}`, caption: [] },
  });
  const { url, requests } = await startProvider(t, ({ path }, response) => {
    const { pathname, searchParams } = new URL(path, "http://provider");
    const id = pathname.split("/")[3] ?? "";
    if (pathname.endsWith("/markdown"))
      return sendJson(response, {
        markdown: numbers.map((number) => unknown(number, "bookmark")).join("\n"),
        truncated: false,
        unknown_block_ids: [],
      });
    if (!pathname.endsWith("/children")) return sendJson(response, block(Number.parseInt(id.slice(-12), 16)));
    const start = Number(searchParams.get("start_cursor") ?? 0);
    const end = start + 100;
    const below = isNested ? [] : numbers.slice(start, end).map(block);
    sendJson(response, listObject(below, end < count ? `${end}` : null));
  });
  const content = await timelessProvider(url).provider.reader("t").content(someId(1));
  return { content, calls: requests.length };
}

test("SYNC-3: 600 bookmarks of a page are all read, a hundred per call", async (t) => {
  const { content, calls } = await bookmarks(t, 600);
  assert.equal(content.references.length, 600);
  assert.equal(content.complete, true);
  assert.equal(calls, 7);
});

test("SYNC-5: a page with too many bookmarks has some of them, and is incomplete", async (t) => {
  const few = await bookmarks(t, 600, true);
  assert.equal(few.content.references.length, 600);
  assert.equal(few.content.complete, true);
  const { content, calls } = await bookmarks(t, 1500, true);
  assert.equal(content.complete, false);
  assert.ok(content.references.length > 900 && content.references.length < 1000);
  assert.equal(calls, 1000);
});

test("SYNC-5: if a list of blocks cannot be read, blocks are read one by one", async (t) => {
  const { url } = await startProvider(t, ({ path }, response) => {
    const blocks = Array.from({ length: 20 }, (_, index) => unknown(index + 10, "bookmark"));
    if (path.includes("/markdown"))
      return sendJson(response, { markdown: blocks.join("\n"), truncated: false, unknown_block_ids: [] });
    const bookmark = { url: `https://www.notion.so/${bareId(5)}`, caption: [] };
    return sendJson(response, path.includes("/children") ? {} : { type: "bookmark", bookmark });
  });
  const { references, complete } = await timelessProvider(url).provider.reader("t").content(someId(1));
  assert.deepEqual({ complete, count: references[0]?.count }, { complete: true, count: 20 });
});

for (const [what, answer] of [
  ["no text", { truncated: false, unknown_block_ids: [] }],
  ["a text of another type", { markdown: 7, truncated: false, unknown_block_ids: [] }],
] as const)
  test(`SYNC-5: a page with ${what} cannot be read`, async (t) => {
    const { url } = await startProvider(t, (_, response) => sendJson(response, answer));
    const reader = timelessProvider(url).provider.reader("t");
    await assert.rejects(reader.content(someId(1)), { code: "malformed" });
  });

for (const [what, rest] of [
  ["`truncated` is missing", {}],
  ["`truncated` is a string", { truncated: "false" }],
  ["no missing part is named", { truncated: true, unknown_block_ids: [] }],
  ["the missing parts are no list", { truncated: false, unknown_block_ids: {} }],
  ["a missing part has no id", { truncated: true, unknown_block_ids: [someId(2), "?"] }],
  ["a tag has an invalid address", { markdown: '<unknown url="?" alt="x"/>', truncated: false }],
  ["a tag cannot be read", { markdown: "<unknown url=x/>", truncated: false }],
] as const)
  test(`SYNC-5: a text is incomplete if ${what}`, async (t) => {
    const { url } = await startProvider(t, ({ path }, response) =>
      path.includes(someId(1))
        ? sendJson(response, { markdown: "a", ...rest })
        : sendError(response, 404, "object_not_found"),
    );
    const { complete } = await timelessProvider(url).provider.reader("t").content(someId(1));
    assert.equal(complete, false);
  });

test("ERR-6: a page's text has no links that run scripts", async (t) => {
  const markdown = "[a](javascript:alert(1)) and [b](https://example.org/)";
  const { url } = await startProvider(t, (_, response) =>
    sendJson(response, {
      object: "page_markdown",
      id: someId(1),
      markdown,
      truncated: false,
      unknown_block_ids: [],
    }),
  );
  const reader = timelessProvider(url).provider.reader("t");
  const content = await reader.content(someId(1));
  assert.equal(content.markdown, "[a](<>) and [b](https://example.org/)");
});
