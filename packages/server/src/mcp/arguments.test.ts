import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { isOnlyIfNamed, type ToolName, tools } from "@clew/contract";
import { upsertCollections } from "../store/queries/containers.ts";
import { nodeId } from "../store/testing/scratch.ts";
import { type Stage, stageAgent, use, workspace } from "./testing/agent-server.ts";

const pages = [
  { number: 1, given: { title: "Sky" }, text: "Stars shine." },
  { number: 2, given: { title: "Star", parentId: nodeId(1) }, text: "It shines." },
  { number: 6, given: { title: "Catalogue", type: "database" as const } },
];

/** A row; the clock of the tests begins on 2031-03-04. */
const task = (number: number, due: string) => ({
  number,
  given: {
    title: `Task ${number}`,
    parentId: nodeId(6),
    properties: { Name: `Task ${number}`, Due: { start: due, end: null } },
  },
});

async function open(t: TestContext): Promise<Stage> {
  const tasks = [task(7, "2031-02-01"), task(8, "2031-04-01"), task(9, "2031-03-03")];
  const stage = await stageAgent(t, [...pages, ...tasks]);
  const { server, connection } = stage;
  const columns = [
    { name: "Name", type: "title" as const, options: [] },
    { name: "Due", type: "date" as const, options: [] },
  ];
  await server.fixture.database.transaction((trx) =>
    upsertCollections(trx, connection.id, [{ id: nodeId(6), databaseId: nodeId(6), columns }]),
  );
  return stage;
}

/** Calls with names and words that agents make up, and the call that each means. */
const calls: readonly (readonly [ToolName, sent: object, meant: object])[] = [
  ["search_pages", { q: "sky" }, { query: "sky" }],
  ["search_pages", { search: "sky", top_k: 1, offset: 0 }, { query: "sky", limit: 1, skip: 0 }],
  ["search_pages", { text: "sky", type: "pages" }, { query: "sky", type: "page" }],
  ["search_pages", { is: "orphans", since: "last week" }, { is: "orphan", updated_after: "last week" }],
  ["build_context", { query: "stars", id: nodeId(2) }, { question: "stars", near: nodeId(2) }],
  ["read_page", { page_id: nodeId(1), skip: 3 }, { page: nodeId(1), offset: 3 }],
  ["read_page", { name: "Sky" }, { page: "Sky" }],
  ["list_links", { url: "Sky", kinds: ["links", "Subpages"] }, { page: "Sky", kinds: ["link", "subpage"] }],
  [
    "list_links",
    { page: { id: nodeId(1), title: "Sky" }, direction: "incoming", kinds: ["child"] },
    { page: nodeId(1), direction: "in", kinds: ["subpage"] },
  ],
  ["recent_changes", { days: 7 }, { since: "7d" }],
  ["search_pages", { keywords: ["sky", "star"] }, { query: "sky star" }],
  ["search_pages", { sort: "relevance" }, {}],
  ["search_pages", { sort: "title", order: "descending" }, { sort: "title", order: "desc" }],
  [
    "query_database",
    { database: "Catalogue", where: { Name: "Task 7" } },
    { database: "Catalogue", where: ["Name = Task 7"] },
  ],
  [
    "query_database",
    { database: "Catalogue", where: "Name ~ Task AND Due < 2031-03-04" },
    { database: "Catalogue", where: ["Name ~ Task", "Due < 2031-03-04"] },
  ],
  [
    "query_database",
    { database: "Catalogue", filter: { property: "Due", date: { before: "2031-03-04" } } },
    { database: "Catalogue", where: ["Due < 2031-03-04"] },
  ],
  [
    "query_database",
    { database: "Catalogue", sorts: [{ property: "Due", direction: "descending" }], columns: "*" },
    { database: "Catalogue", sort: "Due", order: "desc" },
  ],
  [
    "query_database",
    { database: "Catalogue", sort: "due desc" },
    { database: "Catalogue", sort: "Due", order: "desc" },
  ],
  ["search_pages", { type: "any", workspace: "all", sort: "-updated" }, { sort: "updated", order: "desc" }],
  ["search_pages", { q: "sky", in: "content", detail: "short" }, { query: "sky", in: "text" }],
  ["list_links", { page: { page: "Sky" }, kinds: "all" }, { page: "Sky" }],
  ["list_links", { page: "Sky/Star" }, { page: "Sky › Star" }],
  ["find_related", { id: "Sky", max_results: 3 }, { page: "Sky", limit: 3 }],
  ["find_paths", { source: "Sky", target: "Star" }, { from: "Sky", to: "Star" }],
  ["query_database", { name: "Catalogue", filter: "Name = x" }, { database: "Catalogue", where: "Name = x" }],
  ["recent_changes", { after: "3 days ago" }, { since: "3 days ago" }],
  ["workspace_overview", { page_id: "Sky", max_depth: 1 }, { page: "Sky", depth: 1 }],
  ["fetch", { page_id: nodeId(1) }, { id: nodeId(1) }],
  ["search", { q: "sky" }, { query: "sky" }],
];

test("AGT-3: a call with common other names is the call that it means", async (t) => {
  const { agent } = await open(t);
  for (const [name, sent, meant] of calls) {
    const answer = await use(agent, name, { ...meant });
    assert.equal(answer.isError, false, answer.text);
    assert.deepEqual(await use(agent, name, { ...sent }), answer, JSON.stringify(sent));
  }
});

test("AGT-3: the answer names what was ignored, guessed or brought within bounds", async (t) => {
  const { agent } = await open(t);
  const ask = async (input: object) => (await use(agent, "search_pages", { query: "sky", ...input })).text;
  const note = async (input: object) => (await ask(input)).split("\n").at(-1);
  assert.equal(await note({ reasoning: "To find it." }), "(Your arguments: reasoning was ignored.)");
  assert.equal(await note({ limit: 1000 }), "(Your arguments: limit is at most 50, which was used.)");
  assert.equal(
    await note({ lmit: 0, max_tokens: 1e9, thought: "?" }),
    "(Your arguments: max_tokens is at most 20000, which was used; limit is at least 1, which was used; lmit was read as limit; thought was ignored.)",
  );
  assert.doesNotMatch(await ask({ limit: 50 }), /Your arguments/);
  const error = await use(agent, "search_pages", { querry: "sky", userinfo: "me" });
  assert.match(error.text, /^invalid_request: .*\n- userinfo is not known\. There are query, in, /);
});

test("AGT-3: beside a message, the note is a text of its own, and the form that ChatGPT expects has none", async (t) => {
  const { agent } = await open(t);
  for (const name of Object.keys(tools) as ToolName[]) {
    const [, , input = {}] = calls.find(([each]) => each === name) ?? [];
    const detail = isOnlyIfNamed(name) ? {} : { detail: "full" };
    const { text, message, note } = await use(agent, name, { ...input, ...detail, reasoning: "Because." });
    if (isOnlyIfNamed(name)) assert.equal(typeof JSON.parse(text), "object");
    else assert.deepEqual(JSON.parse(text), message);
    assert.equal(note, isOnlyIfNamed(name) ? "" : "(Your arguments: reasoning was ignored.)", name);
  }
});

test("AGT-4: an error names parameters as the tool has them, and a page that is no database with the databases", async (t) => {
  const { agent, server, owner } = await open(t);
  const errorOf = async (name: ToolName, input: Record<string, unknown>, client = agent) => {
    const { text, isError } = await use(client, name, input);
    assert.ok(isError, text);
    return text;
  };
  assert.match(await errorOf("build_context", { question: "???" }), /\n- question has no word/);
  assert.match(await errorOf("search_pages", { query: "???" }), /\n- query has no word/);
  assert.match(
    await errorOf("query_database", { database: "Sky" }),
    /^invalid_request: Sky \[00000001\] is a page, not a database\. Databases are: Catalogue \[00000006\]\./,
  );
  assert.match(
    await errorOf("query_database", { database: "Task 7" }),
    /is a page, not a database, but a row of Catalogue \[00000006\]/,
  );
  const { raw } = await owner.token({ workspaceIds: [workspace], scopes: ["graph:read"] });
  const reader = await server.agent(raw);
  const hidden = await errorOf("query_database", { database: nodeId(1) }, reader);
  assert.match(hidden, /Give the link or id of a database\.$/);
  assert.doesNotMatch(hidden, /Catalogue/);
  assert.match(
    await errorOf("recent_changes", { since: "next week" }),
    /\n- since must be .* 24h.*yesterday.*3 days ago or October 2026$/,
  );
});

test("AGT-3: a relation is compared with a page as answers print it", async (t) => {
  const relation = { type: "relation" as const, name: "About", options: [] };
  const row = (number: number, about: number) => ({
    number,
    given: { title: `Row ${number}`, parentId: nodeId(6), properties: { About: [nodeId(about)] } },
  });
  const { agent, server, connection } = await stageAgent(t, [...pages, row(7, 1), row(8, 2)]);
  const columns = [{ name: "Name", type: "title" as const, options: [] }, relation];
  await server.fixture.database.transaction((trx) =>
    upsertCollections(trx, connection.id, [{ id: nodeId(6), databaseId: nodeId(6), columns }]),
  );
  const short = nodeId(2).slice(-8);
  for (const page of [`Star [${short}]`, `[${short}]`, short, `[Star](${short})`, nodeId(2), "Star"]) {
    const { text } = await use(agent, "query_database", { database: "Catalogue", where: `About = ${page}` });
    assert.match(text, /: 1 row that meets the conditions\n.*\n.*\n\| 00000008 /, page);
  }
});

test("AGT-3: times in conditions may be words too", async (t) => {
  const { agent } = await open(t);
  const found = async (where: string) => {
    const { text } = await use(agent, "query_database", { database: "Catalogue", where });
    return [...text.matchAll(/\bTask (\d)/g)].map(([, number]) => Number(number));
  };
  assert.deepEqual(await found("Due < today"), [7, 9]);
  assert.deepEqual(await found("Due > 3 days ago"), [8, 9]);
  assert.deepEqual(await found("Due is before 1 March 2031"), [7]);
});
