import assert from "node:assert/strict";
import { test } from "node:test";
import { activityLimits } from "@clew/contract";
import { pino } from "pino";
import { tendActivity } from "../../activity/tend-activity.ts";
import { deleteAccount } from "../../connections/remove.ts";
import { setTokenRevoked } from "../../store/queries/service-tokens.ts";
import { deleteUser } from "../../store/queries/users.ts";
import { nodeId } from "../../store/testing/scratch.ts";
import { serveActivity, workspace } from "./testing/activity-server.ts";

const second = 1_000;
const hour = 3_600_000;
const day = 24 * hour;

const [jupiter, io, sulphur] = [nodeId(1), nodeId(2), nodeId(3)];
const never = new AbortController().signal;

test("APP-9: the owner sees each call with its operation, words, pages and status", async (t) => {
  const { owner, agent, activityOf, clock } = await serveActivity(t);
  const { id, get } = await agent(owner);
  await get("/search/?q=jupiter");
  clock.advance(second);
  await get(`/nodes/${jupiter}/neighbors/`);
  clock.advance(second);
  await get(`/nodes/${nodeId(9)}/`);
  const { latest, hours, ...sums } = await activityOf(owner, id);
  assert.deepEqual(
    latest.map(({ ms, ...call }) => call),
    [
      { at: at(clock()), operation: "node", words: null, node_ids: [], pages: 0, status: 404 },
      {
        at: at(clock() - second),
        operation: "neighbors",
        words: null,
        node_ids: [jupiter, io],
        pages: 2,
        status: 200,
      },
      {
        at: at(clock() - 2 * second),
        operation: "search",
        words: "jupiter",
        node_ids: [jupiter],
        pages: 1,
        status: 200,
      },
    ],
  );
  assert.ok(latest.every(({ ms }) => Number.isInteger(ms) && ms >= 0));
  const begins = at(Math.floor(clock() / hour) * hour);
  assert.deepEqual(
    hours,
    ["neighbors", "node", "search"].map((operation) => ({ at: begins, operation, calls: 1, refused: 0 })),
  );
  const { most_read, last_event_id, days, ...counts } = sums;
  assert.deepEqual(counts, {
    calls: 3,
    refused: 0,
    pages: 2,
    week: { calls: 3, refused: 0, pages: 2 },
  });
  assert.deepEqual(
    most_read.map(({ node_id, reads }) => [node_id, reads]),
    [
      [jupiter, 2],
      [io, 1],
    ],
  );
  assert.deepEqual([last_event_id, days], ["3", 30]);
});

const at = (time: number) => new Date(time).toISOString();

test("APP-9: every operation of V1 is recorded under its name with the pages of its answer", async (t) => {
  const { owner, agent, activityOf } = await serveActivity(t, { withTexts: true });
  const { id, get } = await agent(owner);
  const all = [jupiter, io, sulphur];
  const calls: readonly (readonly [operation: string, path: string, pages: readonly string[]])[] = [
    ["overview", "/", []],
    ["workspaces", "/workspaces/", []],
    ["token", "/token/", []],
    ["search", "/search/?sort=title", [io, jupiter, sulphur]],
    ["resolve", "/resolve/?page=Io", [io]],
    ["text", "/text/?q=planet", [jupiter]],
    ["context", "/context/?q=planet", [jupiter]],
    ["nodes", `/nodes/?ids=${io},${jupiter}`, [io, jupiter]],
    ["node", `/nodes/${io}/`, [io]],
    ["content", `/nodes/${jupiter.replaceAll("-", "")}/content/`, [jupiter]],
    ["neighbors", `/nodes/${io}/neighbors/?direction=out`, [io, sulphur]],
    ["edges", `/edges/?ids=${jupiter},${io}`, [jupiter, io]],
    ["paths", `/paths/?from=${jupiter}&to=${sulphur}`, all],
    ["tree", "/tree/", [io, jupiter, sulphur]],
    ["mapNodes", `/workspaces/${workspace}/map/nodes/`, [io, jupiter, sulphur]],
    ["map", `/workspaces/${workspace}/map/`, []],
    ["broken", "/broken/", []],
    ["changes", "/changes/", all],
    ["export", "/export/?format=csv&part=nodes", all],
    ["recent", "/recent/", []],
    ["related", `/nodes/${jupiter}/related/`, [jupiter]],
  ];
  for (const [, path] of calls) assert.equal((await get(path)).statusCode, 200, path);
  const { latest } = await activityOf(owner, id);
  assert.deepEqual(
    latest
      .toReversed()
      .map(({ operation, node_ids, pages, status }) => [operation, sorted(node_ids), pages, status]),
    calls.map(([operation, , pages]) => [operation, sorted(pages), pages.length, 200]),
  );
});

const sorted = (ids: readonly string[]) => ids.toSorted();

test("APP-9: tools and resources of agents are recorded under the same names", async (t) => {
  const { owner, agent, activityOf } = await serveActivity(t, { withTexts: true });
  const { id, post, callTool } = await agent(owner);
  const version = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "a", version: "1" },
  };
  await post({ method: "initialize", params: version });
  await post({ method: "notifications/initialized", id: undefined });
  await callTool("search_pages", { query: "io", in: "titles" });
  await callTool("read_page", { page: ["Jupiter", "Io"] });
  await callTool("find_paths", { from: "Jupiter", to: "Sulphur" });
  await callTool("list_links", { page: "Nowhere" });
  await callTool("build_context", { question: "planet", detail: "full" });
  await post({ method: "resources/read", params: { uri: "clew://page/Io" } });
  const { latest } = await activityOf(owner, id);
  assert.deepEqual(
    latest
      .toReversed()
      .map(({ operation, words, node_ids, status }) => [operation, words, sorted(node_ids), status]),
    [
      ["mcp", null, [], 200],
      ["search", "io", [io], 200],
      ["content", "Jupiter, Io", [jupiter, io], 200],
      ["paths", "Jupiter, Sulphur", [jupiter, io, sulphur], 200],
      ["neighbors", "Nowhere", [], 404],
      ["context", "planet", [jupiter], 200],
      ["content", "Io", [io], 200],
    ],
  );
});

test("APP-9: refused calls are counted: by scope, by rate and after the token's end", async (t) => {
  const { owner, agent, activityOf, fixture, clock } = await serveActivity(t, { tokenQuota: 3 });
  const { id, get, post } = await agent(owner, ["graph:search"]);
  assert.equal((await get(`/nodes/${jupiter}/`)).statusCode, 403);
  const tool = { method: "tools/call", params: { name: "read_page", arguments: { page: "Io" } } };
  await post(tool);
  await get("/search/?q=io");
  assert.equal((await get("/search/?q=io")).statusCode, 429);
  await post(tool);
  await fixture.database.transaction((trx) => setTokenRevoked(trx, id, clock()));
  clock.advance(60 * second);
  assert.equal((await get("/tree/")).statusCode, 401);
  const { latest, week } = await activityOf(owner, id);
  assert.deepEqual(
    latest.toReversed().map(({ operation, status }) => [operation, status]),
    [
      ["node", 403],
      ["content", 403],
      ["search", 200],
      ["search", 429],
      ["content", 429],
      ["tree", 401],
    ],
  );
  assert.deepEqual(week, { calls: 6, refused: 5, pages: 1 });
});

test("APP-9: what looks like a credential is masked, and words are cut after that", async (t) => {
  const { owner, agent, activityOf } = await serveActivity(t);
  const { id, raw, get, callTool } = await agent(owner);
  await get(`/search/?q=${encodeURIComponent(`who has ${raw} now`)}`);
  await callTool("search_pages", { query: `${"word ".repeat(38)}password: hunter2 and more` });
  const { latest } = await activityOf(owner, id);
  const [later, first] = latest.map(({ words }) => words ?? "");
  assert.equal(first, "who has [masked] now");
  assert.ok(later !== undefined && [...later].length === activityLimits.words);
  assert.ok(later.endsWith("password: …") || !later.includes("hunter2"), later);
});

test("APP-9: nobody else sees what a token read", async (t) => {
  const { server, owner, agent, ask, activityOf } = await serveActivity(t);
  const stranger = await server.person("a stranger");
  await stranger.connect(workspace, [{ number: 7, given: { title: "Elsewhere" } }]);
  const own = await agent(owner);
  const other = await agent(stranger);
  await own.get("/search/?q=jupiter");
  await other.get("/search/?q=elsewhere");
  for (const path of [`${own.id}/activity/`, `${own.id}/activity/events`, "999/activity/", "x/activity/"])
    assert.equal((await ask(stranger, path)).statusCode, 404, path);
  const withToken = await server.app.inject({
    url: `/api/tokens/${own.id}/activity/`,
    headers: { authorization: `Bearer ${own.raw}` },
  });
  assert.equal(withToken.statusCode, 403);
  assert.deepEqual((await activityOf(stranger, other.id)).latest[0]?.node_ids, [nodeId(7)]);
  const uses = (await ask(owner, "activity/")).json();
  assert.deepEqual(uses, { items: [{ token_id: own.id, days: [0, 0, 0, 0, 0, 0, 1] }] });
});

test("APP-9: only the latest calls are kept one by one, all are counted", async (t) => {
  const { owner, agent, activityOf, activity } = await serveActivity(t);
  const { id, get } = await agent(owner);
  const { calls } = activityLimits;
  const asked = calls + 20;
  for (let number = 1; number <= asked; number += 1) {
    await get(`/search/?q=${number}`);
    if (number % 170 === 0) await activity.flush();
  }
  const all = await activityOf(owner, id);
  assert.deepEqual([all.calls, all.latest.length, all.last_event_id], [asked, calls, String(asked)]);
  assert.equal(all.latest[0]?.words, String(asked));
  assert.equal(all.latest.at(-1)?.words, "21");
  const some = await activityOf(owner, id, "?limit=2");
  assert.deepEqual(
    some.latest.map(({ words }) => words),
    [String(asked), String(asked - 1)],
  );
});

test("APP-9: calls are kept for ACTIVITY_DAYS, also after the token's end", async (t) => {
  const { owner, agent, activityOf, ask, fixture, clock } = await serveActivity(t);
  const { id, get } = await agent(owner);
  await get("/search/?q=jupiter");
  await activityOf(owner, id);
  await fixture.database.transaction((trx) => setTokenRevoked(trx, id, clock()));
  clock.advance(8 * day);
  const late = await activityOf(owner, id);
  assert.deepEqual([late.calls, late.pages, late.latest.length], [1, 1, 1]);
  assert.deepEqual(late.week, { calls: 0, refused: 0, pages: 0 });
  assert.deepEqual((await ask(owner, "activity/")).json(), { items: [] });
  clock.advance(22 * day + hour);
  // Before the task has run they are not shown any more either.
  const { latest, calls, pages, hours, most_read } = await activityOf(owner, id);
  assert.deepEqual([latest, calls, pages, hours, most_read], [[], 0, 0, [], []]);
  const { activity } = fixture.database;
  const rows = () => activity.read((db) => db.selectFrom("activity_tokens").select("token_id").execute());
  assert.equal((await rows()).length, 1);
  await tendActivity(fixture.database, clock() - 30 * day, never);
  assert.deepEqual(await rows(), []);
});

test("APP-9: ACTIVITY_DAYS=0 keeps nothing", async (t) => {
  const { owner, agent, activityOf, fixture } = await serveActivity(t, { activityDays: 0 });
  const { id, get } = await agent(owner);
  await get("/search/?q=jupiter");
  const { days, calls, latest } = await activityOf(owner, id);
  assert.deepEqual([days, calls, latest], [0, 0, []]);
  const { activity } = fixture.database;
  assert.deepEqual(await activity.read((db) => db.selectFrom("activity_calls").selectAll().execute()), []);
});

test("APP-9: the account takes what its tokens read with it, unwritten calls too", async (t) => {
  const { server, owner, agent, activity, activityOf, fixture } = await serveActivity(t);
  const stranger = await server.person("a stranger");
  const kept = await agent(stranger);
  const { get } = await agent(owner);
  await get("/search/?q=jupiter");
  await kept.get("/search/?q=jupiter");
  await activity.flush();
  await get("/search/?q=io");
  const { graphs } = server;
  const services = {
    ...fixture,
    graphs,
    sync: { abandon: async () => {} },
    log: pino({ level: "silent" }),
  };
  await deleteAccount(services, owner.userId);
  await activity.flush();
  const rows = await fixture.database.activity.read((db) =>
    db.selectFrom("activity_calls").select("token_id").execute(),
  );
  assert.deepEqual(
    rows.map(({ token_id }) => token_id),
    [kept.id],
  );
  assert.equal((await activityOf(stranger, kept.id)).calls, 1);
});

test("APP-9: what is left of accounts that were deleted meanwhile is deleted", async (t) => {
  const { owner, agent, activity, fixture, clock } = await serveActivity(t);
  const { get } = await agent(owner);
  await get("/search/?q=jupiter");
  await activity.flush();
  await fixture.database.transaction((trx) => deleteUser(trx, owner.userId));
  await tendActivity(fixture.database, clock() - 30 * day, never);
  const rows = await fixture.database.activity.read((db) =>
    db.selectFrom("activity_pages").selectAll().execute(),
  );
  assert.deepEqual(rows, []);
});
