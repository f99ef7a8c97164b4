import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { share } from "@clew/stand-in/testing/share";
import { syncReportsOf } from "../store/queries/sync-reports.ts";
import { type Call, changed, createWorkspace, type Intercept, type Json, json } from "./testing/workspace.ts";

const idOf = (number: number) => `${number}0000000-0000-4000-8000-000000000000`;
const bareIdOf = (number: number) => idOf(number).replaceAll("-", "");
const rows = Array.from({ length: 27 }, (_, index) => `row-${index}`);

const front = (updated: string, more: string) =>
  `---\ncreated: 2025-01-01T00:00:00Z\nupdated: ${updated}\n${more}\n---\n`;

/** A workspace that needs every kind of call: a tree, a relation that is cut, a page in parts, a bookmark. */
const filesOf = (updated: string) => ({
  "start.md": `${front(updated, `id: ${idOf(1)}`)}# Start\n\nSee [[Second]] and [[Tasks]].\n`,
  "guides/index.md": `${front(updated, `id: ${idOf(2)}`)}# Guides\n`,
  "guides/deep/second.md": `${front(updated, `id: ${idOf(3)}`)}# Second\n\nBack to [Start](../../start.md).\n`,
  "large.md": `${front(updated, `id: ${idOf(4)}`)}# Large\n\n${"Words.\n\n".repeat(23)}To [Start](start.md).\n`,
  "tasks/_database.yml": `id: ${idOf(5)}\ntitle: Tasks\nproperties:\n  Count: { type: number }\n  Blocks: { type: relation, database: . }\n`,
  "tasks/index.md": front(updated, ""),
  "tasks/all.md": `${front(updated, `id: ${idOf(6)}\nCount: 7\nBlocks: [${rows.map((row) => `./${row}.md`).join(", ")}]`)}# All\n`,
  "tasks/one.md": `${front(updated, `id: ${idOf(7)}\nBlocks: [./all.md]`)}# One\n`,
  ...Object.fromEntries(rows.map((row) => [`tasks/${row}.md`, `${front(updated, "Count: 1")}# ${row}\n`])),
});

const isList = ({ path }: Call) => path === "/v1/search" || path.endsWith("/query");
const isSearch = ({ path }: Call) => path === "/v1/search";
const isQuery = ({ path }: Call) => path.endsWith("/query");
const isLookUp = ({ path }: Call) => /^\/v1\/(?:pages|databases|data_sources)\/[^/]+$/.test(path);
const isDatabase = ({ path }: Call) => path.startsWith("/v1/databases/");
const isItem = ({ path }: Call) => path.includes("/properties/");
const isText = ({ path }: Call) => path.endsWith("/markdown");
const isBlock = ({ path }: Call) => /^\/v1\/blocks\/[^/]+$/.test(path);
const isObject = (call: Call) => isList(call) || isLookUp(call);

const passes: Intercept = (_, pass) => pass();

/** Adds a bookmark to the text of the page at the start, which its Markdown leaves out. */
const bookmarked: Intercept = async (call, pass) => {
  if (call.path === `/v1/pages/${idOf(1)}/markdown`) {
    const line = `<unknown url="https://www.notion.so/${bareIdOf(1)}#${bareIdOf(8)}" alt="bookmark"/>`;
    return changed(await pass(), (text) => ({ ...text, markdown: `${text.markdown}\n${line}` }));
  }
  if (call.path !== `/v1/blocks/${idOf(8)}`) return pass();
  const bookmark = { url: `https://www.notion.so/${bareIdOf(2)}`, caption: [] };
  return json({ object: "block", id: idOf(8), type: "bookmark", bookmark });
};

type Change = (body: Json) => unknown;

const answers =
  (which: (call: Call) => boolean, change: Change): Intercept =>
  async (call, pass) =>
    which(call) ? changed(await pass(), change) : pass();

/** Changes every object of an answer, be it a list or one. */
const objects = (which: (call: Call) => boolean, change: Change): Intercept =>
  answers(which, (body) =>
    Array.isArray(body.results) ? { ...body, results: body.results.map(change) } : change(body),
  );

const pages = (change: Change) => objects(isObject, (one) => (one.object === "page" ? change(one) : one));
const property = (name: string, change: Change) =>
  pages((page) =>
    page.properties[name] === undefined
      ? page
      : { ...page, properties: { ...page.properties, [name]: change(page.properties[name]) } },
  );
const without =
  (...names: string[]): Change =>
  (body) => ({
    ...body,
    ...Object.fromEntries(names.map((name) => [name, undefined])),
  });
/** Leaves rows out of what search lists, so that they come as rows alone. */
const onlyAsRows =
  (by: Intercept): Intercept =>
  (call, pass) =>
    by(call, async () => {
      const answer = await pass();
      if (!isSearch(call)) return answer;
      const isNoRow = ({ parent }: Json) => parent.type !== "data_source_id";
      return changed(answer, (list) => ({ ...list, results: list.results.filter(isNoRow) }));
    });

const title = (page: Json) => page.properties.title ?? page.properties.Name;
const retitled = (change: Change) =>
  pages((page) => ({
    ...page,
    properties: { ...page.properties, [page.properties.title ? "title" : "Name"]: change(title(page)) },
  }));

/** Malformed responses. If looking up the listed nodes makes up for one, the sync is still complete. */
const malformed: Readonly<Record<string, Intercept | { heals: Intercept }>> = {
  "search answers {}": answers(isSearch, () => ({})),
  "search answers results: null": answers(isSearch, (list) => ({ ...list, results: null })),
  "search answers an object of results": answers(isSearch, (list) => ({ ...list, results: {} })),
  "search answers an error with 200": answers(isSearch, () => ({ object: "error", code: "x" })),
  "search has more and no cursor": answers(isSearch, (list) => ({
    ...list,
    results: list.results.slice(0, 2),
    has_more: true,
    next_cursor: null,
  })),
  "search has more and a number as cursor": answers(isSearch, (list) => ({
    ...list,
    results: list.results.slice(0, 2),
    has_more: true,
    next_cursor: 2,
  })),
  "search does not say whether there is more": answers(isSearch, (list) => ({
    ...list,
    results: list.results.slice(0, 2),
    has_more: undefined,
    next_cursor: "x",
  })),
  "search says in words whether there is more": answers(isSearch, (list) => ({ ...list, has_more: "no" })),
  "search lists what has no id": answers(isSearch, (list) => ({
    ...list,
    results: list.results.map(without("id")),
  })),
  "search lists what does not say what it is": answers(isSearch, (list) => ({
    ...list,
    results: list.results.map(without("object")),
  })),
  "search lists without last_edited_time": { heals: objects(isSearch, without("last_edited_time")) },
  "search lists without created_time": { heals: objects(isSearch, without("created_time")) },
  "search lists pages without properties": {
    heals: objects(isSearch, (one) => (one.object === "page" ? without("properties")(one) : one)),
  },
  "search lists data sources without title": {
    heals: objects(isSearch, (one) => (one.object === "page" ? one : without("title")(one))),
  },
  "search lists without parents": { heals: objects(isSearch, without("parent", "database_parent")) },
  "nothing has last_edited_time": objects(isObject, without("last_edited_time")),
  "nothing has created_time": objects(isObject, without("created_time")),
  "no parent has a type": objects(isObject, (one) => ({ ...one, parent: {}, database_parent: {} })),
  "search says that it lists less than there is": answers(isSearch, (list) => ({
    ...list,
    request_status: { type: "incomplete", incomplete_reason: "query_result_limit_reached" },
  })),
  "rows do not say in which way they are cut": onlyAsRows(
    answers(isQuery, (list) => ({
      ...list,
      results: list.results.slice(0, 2),
      request_status: "incomplete",
    })),
  ),
  "rows answer {}": onlyAsRows(answers(isQuery, () => ({}))),
  "rows answer results: null": onlyAsRows(answers(isQuery, (list) => ({ ...list, results: null }))),
  "rows have more and no cursor": onlyAsRows(
    answers(isQuery, (list) => ({ ...list, results: list.results.slice(0, 2), has_more: true })),
  ),
  "rows without last_edited_time": { heals: onlyAsRows(objects(isQuery, without("last_edited_time"))) },
  "rows without last_edited_time, looked up too": onlyAsRows(
    objects(
      (call) => isQuery(call) || call.path.startsWith("/v1/pages/"),
      (one) => (one.parent?.type === "data_source_id" ? without("last_edited_time")(one) : one),
    ),
  ),
  "pages without properties": pages(without("properties")),
  "properties in a list": pages((page) => ({ ...page, properties: Object.values(page.properties) })),
  "titles without type": retitled(without("type")),
  "titles that are null": retitled((one) => ({ ...one, title: null })),
  "databases without data_sources": async (call, pass) => {
    const answer = await pass();
    if (isDatabase(call)) return changed(answer, without("data_sources"));
    if (!isSearch(call)) return answer;
    const isAlone = ({ object, parent }: Json) => object === "page" && parent.type !== "data_source_id";
    return changed(answer, (list) => ({ ...list, results: list.results.filter(isAlone) }));
  },
  "a relation that is null": property("Blocks", (one) => ({ ...one, relation: null })),
  "a relation without ids": property("Blocks", (one) => ({
    ...one,
    relation: one.relation.map(() => ({})),
    has_more: false,
  })),
  "a number in words": property("Count", (one) => ({ ...one, number: "7" })),
  "a property without type": property("Count", without("type")),
  "a property that is null": property("Count", () => null),
  "a relation that does not say whether it is whole": {
    heals: property("Blocks", (one) => ({ ...one, has_more: undefined })),
  },
  "property items answer {}": answers(isItem, () => ({})),
  "property items without property_item": answers(isItem, without("property_item")),
  "property items with an empty property_item": answers(isItem, (list) => ({ ...list, property_item: {} })),
  "property items of an unknown type": answers(isItem, (list) => ({
    ...list,
    property_item: { type: "hologram", hologram: {} },
  })),
  "property items without results": answers(isItem, without("results")),
  "property items of another shape": answers(isItem, (list) => ({
    ...list,
    results: list.results.map(() => ({ type: "number", number: 1 })),
  })),
  "property items have more and no cursor": answers(isItem, (list) => ({
    ...list,
    results: list.results.slice(0, 3),
    has_more: true,
  })),
  "texts are null": answers(isText, (text) => ({ ...text, markdown: null })),
  "texts are truncated in words": answers(isText, (text) =>
    text.truncated ? { ...text, truncated: "true", unknown_block_ids: [] } : text,
  ),
  "texts are truncated and name nothing": answers(isText, (text) =>
    text.truncated ? { ...text, unknown_block_ids: [] } : text,
  ),
  "texts name one part in a way that is no id": answers(isText, (text) =>
    text.truncated ? { ...text, unknown_block_ids: [...text.unknown_block_ids.slice(1), "?"] } : text,
  ),
  "texts do not say whether they are whole": answers(isText, without("truncated")),
  "unsupported blocks answer {}": answers(isBlock, () => ({})),
  "unsupported blocks answer without their content": answers(isBlock, ({ type, id }) => ({ type, id })),
  "unsupported blocks answer 403": async (call, pass) =>
    isBlock(call) ? json({ object: "error", status: 403, code: "restricted_resource" }, 403) : pass(),
};

/** Replaces parts of an answer's JSON by texts that `JSON.stringify` does not write. */
const rewritten =
  (which: (call: Call) => boolean, mark: Change, text: string): Intercept =>
  async (call, pass) => {
    const marked = await objects(which, mark)(call, pass);
    return which(call) ? new Response((await marked.text()).replaceAll('"MARK"', text), marked) : marked;
  };

const deep = (levels: number) =>
  `${'{"type":"rollup","rollup":{"type":"array","array":['.repeat(levels)}${"]}}".repeat(levels)}`;

/** Changes the property `Count` of one page, wherever it is shown. */
const countOfOne = (change: Change, text: string) =>
  rewritten(
    isObject,
    (one) =>
      one.id === idOf(7)
        ? { ...one, properties: { ...one.properties, Count: change(one.properties.Count) } }
        : one,
    text,
  );

/** More than Clew takes of one answer. White space around JSON has no meaning. */
const padding = new Uint8Array(11 * 1024 * 1024).fill(0x20);

/** Answers that are too large, if a list says so. Their padding is one piece, because Clew looks at every byte before it. */
const large =
  (which: (call: Call) => boolean, isLarge: (results: Json[]) => boolean): Intercept =>
  async (call, pass) => {
    const answer = await pass();
    if (!which(call)) return answer;
    const text = await answer.text();
    if (!isLarge(JSON.parse(text).results ?? [])) return new Response(text, answer);
    return new Response(ReadableStream.from([Buffer.from(text), padding]), answer);
  };

/** Lists that repeat their first answer without end, each time with a new cursor. */
const endless = (which: (call: Call) => boolean): Intercept => {
  const first = new Map<string, string>();
  let count = 0;
  return async (call, pass) => {
    if (!which(call)) return pass();
    count += 1;
    const text = first.get(call.path) ?? (await (await pass()).text());
    first.set(call.path, text);
    return json({ ...JSON.parse(text), has_more: true, next_cursor: `${count}` });
  };
};

/** Responses without bounds. If a smaller question makes up for one, the sync is still complete. */
const unbounded: typeof malformed = {
  "answers of more than three pages are too large": { heals: large(isSearch, (list) => list.length > 3) },
  "answers of more than three rows are too large": {
    heals: onlyAsRows(large(isQuery, (list) => list.length > 3)),
  },
  "answers of more than three items are too large": { heals: large(isItem, (list) => list.length > 3) },
  "one page is too large for any answer": large(isSearch, (list) => list.some(({ id }) => id === idOf(2))),
  "one row is too large for any answer": onlyAsRows(
    // An incremental sync lists no rows here, and its answer is too large as well.
    large(isQuery, (list) => list.length === 0 || list.some(({ id }) => id === idOf(7))),
  ),
  "search has no end": endless(isSearch),
  "rows have no end": onlyAsRows(endless(isQuery)),
  "property items have no end": endless(isItem),
  "a rollup is nested 20 000 levels deep": countOfOne(() => "MARK", deep(20_000)),
  "a number is out of range": countOfOne((count) => ({ ...count, number: "MARK" }), "1e400"),
  "a time is beyond the year 9999": objects(isObject, (one) =>
    one.id === idOf(7) ? { ...one, last_edited_time: "+010000-01-01T00:00:00.000Z" } : one,
  ),
};

/** One workspace for all cases of a test; each begins with a connection that nothing is stored of. */
async function setUp(t: TestContext) {
  const workspace = await createWorkspace(t, filesOf("2026-01-01T00:00:00Z"), { markdownBlockLimit: 20 });
  let edits = 0;
  let id = 0;
  const graph = async () => ({ nodes: await nodesOf(workspace, id), edges: await workspace.edges(id) });
  const run = async (by: Intercept | null, wish: { full?: boolean } = {}) => {
    workspace.intercept((call, pass) => (by ?? passes)(call, () => bookmarked(call, pass)));
    await workspace.sync.request(id, wish);
    await workspace.end(id);
    const [report] = await syncReportsOf(workspace.database.read, id);
    assert.ok(report);
    return report;
  };
  const connect = async () => {
    await workspace.database.transaction((trx) => trx.deleteFrom("connections").execute());
    id = (await workspace.connect()).id;
  };
  /** Edits all pages but most of the rows, an hour later. */
  const edit = async () => {
    edits += 1;
    workspace.pass(60 * 60_000);
    const files = Object.entries(filesOf(new Date(Date.UTC(2026, 0, 1, 0, 10 * edits)).toISOString()));
    await workspace.write(Object.fromEntries(files.filter(([path]) => !/row-[1-9]/.test(path))));
  };
  await connect();
  assert.equal((await run(null)).outcome, "complete");
  /** The graph that a sync stores if nothing is malformed. */
  const expected = await graph();
  const assertWhole = async () => assert.deepEqual(await graph(), expected);
  await connect();
  return { workspace, run, connect, edit, assertWhole };
}

async function nodesOf({ database }: Awaited<ReturnType<typeof createWorkspace>>, connectionId: number) {
  return database.read
    .selectFrom("nodes")
    .leftJoin("contents", (join) =>
      join
        .onRef("contents.connection_id", "=", "nodes.connection_id")
        .onRef("contents.node_id", "=", "nodes.id"),
    )
    .select(["title", "type", "properties", "contents.markdown"])
    .where("nodes.connection_id", "=", connectionId)
    .orderBy("nodes.id")
    .execute();
}

/** Each rule with its faults, and how many of them a run of the tests draws. */
const families = [
  ["SYNC-5", malformed, 14],
  ["SYNC-13", unbounded, 4],
] as const;

for (const [rule, faults, count] of families)
  test(`${rule}: malformed answers`, async (t) => {
    const { run, connect, edit, assertWhole } = await setUp(t);
    for (const [what, fault] of share(`${rule}: malformed answers`, Object.entries(faults), count)) {
      const heals = typeof fault === "object";
      const by = typeof fault === "object" ? fault.heals : fault;
      const runMalformed = async (wish: { full?: boolean } = {}) => {
        const { outcome, unanswered } = await run(by, wish);
        if (heals) assert.equal(outcome, "complete", JSON.stringify(unanswered));
        else assert.notEqual(outcome, "complete");
      };

      await t.test(
        `${rule}: no sync is complete that lacks something, or loses anything: ${what}`,
        async () => {
          await connect();
          await runMalformed();
          if (heals) await assertWhole();
          assert.equal((await run(null)).outcome, "complete");
          await assertWhole();
          for (const full of [false, true]) {
            await edit();
            await runMalformed({ full });
            await assertWhole();
          }
          assert.equal((await run(null)).outcome, "complete");
          await assertWhole();
        },
      );
    }
  });

test("SYNC-5: no sync is complete in which a page cannot be read that was not edited", async (t) => {
  const { run, assertWhole, workspace } = await setUp(t);
  workspace.pass(60 * 60_000);
  await run(null);
  workspace.pass(60 * 60_000);
  assert.equal((await run(property("Count", () => null))).outcome, "incomplete");
  await assertWhole();
  assert.equal((await run(null)).outcome, "complete");
  await assertWhole();
});

test("SYNC-5: what could not be read of a page that search does not list is read by the next sync", async (t) => {
  const { workspace, run, assertWhole } = await setUp(t);
  const isHidden = ({ id }: Json) => id === idOf(3);
  const hidden = answers(isSearch, (list) => ({
    ...list,
    results: list.results.filter((page: Json) => !isHidden(page)),
  }));
  const and =
    (by: Intercept): Intercept =>
    (call, pass) =>
      hidden(call, () => by(call, pass));
  const parts: readonly Intercept[] = [
    pages((page) => (isHidden(page) ? { ...page, properties: { ...page.properties, More: null } } : page)),
    pages((page) => (isHidden(page) ? without("last_edited_time")(page) : page)),
  ];
  for (const by of parts) assert.equal((await run(and(by))).outcome, "incomplete");
  const { kind, outcome } = await run(hidden);
  assert.deepEqual({ kind, outcome }, { kind: "incremental", outcome: "complete" });
  await assertWhole();
  workspace.calls.length = 0;
  await run(hidden);
  assert.ok(!workspace.calls.some(isLookUp), "nothing is left to be looked up");
});

test("SYNC-13: others sync to the end beside lists that have none", async (t) => {
  const workspace = await createWorkspace(t, filesOf("2026-01-01T00:00:00Z"));
  const authorizations: string[] = [];
  const people: number[] = [];
  for (const person of ["Librarian", "Visitor"]) {
    const { id } = await workspace.connect({ person });
    assert.equal((await workspace.run(id)).sync.outcome, "complete");
    people.push(id);
    authorizations.push(workspace.calls.at(-1)?.authorization ?? "");
  }
  const [hostile = 0, healthy = 0] = people;
  for (const by of [endless(isSearch), endless(isQuery), endless(isItem)]) {
    workspace.intercept((call, pass) => (call.authorization === authorizations[0] ? by(call, pass) : pass()));
    const ends = people.map(async (id) => {
      await workspace.sync.request(id, { full: true });
      return (await workspace.end(id)).sync.outcome;
    });
    assert.deepEqual(await Promise.all(ends), ["incomplete", "complete"]);
    assert.deepEqual(await workspace.edges(hostile), await workspace.edges(healthy));
  }
});
