import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Node } from "@clew/contract";
import type { Author } from "@clew/graph";
import { setAuthors } from "../../store/queries/authors.ts";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import type { Answer } from "../testing/route-server.ts";
import { followList, nextOf, serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

const titlesOf = ({ body }: Answer): string[] =>
  body.items.map(({ node }: { readonly node: Node }) => node.title);

const titled = (number: number, title: string) => ({ number, given: { title } });

test("GRAPH-2: the results of several workspaces are ranked together", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [
    titled(1, "Red giants"),
    titled(2, "Giants"),
    { ...titled(3, "The giants of the sky"), references: [referenceTo(1)] },
  ]);
  await owner.connect(other, [
    titled(4, "Giants"),
    { ...titled(5, "Blue giants"), references: [referenceTo(6)] },
    titled(6, "x"),
  ]);
  const answer = await owner.session.get("/search/?q=giants");
  assert.equal(answer.status, 200);
  assert.deepEqual(
    answer.body.items.map(({ node, match }: (typeof answer.body.items)[number]) => [node.id, match]),
    [
      [nodeId(2), "exact"],
      [nodeId(4), "exact"],
      // The shorter title comes first.
      [nodeId(1), "words"],
      [nodeId(5), "words"],
      [nodeId(3), "words"],
    ],
  );
  const [first] = answer.body.items;
  assert.deepEqual(Object.keys(first), ["node", "score", "match"]);
  assert.deepEqual(first.node, (await owner.session.get(`/nodes/?ids=${nodeId(2)}`)).body.items[0]);
  assert.deepEqual(
    answer.body.items.map(({ score }: { score: number }) => score),
    answer.body.items.map(({ score }: { score: number }) => score).toSorted((a: number, b: number) => b - a),
  );
});

test("GRAPH-3: a page found by an alias shows its title, and is listed once across all pages", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [
    { number: 1, given: { title: "François Vaux", aliases: ["madx", "Mad X"] } },
    { number: 2, given: { title: "Madxyz", aliases: ["the madx", "madx"] } },
    titled(3, "On madx"),
  ]);
  const { items } = await followList(owner.session, "/search/?q=madx&limit=1");
  assert.deepEqual(titlesOf({ body: { items } } as Answer), ["François Vaux", "Madxyz", "On madx"]);
});

test("GRAPH-2: workspace_id, type and limit filter the results", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [
    titled(1, "Star"),
    { number: 2, given: { title: "Stars", type: "database" } },
  ]);
  await owner.connect(other, [titled(3, "Starling")]);
  const at = async (query: string) => titlesOf(await owner.session.get(`/search/?q=star${query}`));
  assert.deepEqual(
    await at(""),
    ["Star", "Starling", "Stars"].toSorted((a, b) => a.length - b.length),
  );
  assert.deepEqual(await at(`&workspace_id=${other}`), ["Starling"]);
  assert.deepEqual(await at("&type=database"), ["Stars"]);
  assert.deepEqual(await at("&limit=1"), ["Star"]);
});

test("GRAPH-2: a repeated search gets the same response and Link until a newer graph is published", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const connection = await owner.connect(workspace, [titled(1, "Star"), titled(2, "Stars")]);
  const at = () => owner.session.get("/search/?q=star&limit=1");
  const [first, second] = [await at(), await at()];
  assert.ok(first.body.next_cursor);
  assert.deepEqual([second.body, second.headers.link], [first.body, first.headers.link]);
  await server.sync(connection, [titled(3, "Star")]);
  assert.deepEqual([titlesOf(await at()), (await at()).headers.link], [["Star"], undefined]);
  assert.equal((await at()).body.items[0].node.id, nodeId(3));
});

test("GRAPH-12: two tokens with the same query on one workspace get cursors of their own", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [titled(1, "Star"), titled(2, "Stars")]);
  await owner.connect(other, [titled(3, "Star")]);
  const wide = await owner.token({ workspaceIds: [workspace, other] });
  const narrow = await owner.token({ workspaceIds: [workspace] });
  const question = `/search/?q=star&workspace_id=${workspace}&limit=1`;
  for (const bearer of [wide, wide, wide, narrow, narrow, narrow]) {
    const { next_cursor } = (await bearer.get(question)).body;
    assert.deepEqual(titlesOf(await bearer.get(`${question}&cursor=${next_cursor}`)), ["Stars"]);
  }
});

test("GRAPH-2: a query has 1 to 200 characters after trimming", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [titled(1, "😀".repeat(200)), titled(2, "x")]);
  const get = (q: string) => owner.session.get(`/search/?q=${encodeURIComponent(q)}`);
  assert.deepEqual(titlesOf(await get(" \t\u3000x\n ")), ["x"]);
  assert.deepEqual(titlesOf(await get(` ${"😀".repeat(200)} `)), ["😀".repeat(200)]);
  for (const q of ["", " ", "\u3000\n", "x".repeat(201), "😀".repeat(201)]) {
    const { status, body } = await get(q);
    assert.deepEqual([status, body.errors?.[0].path], [400, "?q"], q);
  }
});

test("GRAPH-2: no query makes the search fail", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [titled(1, "nul\0 in a title"), titled(2, "Plain")]);
  const queries = [
    "%00",
    "%00%00",
    "nul%00",
    "%ED%A0%80",
    "%FF",
    "%",
    "%zz",
    "%F0%9F",
    "\\",
    "%5C",
    "%25",
    "_",
    "(",
    "[",
    "*",
  ];
  queries.push("%CC%81", "%E2%80%8B", "%EF%BB%BF", "%E2%80%AE", "'%20or%201=1", "%22", "a%20".repeat(60));
  for (const q of queries) {
    const { status, text } = await owner.session.get(`/search/?q=${q}`);
    assert.equal([200, 400].includes(status), true, `${q}: ${text}`);
  }
});

test("GRAPH-10: a workspace that the caller cannot read is 403, whether it exists or not", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const colleague = await server.person("colleague");
  await owner.connect(workspace, [titled(1, "Page")]);
  await owner.connect(other, [titled(2, "Page")]);
  const theirs = "33333333-3333-4333-8333-333333333333";
  await colleague.connect(theirs, [titled(3, "Page")]);
  const token = await owner.token({ workspaceIds: [workspace, theirs] });
  const unknown = "44444444-4444-4444-8444-444444444444";
  const answers = [];
  for (const id of [other, theirs, unknown, "x", ""]) {
    const { status, body } = await token.get(`/search/?q=page&workspace_id=${id}`);
    assert.deepEqual([status, body.code], [403, "workspace_not_allowed"], id);
    answers.push({ ...body, request_id: null });
  }
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  assert.equal((await token.get(`/search/?q=page&workspace_id=${workspace}`)).status, 200);
  assert.equal((await owner.session.get(`/search/?q=page&workspace_id=${theirs}`)).status, 403);
});

test("GRAPH-2: an invalid parameter is reported by name", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [titled(1, "Page")]);
  const invalid = {
    limit: ["0", "101", "-1", "1.5", "x"],
    type: ["", "Page", "page,database"],
    kind: ["page"],
    sort: ["", "degrees"],
    order: ["up", "asc", "desc"],
    under: ["", "x", "https://example.com/x"],
    is: ["", "-", "orphans", "orphan,", "--orphan"],
    updated_after: ["", "today", "2030-02-30", "7"],
    updated_before: ["x"],
    created_after: ["x"],
    created_before: ["x"],
  };
  for (const [name, values] of Object.entries(invalid)) {
    for (const value of values) {
      const { status, body } = await owner.session.get(`/search/?q=page&${name}=${value}`);
      assert.deepEqual([status, body.errors?.[0].path], [400, `?${name}`], `${name}=${value}`);
    }
  }
});

test("GRAPH-3: following the cursor returns every match once, in order of rank", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const titles = ["Page", "Pages", "A page", "Homepage", "Paeg & pabe pagee"];
  const seeded = (first: number) =>
    Array.from({ length: 35 }, (_, index) => ({
      number: first + index,
      given: { title: titles[index % titles.length] ?? "", updatedAt: index % 4 },
      references: index % 3 === 0 ? [referenceTo(first + ((index * 5) % 35))] : [],
    }));
  await owner.connect(workspace, seeded(1));
  await owner.connect(other, seeded(1001));
  const token = await owner.token({ workspaceIds: [workspace, other] });
  for (const filter of ["", `&workspace_id=${other}`]) {
    const whole = await token.get(`/search/?q=page${filter}&limit=100`);
    assert.equal(whole.body.next_cursor, null);
    const found = new Set(whole.body.items.map(({ node }: { node: { id: string } }) => node.id));
    assert.equal(found.size, whole.body.items.length);
    assert.equal(found.size >= 28, true);
    for (const limit of [1, 3, 14, 50]) {
      const { items } = await followList(token, `/search/?q=page${filter}&limit=${limit}`);
      assert.deepEqual(items, whole.body.items, `by ${limit}`);
    }
  }
});

const day = 86_400_000;

/** A tree with a database, links and texts. Times are days before the server's. */
async function library(t: TestContext) {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const now = server.fixture.clock();
  const aged = (edited: number, created = edited) => ({
    updatedAt: now - edited * day,
    createdAt: now - created * day,
  });
  const home = {
    number: 1,
    given: { title: "Home", ...aged(3, 90) },
    references: [referenceTo(4)],
    text: "x",
  };
  const books = { title: "books", type: "database", parentId: nodeId(1), ...aged(2, 30) } as const;
  const connection = await owner.connect(workspace, [
    home,
    { number: 2, given: books, text: "" },
    { number: 3, given: { title: "Emma", parentId: nodeId(2), ...aged(1) }, references: [referenceTo(99)] },
    { number: 4, given: { title: "Zoo", ...aged(20, 40) } },
  ]);
  await owner.connect(other, [{ number: 11, given: { title: "Atlas", ...aged(2) } }]);
  return { server, owner, connection };
}

test("GRAPH-19: without q, search lists all pages, latest edit first, with their number", async (t) => {
  const { owner } = await library(t);
  const { body } = await owner.session.get("/search/");
  assert.deepEqual(titlesOf({ body } as Answer), ["Emma", "books", "Atlas", "Home", "Zoo"]);
  assert.deepEqual(Object.keys(body.items[0]), ["node", "score", "match"]);
  assert.deepEqual([body.items[0].score, body.items[0].match, body.total], [null, null, 5]);
  const found = await owner.session.get("/search/?q=o");
  assert.equal(found.body.total, null);
  const sorted = await owner.session.get("/search/?q=o&sort=title");
  assert.deepEqual(
    sorted.body.items.map(({ node, match }: (typeof sorted.body.items)[number]) => [node.title, match]),
    [
      ["books", "substring"],
      ["Home", "substring"],
      ["Zoo", "substring"],
    ],
  );
  assert.equal(sorted.body.total, 3);
});

test("GRAPH-19: every filter holds, alone and together, with and without q", async (t) => {
  const { owner } = await library(t);
  const at = async (query: string) => {
    const answer = await owner.session.get(`/search/?sort=title&${query}`);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.total, answer.body.items.length);
    return titlesOf(answer);
  };
  assert.deepEqual(await at(`workspace_id=${other}`), ["Atlas"]);
  assert.deepEqual(await at("type=database"), ["books"]);
  assert.deepEqual(await at(`under=${nodeId(1)}`), ["books", "Emma", "Home"]);
  assert.deepEqual(await at(`under=${nodeId(2).replaceAll("-", "")}`), ["books", "Emma"]);
  const url = `https://www.notion.so/Home-${nodeId(1).replaceAll("-", "")}?pvs=4`;
  assert.deepEqual(await at(`under=${encodeURIComponent(url)}&q=emma`), ["Emma"]);
  assert.deepEqual(await at("updated_after=2d"), ["Atlas", "books", "Emma"]);
  assert.deepEqual(await at("updated_before=2d"), ["Home", "Zoo"]);
  assert.deepEqual(await at("created_after=720h&created_before=24h"), ["Atlas", "books"]);
  assert.deepEqual(await at("created_before=5w"), ["Home", "Zoo"]);
  assert.deepEqual(await at("is=orphan"), ["Atlas", "books", "Emma"]);
  assert.deepEqual(await at("is=orphan,-broken"), ["Atlas", "books"]);
  assert.deepEqual(await at("is=broken"), ["Emma"]);
  assert.deepEqual(await at("is=row"), ["Emma"]);
  assert.deepEqual(await at("is=unreferenced,-dead_end"), ["Home"]);
  assert.deepEqual(await at("is=orphan,-orphan"), []);
  assert.deepEqual(await at(`q=o&under=${nodeId(1)}&updated_before=60h`), ["Home"]);
});

test("SRC-5: a filter by a person finds their pages, and an unknown name is refused with the names that are there", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const by = (id: string) => ({ id, name: null });
  const connection = await owner.connect(workspace, [
    { number: 1, given: { title: "Made", createdBy: by("ada"), editedBy: by("bo") } },
    { number: 2, given: { title: "Edited", createdBy: by("bo"), editedBy: by("ada") } },
    { number: 3, given: { title: "By others", createdBy: by("bo"), editedBy: by("bo") } },
    titled(4, "Without an author"),
  ]);
  const refusalOf = async (name: string) => {
    const { status, body } = await owner.session.get(`/search/?by=${name}`);
    assert.deepEqual([status, body.code], [400, "invalid_request"]);
    return body.errors;
  };
  const noName = "No page here has an author with a name.";
  assert.deepEqual(await refusalOf("Cy"), [{ path: "?by", message: noName }]);

  const name = async (...authors: readonly Author[]) => {
    await server.fixture.database.transaction((trx) => setAuthors(trx, connection.id, authors));
    await server.graphs.publish(connection.id);
  };
  await name({ id: "ada", name: "Ada" });
  const found = await owner.session.get("/search/?by=ada&sort=title");
  assert.deepEqual(titlesOf(found), ["Edited", "Made"]);
  await name({ id: "bo", name: "Bo" });
  const both = "The authors here are Ada, Bo.";
  assert.deepEqual(await refusalOf("Cy"), [{ path: "?by", message: both }]);

  const many = Array.from({ length: 23 }, (_, number) => ({
    id: `many ${number}`,
    name: `Di ${32 - number}`,
  }));
  const others = await owner.connect(
    other,
    many.map(({ id }, index) => ({ number: 10 + index, given: { createdBy: by(id) } })),
  );
  await server.fixture.database.transaction((trx) => setAuthors(trx, others.id, many));
  await server.graphs.publish(others.id);
  const [{ message }] = await refusalOf("Cy");
  assert.match(message, /^The authors here are Ada, Bo, Di 10, .*, Di 27 and 5 more\.$/);
  const inOne = await owner.session.get(`/search/?by=Di%2012`);
  assert.equal(inOne.body.total, 1, "one of the workspaces has the person");
});

test("GRAPH-19: a node to list under is looked for in what the caller may read", async (t) => {
  const { owner } = await library(t);
  const token = await owner.token({ workspaceIds: [workspace] });
  for (const id of [11, 98]) {
    const { status, body } = await token.get(`/search/?under=${nodeId(id)}`);
    assert.deepEqual([status, body.code], [404, "node_not_found"]);
  }
  const elsewhere = await owner.session.get(`/search/?under=${nodeId(11)}&workspace_id=${workspace}`);
  assert.equal(elsewhere.status, 404);
});

test("GRAPH-19: sort and order, and what they cannot be together with", async (t) => {
  const { owner } = await library(t);
  const at = async (query: string) => titlesOf(await owner.session.get(`/search/?${query}`));
  assert.deepEqual(await at("sort=title&order=desc"), ["Zoo", "Home", "Emma", "books", "Atlas"]);
  assert.deepEqual(await at("sort=created"), ["Emma", "Atlas", "books", "Zoo", "Home"]);
  assert.deepEqual(await at("order=asc"), ["Zoo", "Home", "books", "Atlas", "Emma"]);
  assert.deepEqual((await at("sort=degree")).slice(0, 2), ["Home", "books"]);
  assert.deepEqual((await at("sort=importance")).slice(0, 2), ["Emma", "Zoo"]);
  assert.deepEqual(await at("q=o&sort=relevance"), await at("q=o"));
  for (const [query, path] of [
    ["sort=relevance", "?sort"],
    ["q=o&order=asc", "?order"],
    ["q=o&sort=relevance&order=desc", "?order"],
  ] as const) {
    const { status, body } = await owner.session.get(`/search/?${query}`);
    assert.deepEqual([status, body.errors[0].path], [400, path], query);
  }
});

test("GRAPH-12: a sorted list is the same in pages of any size, over several workspaces", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const titles = ["Page", "page", "Pages", "", "𐐔 page"];
  const seeded = (first: number) =>
    Array.from({ length: 20 }, (_, index) => ({
      number: first + index,
      given: { title: titles[index % titles.length] ?? "", updatedAt: index % 4, createdAt: index % 3 },
      references: index % 3 === 0 ? [referenceTo(first + ((index * 5) % 20))] : [],
    }));
  await owner.connect(workspace, seeded(1));
  await owner.connect(other, seeded(1001));
  for (const sort of ["updated", "created", "title", "degree", "importance"]) {
    for (const list of [`sort=${sort}`, `sort=${sort}&order=asc&q=page`, `sort=${sort}&order=desc&q=page`]) {
      const whole = await owner.session.get(`/search/?${list}&limit=100`);
      assert.equal(whole.body.next_cursor, null);
      assert.equal(whole.body.total, whole.body.items.length);
      for (const limit of [1, 7]) {
        const { items } = await followList(owner.session, `/search/?${list}&limit=${limit}`);
        assert.deepEqual(items, whole.body.items, `${list} by ${limit}`);
      }
    }
  }
});

test("GRAPH-19: a span of time is measured once, when a list begins", async (t) => {
  const { server, owner } = await library(t);
  const first = await owner.session.get("/search/?updated_after=2d&limit=1");
  assert.deepEqual([titlesOf(first), first.body.total], [["Emma"], 3]);
  server.fixture.clock.advance(day / 24);
  const second = await owner.session.get(nextOf(first));
  assert.deepEqual([titlesOf(second), second.body.total], [["books"], 3]);
  assert.equal((await owner.session.get("/search/?updated_after=2d")).body.total, 1);
});

test("GRAPH-19: asking for what a page lacks needs graph:read as well, and says so", async (t) => {
  const { owner } = await library(t);
  const token = await owner.token({ workspaceIds: [workspace], scopes: ["graph:search"] });
  assert.equal((await token.get("/search/?type=page&sort=degree")).status, 200);
  const { status, body, headers } = await token.get("/search/?is=orphan");
  assert.deepEqual([status, body.code], [403, "insufficient_scope"]);
  assert.match(body.detail, /graph:read/);
  assert.match(String(headers["www-authenticate"]), /scope="graph:search graph:read"/);
});
