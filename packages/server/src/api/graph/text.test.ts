import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Node } from "@clew/contract";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import { followList, type SeededPage, serveGraphs } from "./testing/graph-server.ts";

const serve = (t: TestContext) => serveGraphs(t, undefined, { withTexts: true });

/** A page with a title and a text. */
const text = (
  number: number,
  title: string,
  markdown: string,
  given: SeededPage["given"] = {},
): SeededPage => ({
  number,
  given: { title, ...given },
  text: markdown,
});

const sky: readonly SeededPage[] = [
  text(
    1,
    "Comets",
    "A comet has a tail of dust and gas.\n## Great comets\nThe great comet of 1811 was seen for months.",
  ),
  text(2, "Planets", "A planet has no tail. Venus is as bright as a comet, now and then."),
  text(3, "Dust", "Dust is everywhere."),
  text(4, "彗星", "一九一〇年的哈雷彗星很亮。"),
];

const numbersOf = (items: readonly { readonly node: Node }[]) =>
  items.map(({ node }) => Number(`0x${node.id.slice(-6)}`));

test("GRAPH-17: text search finds pages by their texts, in both APIs, with the place of each hit", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  await person.connect("w1", sky);
  const token = await person.token({ workspaceIds: ["w1"] });
  const [byToken, bySession] = await Promise.all([
    token.get("/text/?q=comet+tail"),
    person.session.get("/text/?q=comet+tail"),
  ]);
  assert.equal(byToken.status, 200, byToken.text);
  assert.deepEqual(byToken.body.items, bySession.body.items);
  const { items, total, indexed, ignored, truncated, next_cursor } = byToken.body;
  assert.deepEqual(numbersOf(items), [1, 2]);
  assert.deepEqual(
    { total, indexed, ignored, truncated, next_cursor },
    { total: 2, indexed: 1, ignored: [], truncated: false, next_cursor: null },
  );
  assert.ok(items[0].score > items[1].score && items[0].score <= 1);
  assert.deepEqual([items[0].match, items[0].missing], ["all", []]);
  const [hit] = items[0].hits;
  assert.deepEqual([...hit.snippet].slice(...hit.marks[0]).join(""), "comet");
  const content = await token.get(`/nodes/${items[0].node.id}/content/?offset=${hit.offset}&max_chars=8`);
  assert.equal(content.body.markdown, "A comet ");
});

test("GRAPH-17: phrases, words to leave out, beginnings, and single signs in scripts without spaces", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  await person.connect("w1", sky);
  const find = async (q: string) => {
    const answer = await person.session.get(`/text/?q=${encodeURIComponent(q)}`);
    assert.equal(answer.status, 200, answer.text);
    return numbersOf(answer.body.items).sort();
  };
  assert.deepEqual(await find('"great comet"'), [1]);
  assert.deepEqual(await find("comet -venus"), [1]);
  assert.deepEqual(await find("com*"), [1, 2]);
  assert.deepEqual(await find("彗星"), [4]);
  assert.deepEqual(await find("亮"), [4]);
  for (const q of ["", "   ", "?!", "-comet", "x".repeat(501)]) {
    const answer = await person.session.get(`/text/?q=${encodeURIComponent(q)}`);
    assert.deepEqual([answer.status, answer.body.errors[0].path], [400, "?q"], q);
  }
});

test("GRAPH-17: a word finds other forms of its family, on pages after those that have it", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  await person.connect("w1", [
    text(1, "Ships", "Navigation needs charts, and captains navigate by them."),
    text(2, "Crew", "The navigators are on board."),
    text(3, "Fleet", "A navy has admirals, and nave is no word of it."),
    text(4, "일정", "다음 회의에서 정한다."),
    text(5, "장소", "회의실은 비어 있다."),
    text(6, "Study", "The university has a general course."),
    text(7, "Space", "The universe will generate news."),
  ]);
  const find = async (q: string) => {
    const { status, body } = await person.session.get(`/text/?q=${encodeURIComponent(q)}`);
    assert.deepEqual([status, body.ignored, body.truncated], [200, [], false]);
    return body;
  };
  const { items, total } = await find("navigators");
  assert.deepEqual(numbersOf(items), [2, 1]);
  assert.deepEqual([items[0].match, items[1].match, total], ["all", "some", 1]);
  assert.deepEqual(items[1].missing, ["navigators"]);
  assert.ok(items[1].score > 0 && items[1].score < items[0].score);
  const [{ snippet, marks }] = items[1].hits;
  assert.deepEqual(
    marks.map(([start, end]: [number, number]) => snippet.slice(start, end)),
    ["Navigation", "navigate"],
  );
  const pagesFor = async (q: string) => numbersOf((await find(q)).items).sort();
  assert.deepEqual(await pagesFor("회의"), [4]);
  assert.deepEqual(await pagesFor("회의를"), [4]);
  for (const [q, expected] of [
    ['"navigators"', [2]],
    ["navigator*", [2]],
    ["captains -navigators", [1]],
    ["navigator -navigation", [2]],
    ["universities generally", [6]],
    ["new", []],
  ] as const)
    assert.deepEqual(await pagesFor(q), expected, q);
  assert.deepEqual(numbersOf((await person.session.get("/text/?q=navigators&sort=title")).body.items), [2]);
});

test("GRAPH-28: pages with all words in one section come first, then those that miss some", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  await person.connect("w1", sky);
  const { body } = await person.session.get("/text/?q=dust+comet+everywhere");
  assert.deepEqual(body.total, 0);
  const byNumber = new Map(
    body.items.map((item: { missing: string[] }, index: number) => [
      numbersOf(body.items)[index],
      item.missing,
    ]),
  );
  assert.deepEqual(byNumber.get(1), ["everywhere"]);
  assert.deepEqual(byNumber.get(3), ["comet"]);
  const updated = await person.session.get("/text/?q=comet&sort=title");
  assert.deepEqual(numbersOf(updated.body.items), [1, 2]);
  const descending = await person.session.get("/text/?q=comet&sort=title&order=desc");
  assert.deepEqual(numbersOf(descending.body.items), [2, 1]);
});

test("GRAPH-17, GRAPH-19: filters apply to text search", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  await person.connect("w1", [
    ...sky,
    text(5, "Below", "another comet", { parentId: nodeId(3) }),
    { ...text(6, "Linked", "one more comet"), textReferences: [referenceTo(1)] },
  ]);
  const find = async (filters: string) =>
    numbersOf((await person.session.get(`/text/?q=comet&${filters}`)).body.items).sort();
  assert.deepEqual(await find(`under=${nodeId(3)}`), [5]);
  assert.deepEqual(await find("is=-unreferenced"), [1]);
  assert.deepEqual(await find("type=database"), []);
  assert.equal((await person.session.get(`/text/?q=comet&under=${nodeId(99)}`)).status, 404);
});

test("GRAPH-12, GRAPH-17, SRC-2: pages of a list continue, until a newer graph is published", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  const many = Array.from({ length: 23 }, (_, index) =>
    text(index + 1, `Star ${index % 5}`, "a star in the sky"),
  );
  const first = await person.connect("w1", many);
  await person.connect(
    "w2",
    many.map((page) => ({ ...page, number: page.number + 100 })),
  );
  for (const list of [
    "/text/?q=star+sky&limit=7",
    "/text/?q=star+sky&limit=7&sort=title",
    "/text/?q=star&limit=50",
  ]) {
    const { items } = await followList<{ node: Node }>(person.session, list);
    assert.equal(new Set(numbersOf(items)).size, 46, list);
  }
  const page = await person.session.get("/text/?q=star&limit=5");
  assert(server.givenCursors.readingLeft(first.id) > 0);
  await server.sync(first, [...many, text(50, "New", "a new star")]);
  const next = await person.session.get(`/text/?q=star&limit=5&cursor=${page.body.next_cursor}`);
  assert.deepEqual([next.status, next.body.code], [410, "cursor_expired"]);
  const other = await person.session.get(`/text/?q=comet&cursor=${page.body.next_cursor}`);
  assert.deepEqual([other.status, other.body.code], [400, "invalid_cursor"]);
});

test("GRAPH-18: what is found is what is published", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  const connection = await person.connect("w1", sky);
  const find = async (q: string) => numbersOf((await person.session.get(`/text/?q=${q}`)).body.items);
  assert.deepEqual(await find("quasar"), []);
  await server.sync(connection, [text(1, "Comets", "A quasar."), ...sky.slice(2)]);
  assert.deepEqual(await find("quasar"), [1]);
  assert.deepEqual(await find("tail"), [], "page 1 has another text, and page 2 is gone");
});

test("GRAPH-10, GRAPH-18: nothing of another connection is found, counted, or influences a score", async (t) => {
  const server = await serve(t);
  const [ada, grace] = [await server.person("ada"), await server.person("grace")];
  await ada.connect("w1", sky);
  const alone = (await ada.session.get("/text/?q=comet+dust")).body;
  await grace.connect("w1", [
    ...sky,
    text(9, "Comet", "comet ".repeat(500)),
    text(10, "Secret", "a secret comet with dust"),
  ]);
  await grace.connect("w2", [text(11, "Comet dust", "comet dust")]);
  assert.deepEqual((await ada.session.get("/text/?q=comet+dust")).body, alone);
  assert.deepEqual((await ada.session.get("/text/?q=secret")).body.items, []);
  const token = await grace.token({ workspaceIds: ["w2"] });
  assert.deepEqual(numbersOf((await token.get("/text/?q=comet")).body.items), [11]);
  assert.equal((await token.get("/text/?q=comet&workspace_id=w1")).status, 403);
});

test("GRAPH-10: text search needs graph:search and graph:read", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  await person.connect("w1", sky);
  for (const scopes of [["graph:search"], ["graph:read"], ["graph:neighbors"]] as const) {
    const token = await person.token({ workspaceIds: ["w1"], scopes });
    const answer = await token.get("/text/?q=comet");
    assert.deepEqual([answer.status, answer.body.code], [403, "insufficient_scope"], scopes[0]);
  }
  const both = await person.token({ workspaceIds: ["w1"], scopes: ["graph:search", "graph:read"] });
  assert.equal((await both.get("/text/?q=comet")).status, 200);
});

test("GRAPH-18: a damaged index is built again, and until then the answer says that texts are missing", async (t) => {
  const server = await serve(t);
  const person = await server.person("ada");
  await person.connect("w1", sky);
  assert.equal((await person.session.get("/text/?q=comet")).body.items.length, 2);
  await server.texts.reset();
  await server.texts.tend([]);
  const answer = await person.session.get("/text/?q=comet");
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.items.length, 2);
  assert.equal(answer.body.indexed, 1);
});
