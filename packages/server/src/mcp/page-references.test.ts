import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Node, Scope } from "@clew/contract";
import { uuidOf } from "@clew/text/basics";
import { cpuSeconds } from "../model/testing/cpu-seconds.ts";
import { nodeId } from "../store/testing/scratch.ts";
import { headingShownAs } from "./heading-references.ts";
import { completeSync, type Stage, stageAgent, use, workspace } from "./testing/agent-server.ts";

const short = (number: number) => nodeId(number).slice(-8);
/** A page whose short id reads like a number. */
const jupiter = "0000000000000000000000006365" + "00e3";
const jupiterId = uuidOf(jupiter);

const moons =
  "Moons of Jupiter, which Galileo found with a telescope in the year 1610, and their names, from Io on";

const pages = [
  { number: 1, given: { title: "Solar System" }, text: "Planets." },
  { number: 2, given: { id: jupiterId, title: "Jupiter", parentId: nodeId(1) } },
  { number: 3, given: { title: moons, parentId: jupiterId } },
  { number: 4, given: { title: "Names", parentId: nodeId(3) } },
  { number: 5, given: { title: "Stars" } },
  { number: 6, given: { title: "Names", parentId: nodeId(5) } },
  { number: 7, given: { title: "Stories", parentId: nodeId(6) } },
  { number: 8, given: { title: "Names", parentId: nodeId(7) } },
  { number: 9, given: { title: `Earth [${short(1)}] and beyond` } },
  { number: 10, given: { title: "TCP / IP" } },
  { number: 11, given: { title: "20240101" } },
  { number: 12, given: { title: "Release [20240101]" } },
  { number: 13, given: { title: '"Heroes"' } },
];

const open = (t: TestContext, scopes?: readonly Scope[]) => stageAgent(t, pages, scopes && { scopes });

/** The id of the page that a text leads to, or the error. */
async function pageOf({ agent }: Stage, page: unknown): Promise<string> {
  const { text, isError, message } = await use(agent, "read_page", {
    page,
    detail: "full",
    max_tokens: 20_000,
  });
  const { pages: read } = message as { readonly pages: readonly { readonly node: Node }[] };
  return isError ? text : read.map(({ node }) => node.id).join();
}

test("AGT-3: a page is taken as answers print it: id, link, line, mention, place", async (t) => {
  const stage = await open(t);
  const id = jupiter.slice(-8);
  assert.equal(id, "636500e3");
  for (const text of [
    `[${id}]`,
    `["${id}"]`,
    [`[${id}]`],
    `[Jupiter](${id})`,
    `see [the planet](${id}).`,
    `<mention-page url="${id}">Jupiter</mention-page>`,
    `- Jupiter [${id}] · Solar System · → link of Sky [${short(5)}]`,
    `  - Jupiter [${id}] (3)`,
    `# Jupiter [${id}]`,
    `1. Jupiter [${id}] —link→ Stars [${short(5)}]`,
    `an older title [${id}] (database)`,
    `| ${id} | Jupiter | 11.2 |`,
    `${id} | Jupiter`,
    `URL: ${id}`,
    `clew://page/${jupiterId}`,
    `In: Solar System · https://www.notion.so/Jupiter-${jupiter}`,
    `"id":"${jupiterId}"`,
    "@Jupiter",
    "# Jupiter",
    "- jupiter",
    "“Jupiter”",
    "[[Jupiter|the planet]]",
    "Solar System › Jupiter",
    "Solar System / JUPITER",
    "A workspace › Solar System › Jupiter",
    "In: Solar System › Jupiter · created 2026-01-01",
  ])
    assert.equal(await pageOf(stage, text), jupiterId, JSON.stringify(text));
});

test("AGT-3: arguments that come as one JSON text keep short ids that read like numbers", async (t) => {
  const { agent } = await open(t);
  // The client sends an object, whose member is the text.
  const { text } = await use(agent, "read_page", { page: "[636500e3, 00000005]" });
  assert.match(text, /# Jupiter \[636500e3\][\s\S]*# Stars \[/);
});

test("AGT-3: a place is a page of that title below pages of the others, directly if several are", async (t) => {
  const stage = await open(t);
  for (const [place, number] of [
    ["Stars › Names", 6],
    ["Stars / Stories / Names", 8],
    ["… › Stories › Names", 8],
    ["Stars > Names > Stories", 7],
    ["Solar System › Names", 4],
    ["Solar System › Jupiter › Moons of Jupiter, which Galileo found with a telescope in… › Names", 4],
    ["TCP / IP", 10],
  ] as const)
    assert.equal(await pageOf(stage, place), nodeId(number), place);
  const { text } = await use(stage.agent, "search_pages", { query: "names", under: moons });
  const [, place = ""] = /^- Names \[\w+\] · ([^·]+) · /m.exec(text) ?? assert.fail(text);
  assert.equal(await pageOf(stage, `${place} › Names`), nodeId(4), place);
  assert.match(await pageOf(stage, "Names"), /^node_not_found: Several pages are called/);
  assert.match(await pageOf(stage, "Jupiter › Stories"), /Nearest titles: Stories \[/);
});

test("AGT-3: a title that has another page's name or an id in it leads to no other page", async (t) => {
  const stage = await open(t);
  const { text } = await use(stage.agent, "search_pages", { query: "Earth" });
  const line = text.split("\n").find((each) => each.startsWith("- Earth")) ?? assert.fail(text);
  assert.equal(await pageOf(stage, line), nodeId(9));
  assert.equal(await pageOf(stage, "Release [20240101]"), nodeId(12));
  assert.equal(await pageOf(stage, "20240101"), nodeId(11));
  assert.equal(await pageOf(stage, '"Heroes"'), nodeId(13));
  // An id that is not there is not replaced by the title before it.
  assert.match(await pageOf(stage, "Jupiter [deadbeef]"), /^node_not_found: .*Nearest titles: Jupiter \[/);
});

test("AGT-3: a list of names may have titles with commas; an error names what is no page", async (t) => {
  const stage = await open(t);
  const list = `- ${moons} [${short(3)}], Stars [${short(5)}]`;
  assert.equal(await pageOf(stage, list), [nodeId(3), nodeId(5)].join());
  assert.equal(await pageOf(stage, `Stars, [Jupiter](636500e3)`), [nodeId(5), jupiterId].join());
  assert.match(await pageOf(stage, `Stars [${short(5)}], Zork`), /^node_not_found: .*"Zork"/);
  const line = `- Stars [${short(5)}] · → link, ← link of Jupiter [636500e3]`;
  assert.equal(await pageOf(stage, line), nodeId(5));
});

test("AGT-3: where a title names a page and a folder, the page is meant, also by its alias", async (t) => {
  const children = `<page url="https://www.notion.so/${nodeId(2).replaceAll("-", "")}">Picture</page>\n`;
  const folder = { number: 1, given: { title: "eip-7002" }, text: children };
  const inFolder = { number: 2, given: { title: "Picture", parentId: nodeId(1) }, text: "" };
  const byAlias = { number: 3, given: { title: "EIP-7002: Exits", aliases: ["eip-7002"] }, text: "Exits." };
  const byTitle = { number: 4, given: { title: "EIP-7002" }, text: "" };
  const withText = { ...folder, text: `About it.\n${children}` };
  for (const [seeded, expected] of [
    [[folder, inFolder, byAlias], /^# EIP-7002: Exits \[/],
    [[folder, inFolder, byAlias, byTitle], /^# EIP-7002 \[00000004\]/],
    [[folder, inFolder], /^# eip-7002 \[/],
    [[withText, inFolder, byAlias], /^# eip-7002 \[/],
    [[folder, byAlias], /^# eip-7002 \[/],
    [[withText, inFolder, byTitle], /^node_not_found: Several/],
  ] as const) {
    const { agent, owner, server } = await stageAgent(t, [...seeded]);
    assert.match((await use(agent, "read_page", { page: "eip-7002" })).text, expected);
    // Without graph:read, nothing tells which pages have no text.
    const scopes = ["graph:search"] as const;
    const { raw } = await owner.token({ workspaceIds: ["11111111-1111-4111-8111-111111111111"], scopes });
    const below = await use(await server.agent(raw), "workspace_overview", { page: "eip-7002" });
    assert.match(
      below.text,
      seeded.some((page) => page === byTitle) ? /^node_not_found/ : /^Below eip-7002 \[/,
    );
  }
});

test("AGT-3: a workspace is taken as errors print it", async (t) => {
  const { agent } = await open(t);
  const { text: error } = await use(agent, "search_pages", { query: "sky", workspace: "B" });
  const [, name = ""] = /Readable are: (.*)\.$/.exec(error) ?? assert.fail(error);
  assert.match((await use(agent, "search_pages", { query: "stars", workspace: name })).text, /- Stars \[/);
});

test("SRC-5: the address of a page in another workspace of the person is shown as that page, and no walk leads there", async (t) => {
  const stage = await stageAgent(t, [{ number: 1, given: { title: "Handbook" } }]);
  const { server, owner } = stage;
  const elsewhere = "22222222-2222-4222-8222-222222222222";
  const compact = (number: number) => nodeId(number).replaceAll("-", "");
  const address = `https://www.notion.so/Handbook-${compact(1)}`;
  const unknown = `https://www.notion.so/Elsewhere-${compact(9)}`;
  const text = `See [the handbook](${address}) and [what nobody shared](${unknown}).`;
  const note = { number: 2, given: { title: "Note" }, text };
  await completeSync(server, await owner.connect(elsewhere, [note]));
  const { raw } = await owner.token({ workspaceIds: [workspace, elsewhere] });
  const agent = await server.agent(raw);
  const { text: answer } = await use(agent, "read_page", { page: "Note" });
  assert.ok(answer.includes(`[the handbook](${short(1)})`), answer);
  assert.ok(answer.includes(`(${unknown})`), answer);
  assert.match((await use(agent, "read_page", { page: short(1) })).text, /^# Handbook \[/);
  assert.match((await use(agent, "list_links", { page: "Note" })).text, /no links/i);

  // A token for one workspace is shown nothing of the other.
  const { raw: narrow } = await owner.token({ workspaceIds: [elsewhere] });
  const shown = await use(await server.agent(narrow), "read_page", { page: "Note" });
  assert.ok(shown.text.includes(`[the handbook](${address})`), shown.text);
});

test("SRC-5: the address of a file at a forge is its page, across the workspaces of one person and of no other", async (t) => {
  const base = "https://github.com/owner/name";
  const page = { number: 1, given: { title: "Handbook", url: `${base}/blob/main/docs/handbook.md` } };
  const { server, owner } = await stageAgent(t, [page]);
  const elsewhere = "22222222-2222-4222-8222-222222222222";
  const address = `${base}/blob/v1.2/docs/handbook.md`;
  const unknown = `${base}/blob/main/docs/none.md`;
  const note = {
    number: 2,
    given: { title: "Note" },
    text: `See [it](${address}#usage), [none](${unknown}).`,
  };
  await completeSync(server, await owner.connect(elsewhere, [note]));
  const { raw } = await owner.token({ workspaceIds: [workspace, elsewhere] });
  const agent = await server.agent(raw);
  const { text: answer } = await use(agent, "read_page", { page: "Note" });
  assert.ok(answer.includes(`[it](${short(1)}#usage)`), answer);
  assert.ok(answer.includes(`(${unknown})`), answer);
  assert.match((await use(agent, "read_page", { page: address })).text, /^# Handbook \[/);
  assert.match(
    (await use(agent, "read_page", { page: address.replace("https://", "") })).text,
    /^# Handbook \[/,
  );
  assert.match((await use(agent, "list_links", { page: "Note" })).text, /no links/i);

  const { session } = owner;
  const query = encodeURIComponent(address);
  const idsAt = async (path: string) => (await session.get(path)).body.items.map(({ id }: Node) => id);
  assert.deepEqual(await idsAt(`/resolve/?page=${query}`), [nodeId(1)]);
  assert.deepEqual(await idsAt(`/nodes/?ids=${query}`), [nodeId(1)]);
  assert.deepEqual((await session.get(`/paths/?from=${query}&to=${query}`)).body.status, "found");
  assert.equal((await session.get(`/tree/?under=${query}`)).status, 200);
  assert.equal((await session.get(`/tree/?under=${encodeURIComponent(unknown)}`)).status, 400);

  // Another person has a page of the same file, and a third has none.
  const other = await server.person("other");
  await completeSync(
    server,
    await other.connect("33333333-3333-4333-8333-333333333333", [{ ...page, number: 3 }, note]),
  );
  const theirs = await other.session.get(`/resolve/?page=${query}`);
  assert.deepEqual(
    theirs.body.items.map(({ id }: Node) => id),
    [nodeId(3)],
  );
  const stranger = await server.person("stranger");
  await stranger.connect("44444444-4444-4444-8444-444444444444", [note]);
  assert.deepEqual((await stranger.session.get(`/resolve/?page=${query}`)).body.items, []);
  const known = await stranger.session.get(`/tree/?under=${query}`);
  const nobodys = await stranger.session.get(`/tree/?under=${encodeURIComponent(unknown)}`);
  assert.deepEqual([known.status, known.body.errors], [nobodys.status, nobodys.body.errors]);

  // A token for one workspace is shown nothing of the other.
  const { raw: narrow } = await owner.token({ workspaceIds: [elsewhere] });
  const shown = await use(await server.agent(narrow), "read_page", { page: "Note" });
  assert.ok(shown.text.includes(`[it](${address}#usage)`), shown.text);
});

test("AGT-3: a heading is taken as answers and texts show it", () => {
  const heading = "What Galileo saw";
  for (const shown of [
    heading,
    "what galileo SAW",
    "## What Galileo saw",
    "## What *Galileo* saw ##",
    "What **Galileo** saw",
    "- What Galileo saw (offset=120)",
    "    - What Galileo saw (offset=120)",
    "§ What Galileo saw, offset 120",
    "“What Galileo saw”",
  ])
    assert.ok(headingShownAs(shown)(heading), shown);
  for (const other of ["What Galileo", "## Saw", "", "(offset=120)"])
    assert.ok(!headingShownAs(other)(heading), other);
  const long =
    "The moons that Galileo found in the year 1610, when he looked at Jupiter, and what he wrote down about them in his books and in his letters to others";
  assert.ok(headingShownAs(`- ${long.slice(0, 1)}`)(long) === false);
  assert.ok(headingShownAs("# 1. First (of two)")("1. First (of two)"));
});

test("LIM-3: the longest arguments are read in linear time", async (t) => {
  const text = Array.from({ length: 1_000 }, (_, index) => `# ${index}\n`).join("\n");
  const given = { title: "Sizes", type: "database" } as const;
  const { agent } = await stageAgent(t, [{ number: 1, given, text }], {});
  const page = "Sizes";
  const length = 60_000;
  const third = " ".repeat(length / 3);
  const run = " ".repeat(length);
  const hostile: [tool: Parameters<typeof use>[1], sent: Record<string, unknown>][] = [
    ["query_database", { database: page, where: `a${run}b` }],
    ["search_pages", { type: `a${third}b`, is: `a${third}b`, sort: `a${third}b` }],
    ["read_page", { page, heading: `a${run}b` }],
    ["read_page", { page, heading: "a".repeat(length) }],
    ["read_page", { page: `a${run}b/c` }],
    ["read_page", { page: `a${run}›b` }],
    ["read_page", { page: "[".repeat(length) }],
    ["read_page", { page: `[[${"a".repeat(length)}` }],
    ["read_page", { page: "a,".repeat(length / 2) }],
    ["search_pages", Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`${index}zz`, 1]))],
  ];
  for (const [tool, sent] of hostile) {
    const before = process.threadCpuUsage();
    const { text: answer, isError } = await use(agent, tool, sent);
    assert.ok(isError, tool);
    assert.ok(answer.length < 5_000, `${answer.length} characters: ${answer.slice(0, 100)}`);
    assert.ok(cpuSeconds(before) < 1, `${tool} took ${cpuSeconds(before)} s`);
  }
});

test("AGT-4: an error lists twenty faults, and says how many more there are", async (t) => {
  const { agent } = await open(t);
  const sent = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}zz`, 1]));
  const { text } = await use(agent, "search_pages", sent);
  const lines = text.split("\n").filter((line) => line.startsWith("- "));
  assert.equal(lines.length, 21);
  assert.equal(lines.at(-1), "- and 10 more");
});

test("AGT-4: an error names the words that `is` takes, and an unknown field as the agent wrote it", async (t) => {
  const { agent } = await open(t);
  const wrong = await use(agent, "search_pages", {
    is: "lonely",
    query: "sky",
    q: "sky",
    cursor: "a",
    zzz: 1,
  });
  assert.match(
    wrong.text,
    /^- is must be one of orphan, .*row, .*expired, or one of them with - before it$/m,
  );
  assert.match(wrong.text, /^- q means query, which is given too$/m);
  assert.match(wrong.text, /^- cursor is not known\. Did you mean skip\?/m);
  assert.match(wrong.text, /^- zzz is not known\. There are query, in, /m);
  assert.match((await use(agent, "search_pages", { query: "x".repeat(3000) })).text, /^- query must/m);
});
