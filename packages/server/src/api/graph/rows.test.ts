import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ColumnType } from "@clew/contract";
import type { Json } from "../../model/node.ts";
import { upsertCollections } from "../../store/queries/containers.ts";
import { nodeId } from "../../store/testing/scratch.ts";
import { followList, nextOf, type Person, type SeededPage, serveGraphs } from "./testing/graph-server.ts";
import { parseCsv } from "./testing/parse-export.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const path = `/nodes/${nodeId(1)}/rows/`;

const columns: Readonly<Record<string, ColumnType>> = {
  Name: "title",
  Size: "number",
  Tags: "multi_select",
  Due: "date",
  Page: "relation",
};

const tasks: readonly (readonly [number, string, Readonly<Record<string, Json>>])[] = [
  [11, "Write", { Size: 3, Tags: ["Red"], Due: { start: "2026-01-01", end: null }, Page: [nodeId(2)] }],
  [12, "=SUM(1)", { Size: 10, Tags: ["Red", "Blue"], Page: [nodeId(99)] }],
  [13, "Adapt | test", { Tags: [], Due: { start: "2020-01-01", end: "2020-02-01" } }],
];

const database: SeededPage = { number: 1, given: { type: "database", title: "Tasks" } };
const pages: readonly SeededPage[] = [
  database,
  { number: 2, given: { title: "Plan" } },
  ...tasks.map(([number, title, properties]) => ({
    number,
    given: { title, parentId: nodeId(1), properties: { Name: title, ...properties } },
  })),
];

const dataSource = (number: number, given: Readonly<Record<string, ColumnType>>) => ({
  id: nodeId(number),
  databaseId: nodeId(1),
  columns: Object.entries(given).map(([name, type]) => ({
    name,
    type,
    options: name === "Tags" ? ["Red", "Blue"] : [],
  })),
});

interface Owner extends Person {
  /** Whether a client counts as paging through a list of the connection. */
  isRead(): boolean;
  sync(pages: readonly SeededPage[]): Promise<void>;
  setColumns(dataSource: number, columns: Readonly<Record<string, ColumnType>>): Promise<void>;
}

/** A user with these pages, the first of them a database. */
async function ownerOf(t: TestContext, seeded: readonly SeededPage[]): Promise<Owner> {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const connection = await owner.connect(workspace, seeded);
  return {
    ...owner,
    sync: (next) => server.sync(connection, next),
    isRead: () => server.givenCursors.readingLeft(connection.id) > 0,
    setColumns: (number, given) =>
      server.fixture.database.transaction((trx) =>
        upsertCollections(trx, connection.id, [dataSource(number, given)]),
      ),
  };
}

async function ownerOfTasks(t: TestContext): Promise<Owner> {
  const owner = await ownerOf(t, pages);
  await owner.setColumns(50, columns);
  return owner;
}

const query = (parameters: [string, string][]) => `${path}?${new URLSearchParams(parameters)}`;

const titles = (items: readonly { readonly node: { readonly title: string } }[]) =>
  items.map(({ node }) => node.title);

test("GRAPH-23: rows are listed by title, with the schema and their properties", async (t) => {
  const { session } = await ownerOfTasks(t);
  const { status, body } = await session.get(path);
  assert.equal(status, 200);
  assert.deepEqual(
    body.schema,
    Object.entries(columns).map(([name, type]) => ({
      name,
      type,
      options: name === "Tags" ? ["Red", "Blue"] : [],
    })),
  );
  assert.deepEqual(titles(body.items), ["=SUM(1)", "Adapt | test", "Write"]);
  assert.deepEqual(
    body.items.map(({ properties }: { properties: unknown }) => properties),
    [
      {
        Name: "=SUM(1)",
        Size: 10,
        Tags: ["Red", "Blue"],
        Due: null,
        Page: [{ id: nodeId(99), title: null }],
      },
      {
        Name: "Adapt | test",
        Size: null,
        Tags: [],
        Due: { start: "2020-01-01", end: "2020-02-01" },
        Page: [],
      },
      {
        Name: "Write",
        Size: 3,
        Tags: ["Red"],
        Due: { start: "2026-01-01", end: null },
        Page: [{ id: nodeId(2), title: "Plan" }],
      },
    ],
  );
  assert.deepEqual([body.total, body.truncated, body.next_cursor], [3, false, null]);
  assert.equal(body.items[0].node.parent_id, nodeId(1));
});

test("GRAPH-23: all conditions must hold, and columns are shown in the order that is asked for", async (t) => {
  const owner = await ownerOfTasks(t);
  const token = await owner.token({ workspaceIds: [workspace], scopes: ["graph:read"] });
  const { body } = await token.get(
    query([
      ["where", "tags = red"],
      ["where", "SIZE > 5"],
      ["column", "size"],
      ["column", "Name"],
    ]),
  );
  assert.deepEqual(
    body.schema.map(({ name }: { name: string }) => name),
    ["Size", "Name"],
  );
  assert.deepEqual(
    body.items.map(({ properties }: { properties: unknown }) => properties),
    [{ Size: 10, Name: "=SUM(1)" }],
  );
  assert.equal(body.total, 1);
  const found = async (where: string) => titles((await token.get(query([["where", where]]))).body.items);
  assert.deepEqual(await found("Due < 7d"), ["Adapt | test", "Write"]);
  assert.deepEqual(await found("Due is empty"), ["=SUM(1)"]);
  assert.deepEqual(await found(`Page = ${nodeId(99)}, plan`), ["=SUM(1)", "Write"]);
  assert.deepEqual(await found(`Page = https://www.notion.so/Plan-${nodeId(2).replaceAll("-", "")}`), [
    "Write",
  ]);
  assert.deepEqual(await found("Size != 3"), ["=SUM(1)", "Adapt | test"]);
});

test("GRAPH-23: rows are sorted by a column, empty ones last, page after page", async (t) => {
  const { session } = await ownerOfTasks(t);
  for (const [order, expected] of [
    ["asc", ["Write", "=SUM(1)", "Adapt | test"]],
    ["desc", ["=SUM(1)", "Write", "Adapt | test"]],
  ] as const) {
    const { items, pages } = await followList(
      session,
      query([
        ["sort", "size"],
        ["order", order],
        ["limit", "1"],
      ]),
    );
    assert.deepEqual(titles(items as { node: { title: string } }[]), expected);
    assert.equal(pages, 3);
  }
});

test("GRAPH-23: a column named like a time is what rows are sorted by", async (t) => {
  const row = (number: number, updatedAt: number, name: string) => ({
    number,
    given: {
      title: name,
      updatedAt,
      createdAt: -updatedAt,
      parentId: nodeId(1),
      properties: { Updated: name },
    },
  });
  const { session, setColumns } = await ownerOf(t, [
    database,
    row(11, 1, "b"),
    row(12, 2, "a"),
    row(13, 3, "c"),
  ]);
  await setColumns(50, { Updated: "text" });
  const sorted = async (sort: string) => titles((await session.get(`${path}?${sort}`)).body.items);
  assert.deepEqual(await sorted("sort=updated"), ["a", "b", "c"]);
  assert.deepEqual(await sorted("sort=created"), ["b", "a", "c"]);
  assert.deepEqual(await sorted("sort=created&order=asc"), ["c", "a", "b"]);
});

test("GRAPH-23: several data sources are one schema, in which differing types are text", async (t) => {
  const { session, setColumns } = await ownerOfTasks(t);
  await setColumns(51, { Name: "title", Size: "select" });
  const { body } = await session.get(query([["where", "Size ~ 0"]]));
  assert.equal(body.schema.find(({ name }: { name: string }) => name === "Size").type, "text");
  assert.deepEqual(titles(body.items), ["=SUM(1)"]);
});

test("GRAPH-23: CSV and Markdown are tables of the same rows, and a Link leads on", async (t) => {
  const { session } = await ownerOfTasks(t);
  const first = await session.get(`${path}?limit=2`, { accept: "text/csv" });
  assert.equal(first.headers["content-type"], "text/csv; charset=utf-8");
  assert.equal(first.headers["content-security-policy"], "sandbox");
  assert.equal(first.headers["x-truncated"], undefined);
  const second = await session.get(nextOf(first), { accept: "text/csv" });
  assert.equal(second.headers.link, undefined);
  const empty = { Size: "", Tags: "", Due: "", Page: "" };
  assert.deepEqual(parseCsv(first.text + second.text.replace(/^.*\r\n/, "")), [
    { ...empty, id: nodeId(12), Name: "'=SUM(1)", Size: "10", Tags: "Red, Blue", Page: nodeId(99) },
    { ...empty, id: nodeId(13), Name: "Adapt | test", Due: "2020-01-01/2020-02-01" },
    { id: nodeId(11), Name: "Write", Size: "3", Tags: "Red", Due: "2026-01-01", Page: "Plan" },
  ]);
  const markdown = await session.get(`${path}?column=name&limit=2`, { accept: "text/markdown" });
  assert.equal(markdown.headers["content-type"], "text/markdown; charset=utf-8");
  assert.equal(
    markdown.text,
    `| id | Name |\n| --- | --- |\n| ${nodeId(12)} | =SUM(1) |\n| ${nodeId(13)} | Adapt \\| test |\n`,
  );
  assert.match(nextOf(markdown), /column=name/);
  const refused = await session.get(path, { accept: "image/png" });
  assert.deepEqual([refused.status, refused.body.code], [406, "not_acceptable"]);
});

test("GRAPH-23: what is no database, no column or no value of its type is 400", async (t) => {
  const { session } = await ownerOfTasks(t);
  const refused = async (at: string) => {
    const { status, body } = await session.get(at);
    assert.deepEqual([status, body.code], [400, "invalid_request"], at);
    return body.errors ?? [];
  };
  assert.deepEqual(await refused(`/nodes/${nodeId(2)}/rows/`), []);
  const [unknown, wrong] = await refused(
    query([
      ["where", "Colour = red"],
      ["where", "Size > big"],
    ]),
  );
  assert.equal(unknown.path, "?where");
  assert.match(unknown.message, /"Name", "Size", "Tags", "Due", "Page"/);
  assert.match(wrong.message, /"Size", a number column/);
  for (const name of ["sort", "column"]) {
    const [fault] = await refused(query([[name, "Colour"]]));
    assert.equal(fault.path, `?${name}`);
    assert.match(fault.message, /"Name", "Size"/);
  }
  assert.equal(
    (await refused(query(Array<[string, string]>(21).fill(["where", "Size = 1"]))))[0].path,
    "?where",
  );
  const unshared = await session.get(`/nodes/${nodeId(99)}/rows/`);
  assert.deepEqual([unshared.status, unshared.body.code], [404, "node_not_found"]);
});

test("GRAPH-23: with =, a value that is an option of neither the schema nor a row is 400, and names the options", async (t) => {
  const { session, setColumns, sync } = await ownerOfTasks(t);
  const answer = (...where: string[]) => session.get(query(where.map((each) => ["where", each])));
  const fault = async (...where: string[]) => {
    const { status, body } = await answer(...where);
    assert.deepEqual([status, body.code], [400, "invalid_request"], where.join());
    return body.errors.map(({ path, message }: { path: string; message: string }) => `${path} ${message}`);
  };
  assert.deepEqual(await fault("Tags = blu"), [
    '?where compares "Tags", a multi select column, with "blu", not among its options found so far: "Blue", "Red"',
  ]);
  assert.match((await fault("Tags = reds"))[0], /: "Red", "Blue"$/);
  assert.match((await fault("Size > 5", "Tags = 'red', bleu, grün"))[0], /with "bleu", "grün", not/);
  for (const known of ["Tags == 'red'", "Tags = RED, “blue”", "Tags != violet", "Tags contains violet"])
    assert.equal((await answer(known)).status, 200, known);
  assert.equal((await answer("Tags = red", "Size contains 3")).status, 400);
  assert.equal((await answer("Page = nobody")).status, 200);

  // An option that a row has, though the schema lost it.
  const extra = { title: "Old", parentId: nodeId(1), properties: { Name: "Old", Tags: ["Violet"] } };
  await sync([...pages, { number: 14, given: extra }]);
  await setColumns(50, columns);
  assert.deepEqual(titles((await answer("Tags = violet")).body.items), ["Old"]);
  assert.match((await fault("Tags = blu"))[0], /: "Blue", "Violet", "Red"$|: "Blue", "Red", "Violet"$/);
});

test("GRAPH-23: before a sync has read its columns, a database has rows without properties", async (t) => {
  const { session } = await ownerOf(t, pages);
  const { body } = await session.get(path);
  assert.deepEqual([body.schema, body.total, body.items[0].properties], [[], 3, {}]);
});

test("GRAPH-12, SRC-2: a cursor of rows belongs to its list, and ends with 410 once a newer graph is published", async (t) => {
  const { session, sync, isRead, setColumns } = await ownerOfTasks(t);
  const list = query([
    ["where", "Size is not empty"],
    ["limit", "1"],
  ]);
  assert(!isRead());
  const first = await session.get(list);
  assert(isRead(), "edits of a folder wait for this cursor");
  assert.equal(first.body.total, 2);
  const elsewhere = await session.get(`${path}?limit=1&cursor=${first.body.next_cursor}`);
  assert.deepEqual([elsewhere.status, elsewhere.body.code], [400, "invalid_cursor"]);
  const second = await session.get(nextOf(first));
  assert.deepEqual([second.status, titles(second.body.items), second.body.total], [200, ["Write"], 2]);

  await sync([...pages, { number: 3, given: { title: "Another page" } }]);
  const expired = await session.get(nextOf(first));
  assert.deepEqual([expired.status, expired.body.code], [410, "cursor_expired"]);

  const again = await session.get(list);
  await setColumns(50, { ...columns, Size: "text" });
  assert.equal((await session.get(nextOf(again))).body.code, "cursor_expired");
});
