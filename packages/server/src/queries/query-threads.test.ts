import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { GraphBuilder } from "../graphs/builder.ts";
import { toApiError } from "../http/to-api-error.ts";
import { ApiError } from "../model/api-error.ts";
import { type DatabaseLocation, parseLocation } from "../model/database-location.ts";
import { DatabaseUnavailableError } from "../model/database-unavailable.ts";
import { scratchDatabase, someConnection } from "../store/testing/scratch.ts";
import { openTexts, writeTexts } from "../texts/testing/indexed-texts.ts";
import { type JobReport, QueryThreads } from "./query-threads.ts";

/** One thread that is up, on a connection with two pages. */
async function setUp(
  t: TestContext,
  options: { location?: DatabaseLocation; maxWaiting?: number; maxWaitingOfCaller?: number } = {},
) {
  const { database } = await scratchDatabase(t);
  const connectionId = await someConnection(database);
  await writeTexts(database, connectionId, { 1: "a comet", 2: "a planet" });
  const { texts, open } = openTexts(t, database);
  await texts.update(connectionId);
  const snapshot = await open(connectionId);
  const { graph } = await new GraphBuilder(database).build(connectionId);
  const errors: unknown[] = [];
  const reports: JobReport[] = [];
  const threads = new QueryThreads({
    location: database.location,
    maxThreads: 1,
    onError: (error) => errors.push(error),
    onJob: (report) => reports.push(report),
    deadlineMs: 240_000,
    ...options,
  });
  t.after(() => threads.close());
  const sources = [{ connectionId, graph, texts: snapshot }];
  const search = (query: string, caller = "ada") => {
    const within = [{ filter: {}, after: null }];
    const input = { query, sort: "relevance", order: "desc", limit: 10, within } as const;
    return threads.run("text", input, { caller, sources });
  };
  const find = async (query: string, caller?: string) =>
    (await search(query, caller)).items.map(({ node }) => node);
  /** A job that needs no texts. */
  const outline = () =>
    threads.run(
      "outline",
      { markdown: "# A", heading: null },
      { caller: "ada", sources: [{ connectionId, graph }] },
    );
  await outline();
  reports.splice(0);
  return { threads, sources, search, find, outline, errors, reports };
}

const isBusy = (error: unknown) =>
  error instanceof ApiError && error.code === "unavailable" && error.headers["retry-after"] === "1";

test("queries run in a thread, one after the other", async (t) => {
  const { find, threads } = await setUp(t);
  assert.deepEqual(await Promise.all(["comet", "planet", "comet planet"].map((query) => find(query))), [
    [0],
    [1],
    [0, 1],
  ]);
  threads.retain(() => false);
  assert.deepEqual(await find("planet"), [1], "a graph that the thread has forgotten is sent again");
});

test("texts are found whether or not earlier jobs on their graph came without them", async (t) => {
  const { find, outline } = await setUp(t);
  await outline();
  assert.deepEqual(await find("comet"), [0]);
  await outline();
  assert.deepEqual(await find("planet"), [1]);
});

test("LIM-3: more queries than may wait are refused, those of one caller before those of others", async (t) => {
  const { find } = await setUp(t, { maxWaiting: 3, maxWaitingOfCaller: 2 });
  const running = find("comet");
  const waiting = [find("comet"), find("comet")];
  await assert.rejects(find("comet"), isBusy);
  const other = find("planet", "grace");
  await assert.rejects(find("comet", "alan"), isBusy);
  assert.deepEqual(await Promise.all([running, ...waiting, other]), [[0], [0], [0], [1]]);
});

test("OPS-2: jobs are counted while they wait and run, and reported by their outcome", async (t) => {
  const { find, threads, reports } = await setUp(t, { maxWaiting: 1 });
  const given = [find("comet"), find("planet")];
  await assert.rejects(find("comet"), isBusy);
  assert.deepEqual(threads.counts(), { waiting: 1, running: 1 });
  await Promise.all(given);
  await assert.rejects(find("?!"));
  assert.deepEqual(threads.counts(), { waiting: 0, running: 0 });
  assert.deepEqual(
    reports.map(({ name, outcome }) => `${name} ${outcome}`),
    ["text refused", "text done", "text done", "text failed"],
  );
});

test("callers take turns", async (t) => {
  const { find } = await setUp(t);
  const order: string[] = [];
  const jobs = ["ada", "ada", "ada", "ada", "grace", "alan"].map(async (caller) => {
    await find("comet", caller);
    order.push(caller);
  });
  await Promise.all(jobs);
  assert.deepEqual(order, ["ada", "ada", "grace", "alan", "ada", "ada"]);
});

test("an error in a query leaves the thread as it is", async (t) => {
  const { find, errors } = await setUp(t);
  await assert.rejects(find("?!"), /no word to look for/);
  assert.deepEqual(await find("comet"), [0]);
  assert.deepEqual(errors, []);
});

test("after the end queries are refused, and those that wait as well", async (t) => {
  const { find, threads } = await setUp(t);
  const given = [find("comet"), find("comet")];
  const refused = Promise.all(given.map((each) => assert.rejects(each, isBusy)));
  await threads.close();
  await refused;
  await assert.rejects(find("comet"), isBusy);
});

test("OPS-9: while no database can be reached from a thread, its queries say that the database is unavailable", async (t) => {
  const { threads, sources, search } = await setUp(t, {
    location: parseLocation("postgres://clew@127.0.0.1:1/clew"),
  });
  const isAway = (error: unknown) =>
    error instanceof DatabaseUnavailableError &&
    /^The database clew at 127\.0\.0\.1:1 cannot be reached: /.test(error.message) &&
    toApiError(error).code === "unavailable";
  await assert.rejects(search("comet"), isAway);
  const near = { query: null, also: null, about: { source: 0, node: 0 }, maxChars: 1_000 };
  await assert.rejects(threads.run("context", near, { caller: "ada", sources }), isAway);
});
