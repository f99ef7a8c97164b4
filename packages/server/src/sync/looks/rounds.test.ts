import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { findJob } from "../../store/queries/jobs.ts";
import { nodeIdOf } from "../../store/queries/statements.ts";
import { dated, isSearch } from "../testing/calls.ts";
import { openLooking } from "../testing/looking.ts";
import { apiError, json } from "../testing/workspace.ts";
import { EditTimes } from "./edit-times.ts";
import { nextLook } from "./shares.ts";

const second = 1_000;
const minute = 60 * second;

const files = { "start.md": dated("# Start\n", "2025-05-01T00:00:00Z") };

test("SYNC-11: 64 looks are under way at most, each is given up after 30 s, and a stop waits for all", async (t) => {
  const looking = await openLooking(t, files);
  const { clock, made } = looking;
  const { id: first } = await looking.connect();
  for (let count = 1; count < 80; count += 1) await looking.connectAlike(`person ${count}`, first);
  let fault: string | null = null;
  const database = { ...looking.database, schemaFault: () => fault };
  const { looks } = looking.startInstance({ lookWith: { database } });
  await looking.pass(20 * second);
  // Nothing is looked at while the schema is not usable. Then all are due at once but the first one, which soon is.
  await looking.pass(nextLook(first, clock()) - clock() + 2 * second);
  fault = "of a later version";
  looking.calls.length = 0;
  made.length = 0;
  await looking.pass(56 * second);
  assert.deepEqual([looking.calls.length, made.length], [0, 0]);

  let isAnswered = false;
  looking.intercept((_call, pass) => (isAnswered ? pass() : new Promise(() => {})));
  fault = null;
  const begun = clock();
  await looking.pass(28 * second);
  assert.deepEqual([looking.calls.length, made.length], [64, 0]);
  isAnswered = true;
  await looking.pass(8 * second);
  const givenUp = made.filter(({ outcome }) => outcome === "failed");
  assert.equal(givenUp.length, 64);
  assert.ok(givenUp.every(({ at }) => at - begun >= 30 * second && at - begun <= 33 * second));
  assert.ok(
    made.some(({ outcome }) => outcome === "quiet"),
    "others follow soon",
  );

  isAnswered = false;
  looking.calls.length = 0;
  made.length = 0;
  await looking.pass(20 * second);
  assert.ok(looking.calls.length > 10);
  await looking.time.run(looks.stop());
  assert.ok(made.length >= looking.calls.length, "all have ended");
});

test("SYNC-11: a provider that does not answer the looks of many does not hold up those of others", async (t) => {
  const looking = await openLooking(t, files);
  let isHanging = false;
  looking.intercept(({ authorization }, pass) => {
    if (!authorization.startsWith("Bearer silent")) return pass();
    const nothing = { object: "list", results: [], has_more: false, next_cursor: null };
    return isHanging ? new Promise(() => {}) : Promise.resolve(json(nothing));
  });
  // More than two rounds of 64 in a minute, in which each is given up after half a minute.
  for (let count = 0; count < 130; count += 1)
    await looking.connectWithToken(`silent ${count}`, `silent ${count}`);
  looking.startInstance();
  const { id } = await looking.connect();
  isHanging = true;
  await looking.pass(2 * minute);
  const quiet = () => looking.made.filter(({ outcome }) => outcome === "quiet").length;
  const before = quiet();
  await looking.pass(5 * minute);
  assert.ok(quiet() - before >= 4, `${quiet() - before} looks`);
  assert.ok(looking.clock() - ((await looking.editsAsOf(id)) ?? 0) <= 2 * minute);
});

test("OPS-3, SYNC-11: a stop waits until the reading that a look requests is requested", async (t) => {
  const looking = await openLooking(t, files);
  const { clock } = looking;
  const asked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const events: string[] = [];
  const request = async () => {
    asked.resolve();
    await release.promise;
    events.push("requested");
  };
  const { looks } = looking.startInstance({ lookWith: { sync: { request } } });
  await looking.connect();
  await looking.write({ "new.md": dated("# New\n", new Date(clock()).toISOString()) });
  await looking.time.run(asked.promise);
  const stopped = looks.stop().then(() => events.push("stopped"));
  await looking.pass(second);
  release.resolve();
  await looking.time.run(stopped);
  assert.deepEqual(events, ["requested", "stopped"]);
});

test("SYNC-11: a connection whose first sync failed is not looked at until a later one has listed it all", async (t) => {
  const looking = await openLooking(t, files, { intervalMs: 10 * minute });
  const { clock, made } = looking;
  looking.startInstance();
  const failsUntil = clock() + 8 * minute;
  looking.intercept(async (call, pass) =>
    isSearch(call) && clock() < failsUntil ? apiError(400, "validation_error") : pass(),
  );
  await looking.connect();
  assert.equal(looking.calls.filter(isSearch).length, 2, "one for each sync");
  assert.ok(made.length >= 9);
  assert.deepEqual(new Set(made.map(({ outcome }) => outcome)), new Set(["resting"]));
  made.length = 0;
  await looking.pass(3 * minute);
  assert.deepEqual(
    made.map(({ outcome }) => outcome),
    ["quiet", "quiet", "quiet"],
  );
});

test("SYNC-11: a connection that is removed just before its look is not looked at, which is no fault of Clew", async (t) => {
  const looking = await openLooking(t, files);
  const { clock, made } = looking;
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(2 * minute);
  await looking.pass(nextLook(id, clock()) - clock() - 2 * second);
  for (const list of [made, looking.calls, looking.logged]) list.length = 0;
  await looking.database.transaction((trx) => trx.deleteFrom("connections").where("id", "=", id).execute());
  await looking.pass(5 * minute);
  // The list that is read every 15 s has it no more.
  const outcomes = made.map(({ outcome }) => outcome);
  assert.deepEqual([outcomes, looking.calls, looking.logged], [["resting"], [], []]);
});

test("SYNC-11: a look that is under way is given up once its connection is removed", async (t) => {
  const looking = await openLooking(t, files);
  const { clock, made } = looking;
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(2 * minute);
  looking.intercept(() => new Promise(() => {}));
  made.length = 0;
  looking.calls.length = 0;
  await looking.pass(nextLook(id, clock()) - clock() + 2 * second);
  assert.equal(looking.calls.length, 1);
  await looking.database.transaction((trx) => trx.deleteFrom("connections").where("id", "=", id).execute());
  await looking.pass(18 * second);
  assert.deepEqual(
    made.map(({ outcome }) => outcome),
    ["failed"],
  );
});

test("SYNC-11: edits_as_of is the time at which a look began, however long its answer takes", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(3 * minute);
  looking.intercept(async (_call, pass) => {
    await looking.time.sleep(20 * second);
    return pass();
  });
  await looking.pass(2 * minute);
  for (let time = 0; time < 3 * 60; time += 5) {
    await looking.pass(5 * second);
    const ended = looking.made.findLast(({ outcome }) => outcome === "quiet")?.at ?? 0;
    const began = looking.calls.findLast(({ at }) => at < ended)?.at ?? 0;
    const told = (await looking.editsAsOf(id)) ?? 0;
    assert.ok(told <= began, `${told - began} ms later`);
    assert.ok(looking.clock() - told <= 150 * second);
  }
});

test("SYNC-11: a connection whose looks fail holds the others up for a while only, and one failure sets nothing back", async (t) => {
  const looking = await openLooking(t, files);
  const { clock, database } = looking;
  looking.startInstance();
  const { id: failing } = await looking.connect();
  const { id: other } = await looking.connectAlike("other", failing);
  await looking.pass(3 * minute);
  /** Answers as a process that has just started. */
  const asOf = async (id: number) => {
    const times = new EditTimes({ database });
    await times.refresh();
    return times.editsAsOf(await looking.connection(id)) ?? 0;
  };
  const { access_token: token } = await database.read
    .selectFrom("connections")
    .select("access_token")
    .where("id", "=", failing)
    .executeTakeFirstOrThrow();
  const setToken = (access_token: Uint8Array) =>
    database.transaction((trx) =>
      trx.updateTable("connections").set({ access_token }).where("id", "=", failing).execute(),
    );
  await looking.pass(nextLook(failing, clock()) - clock() - 3 * second);
  const before = await asOf(failing);
  await setToken(Uint8Array.of(1));
  await looking.pass(6 * second);
  await setToken(token);
  assert.equal(looking.made.filter(({ outcome }) => outcome === "failed").length, 1);
  for (let time = 0; time < 80; time += 5) {
    assert.ok((await asOf(failing)) >= before, `after ${time} s`);
    await looking.pass(5 * second);
  }

  await setToken(Uint8Array.of(1));
  const failsFrom = clock();
  for (let time = 0; time < 10 * 60; time += 5) {
    await looking.pass(5 * second);
    const late = clock() - (await asOf(other));
    assert.ok(late <= 170 * second, `${late / second} s after ${time} s`);
    assert.ok((await asOf(failing)) <= failsFrom);
  }
});

test("SYNC-11: a job that is to begin later does not keep a connection from being looked at", async (t) => {
  const looking = await openLooking(t, files);
  const { clock, made } = looking;
  const { sync } = looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(3 * minute);
  await looking.pass(nextLook(id, clock()) - clock() - 3 * second);
  made.length = 0;
  await looking.time.run(sync.request(id, { by: "webhook", only: "edits" }));
  await looking.pass(6 * second);
  assert.deepEqual(
    made.map(({ outcome }) => outcome),
    ["quiet"],
  );
  assert.equal((await findJob(looking.database.read, id))?.worker, null, "the job waits");
});

test("SYNC-11: edits that a look has found to be stored are not listed again by the next looks", async (t) => {
  const pagesOf = (updated: string) =>
    Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`p${at}.md`, dated(`# P${at}\n`, updated)]));
  const looking = await openLooking(t, pagesOf("2025-05-01T00:00:00Z"));
  const { clock, database } = looking;
  const { sync } = looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(5 * minute);
  // Searches fail while a webhook names edits of three minutes ago.
  looking.intercept(async (call, pass) => (isSearch(call) ? apiError(500, "internal_server_error") : pass()));
  const edited = new Date(clock()).toISOString();
  await looking.pass(3 * minute);
  await looking.write(pagesOf(edited));
  await looking.standIn.reload();
  const nodes = await database.read.selectFrom("nodes").select("id").execute();
  const only = nodes.map((node) => ({ of: "page" as const, id: nodeIdOf(node.id) }));
  await looking.time.run(sync.request(id, { by: "webhook", only }));
  await looking.pass(minute);
  await looking.pass(nextLook(id, clock()) - clock() - 3 * second);
  looking.intercept((_call, pass) => pass());
  const listed = [];
  while (listed.length < 4) {
    looking.calls.length = 0;
    await looking.pass(minute);
    listed.push(looking.calls.filter(isSearch).length);
  }
  // The first answer has ten entries.
  assert.deepEqual(listed, [2, 1, 1, 1]);
  assert.deepEqual(
    looking.made.slice(-4).map(({ outcome }) => outcome),
    Array(4).fill("quiet"),
  );
});

test("SYNC-11: looks go on while the instances cannot be shared, which is logged, and are shared again later", async (t) => {
  const looking = await openLooking(t, files);
  const { database, made } = looking;
  const { looks } = looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(3 * minute);
  const rename = (from: string, to: string) =>
    database.transaction((trx) => sql`alter table ${sql.ref(from)} rename to ${sql.ref(to)}`.execute(trx));
  const lines = (text: string) => looking.logged.filter((line) => line.includes(text)).length;
  const asOf = (await looking.editsAsOf(id)) ?? 0;
  await rename("instances", "hidden");
  made.length = 0;
  await looking.pass(5 * minute);
  assert.equal(lines("failed to share the looks for edits"), 20, "one each 15 s");
  assert.deepEqual(
    made.map(({ outcome }) => outcome),
    Array(5).fill("quiet"),
  );
  await rename("hidden", "instances");
  await looking.pass(minute);
  assert.equal(lines("failed to share the looks for edits"), 20);
  assert.ok(((await looking.editsAsOf(id)) ?? 0) >= asOf + 5 * minute);
  await rename("instances", "hidden");
  await looking.time.run(looks.stop());
  assert.equal(lines("failed to leave the looks to other instances"), 1);
  await rename("hidden", "instances");
});

test("SYNC-11: a Clew without metrics looks as often, and tells the same", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance({ lookWith: { onLooked: undefined } });
  const { id } = await looking.connect();
  await looking.pass(3 * minute);
  looking.calls.length = 0;
  looking.logged.length = 0;
  await looking.pass(5 * minute);
  assert.equal(looking.calls.length, 5);
  assert.ok(looking.clock() - ((await looking.editsAsOf(id)) ?? 0) < 2 * minute);
  assert.deepEqual(looking.logged, []);
});

test("SYNC-8, SYNC-11: a grant that is refused now and then is asked about each time, without a pause", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(3 * minute);
  const [made, ended] = [looking.made.length, looking.ended.length];
  for (let time = 0; time < 6; time += 1) {
    // The look, and the question whose the grant is.
    let refusals = 2;
    looking.intercept(async (_call, pass) => {
      refusals -= 1;
      return refusals >= 0 ? apiError(401, "unauthorized") : pass();
    });
    await looking.pass(3 * minute);
  }
  const outcomes = looking.made.slice(made).map(({ outcome }) => outcome);
  assert.deepEqual(outcomes, Array(6).fill(["news", "quiet", "quiet"]).flat());
  assert.deepEqual(looking.ended.slice(ended), Array(6).fill({ kind: "edits", outcome: "complete" }));
  assert.equal((await looking.connection(id)).status, "active");
});

test("SYNC-11: the pauses between readings of edits that fail grow to an hour", async (t) => {
  const looking = await openLooking(t, files, { intervalMs: 24 * 60 * minute });
  looking.startInstance();
  await looking.connect();
  await looking.pass(5 * minute);
  await looking.passTrash();
  looking.made.length = 0;
  looking.intercept(async (call, pass) => (isSearch(call) ? pass() : apiError(502, "bad_gateway")));
  const edited = new Date(looking.clock()).toISOString();
  await looking.write({ "start.md": dated("# Start\n\nNew words.\n", edited) });
  await looking.pass(126 * minute);
  const asked = looking.made.filter(({ outcome }) => outcome === "news").map(({ at }) => at);
  const pauses = asked.slice(1).map((at, index) => Math.round((at - (asked[index] ?? 0)) / minute));
  assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 60]);
});
