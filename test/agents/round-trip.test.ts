import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ToolName } from "@clew/contract";
import { share } from "@clew/stand-in/testing/share";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createToken, signIn } from "../support/session.ts";
import { syncedDemo } from "../support/shared-demo.ts";

let url: URL;
let agent: Client;
/** The titles of all pages of the demo workspace, by short id. */
const titles = new Map<string, string>();

before(async () => {
  url = await syncedDemo();
  const { token } = await createToken(url, await signIn(url), "agents");
  agent = new Client({ name: "agents", version: "1" });
  await agent.connect(
    new StreamableHTTPClientTransport(new URL("api/v1/mcp", url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  for (let skip = 0; ; skip += 50) {
    const lines = (await use("search_pages", { sort: "title", limit: 50, skip, max_tokens: 20_000 }))
      .split("\n")
      .filter((line) => line.startsWith("- "));
    for (const line of lines) {
      const [, title = "", id = ""] = /^- (.*?) \[([0-9a-f]+)\]/.exec(line) ?? assert.fail(line);
      titles.set(id, title);
    }
    if (lines.length < 50) break;
  }
});
after(() => agent.close());

async function use(name: ToolName, input: Record<string, unknown>): Promise<string> {
  const { content, isError } = await agent.callTool({ name, arguments: input });
  const [first] = content;
  assert.ok(first?.type === "text");
  assert.notEqual(isError, true, `${name} ${JSON.stringify(input)}: ${first.text}`);
  return first.text;
}

/** The short id of the page that a text leads to. */
async function pageOf(text: string): Promise<string | undefined> {
  const answer = await use("list_links", { page: text, limit: 1, max_tokens: 500 });
  return /\[([0-9a-f]{8,32})\]/.exec(answer)?.[1];
}

/** Answers of all tools: for some pages, and for each database. */
async function answers(): Promise<string[]> {
  const texts = [
    await use("workspace_overview", { depth: 3, max_tokens: 20_000 }),
    await use("recent_changes", { since: "90d", limit: 200, max_tokens: 20_000 }),
    await use("search_pages", { query: "planet star", limit: 50, max_tokens: 20_000 }),
    await use("search_pages", { query: "j", in: "titles", limit: 50 }),
    await use("build_context", { question: "Who found the moons of Jupiter? Galileo, telescope" }),
  ];
  const pages = [...titles].filter(([, title], index) => index % 10 === 0 || title === "Jupiter");
  for (const [id] of pages) {
    texts.push(
      await use("read_page", { page: id, max_tokens: 20_000 }),
      await use("list_links", { page: id, depth: 2, limit: 8, excerpts: true }),
      await use("find_related", { page: id, limit: 5 }),
      await use("find_paths", { from: id, to: "Crux", limit: 2 }),
    );
  }
  for (const [, id = ""] of (texts[0] ?? "").matchAll(/^- [^\n[]*\[([0-9a-f]+)\]: \d+ rows/gm))
    texts.push(await use("query_database", { database: id, limit: 200, max_tokens: 20_000 }));
  return texts;
}

/** The strings that can be sent as a page, with the short id of the page that each names: lines, names and places of answers. */
function referencesIn(lines: Iterable<string>): ReadonlyMap<string, string> {
  const references = new Map<string, string>();
  const add = (text: string, id: string) => void (titles.has(id) && references.set(text, id));
  const named = new Set<string>();
  for (const line of lines) {
    const [first] = [...line.matchAll(printedId)].flatMap((match) =>
      match.slice(1).filter((id) => id !== undefined && titles.has(id)),
    );
    if (first !== undefined) add(line, first);
    for (const [, title = "", id = ""] of line.matchAll(/([^·,;:→←—()[\]]+) \[([0-9a-f]{8,32})\]/g)) {
      const name = title.replace(/^\s*(?:- |# |\d+\. )/, "").trim();
      const forms = [`${name} [${id}]`, `[${id}]`, id, `[${name}](${id})`, `- ${name} [${id}] · → link`];
      if (!named.has(id)) for (const form of forms) add(form, id);
      named.add(id);
    }
    const [, title = "", id = "", place] = /^- (.*?) \[([0-9a-f]+)\] · ([^·]*›[^·]*?) · /.exec(line) ?? [];
    for (const separator of place === undefined ? [] : [" › ", " / "])
      add(`${place} › ${title}`.replaceAll(" › ", separator), id);
  }
  return references;
}

/** An id in brackets, as the target of a link, in an attribute, or at the beginning of a row. */
const printedId =
  /\[([0-9a-f]{8,32})\]|\]\(([0-9a-f]{8,32})\)|url="([0-9a-f]{8,32})"|^(?:URL: |\| )?([0-9a-f]{8,32})(?= \||$)/g;

test("AGT-3: every line of every answer, and every name in it, leads to the page that it names", async () => {
  const sent = referencesIn(new Set((await answers()).flatMap((text) => text.split("\n"))));
  assert.ok(sent.size > 300, `${sent.size} texts`);
  const wrong: unknown[] = [];
  for (const [text, id] of share("texts that lead to a page", [...sent], 400)) {
    const found = await pageOf(text).catch((error: Error) => error.message);
    if (found !== id) wrong.push({ text, expected: `${titles.get(id)} [${id}]`, found });
  }
  assert.deepEqual(wrong, []);
});

test("AGT-3: every title leads to its page, also as a mention, in quotes, as a heading or in a list", async () => {
  const byTitle = Map.groupBy(titles, ([, title]) => title.toLowerCase());
  for (const [index, [id, title]] of [...titles].entries()) {
    if (title.endsWith("…") || title === "Untitled" || (byTitle.get(title.toLowerCase()) ?? []).length > 1)
      continue;
    const forms = [`@${title}`, `"${title}"`, `“${title}”`, `- ${title}`, `# ${title}`, `[[${title}]]`];
    for (const form of [title, forms[index % forms.length] ?? ""]) assert.equal(await pageOf(form), id, form);
  }
});

test("AGT-3: every heading is taken as it is shown", async () => {
  let headings = 0;
  for (const id of titles.keys()) {
    const text = await use("read_page", { page: id, max_tokens: 1000 });
    const [, outline = ""] = /\nHeadings:\n((?: *- .*\n)+)/.exec(text) ?? [];
    const marked = [...text.matchAll(/^#{2,6} .+$/gm)].map(([heading]) => heading);
    for (const heading of [...outline.split("\n").filter((line) => / \(offset=/.test(line)), ...marked]) {
      headings += 1;
      const part = await use("read_page", { page: id, heading, max_tokens: 1000 });
      const [, shown = ""] = /\n(?:~{3,})\n(.*)\n/.exec(part) ?? [];
      const plain = heading.replace(/^[ #-]*/, "").replace(/ \(offset=\d+\)$/, "");
      assert.ok(shown.includes(plain.slice(0, 10)), `${heading}: ${shown}`);
    }
  }
  assert.ok(headings > 20, `${headings} headings`);
});

test("AGT-3: a short id that reads like a number stays text", async () => {
  const numeric = [...titles.keys()].filter((id) => /^\d+(?:e\d+)?$/.test(id));
  assert.ok(numeric.length > 0, "the sample has such a page");
  for (const id of numeric)
    for (const page of [`[${id}]`, id, [`[${id}]`], `[${id}, ${id}]`])
      assert.match(await use("read_page", { page }), new RegExp(`^# .*\\[${id}\\]`), JSON.stringify(page));
});
