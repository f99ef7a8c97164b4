import assert from "node:assert/strict";
import { test } from "node:test";
import { pick, seededRandom } from "@clew/stand-in/testing/random";
import { onLists } from "../../model/testing/allow-lists.ts";
import { recordInstance } from "../../store/queries/instances.ts";
import { findLookedAt } from "../../store/queries/looks.ts";
import { recordStatements } from "../../store/testing/record-statements.ts";
import { dated, isSearch, isText, listed } from "../testing/calls.ts";
import { openLooking } from "../testing/looking.ts";
import { apiError, changed, type Json } from "../testing/workspace.ts";
import { nextLook } from "./shares.ts";

const second = 1_000;
const minute = 60 * second;

const files = {
  "start.md": dated("# Start\n\n[first](guide/first.md)\n", "2025-05-01T00:00:00Z"),
  "guide/index.md": dated("# Guide\n", "2025-05-01T00:00:00Z"),
  "guide/first.md": dated("# First\n", "2025-05-01T00:00:00Z"),
};

/** A page that was edited now. */
const editedAt = (now: number, text: string) => dated(text, new Date(now).toISOString());

test("SYNC-11: a look without news is one call a minute, and writes no row, no report, no version and no line", async (t) => {
  const looking = await openLooking(t, files);
  const { database, calls, logged, made } = looking;
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(3 * minute);
  const before = await looking.connection(id);
  const statements = recordStatements(t);
  calls.length = 0;
  logged.length = 0;
  made.length = 0;
  await looking.pass(10 * minute);
  assert.deepEqual(new Set(calls.map(({ path }) => path)), new Set(["/v1/search"]));
  assert.equal(calls.length, 10);
  assert.deepEqual(new Set(made.map(({ outcome }) => outcome)), new Set(["quiet"]));
  const writes = statements().filter((text) => /^\s*(?:insert|update|delete)/i.test(text));
  assert.deepEqual(
    writes.filter((text) => !text.includes('"instances"')),
    [],
  );
  // Each transaction runs twice in tests.
  const beats = writes.filter((text) => /^\s*insert/i.test(text)).length / 2;
  assert.ok(beats >= 38 && beats <= 42, `${beats} beats in ten minutes, one each 15 s`);
  assert.deepEqual(logged, []);
  assert.deepEqual(await looking.connection(id), before);
  assert.equal(database.schemaFault(), null);
});

test("SYNC-11: an edit, a new page and its text show within 90 s, and only they are read", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(5 * minute);
  looking.calls.length = 0;
  const before = await looking.connection(id);
  await looking.write({
    "guide/first.md": editedAt(looking.clock(), "# First\n\nNew words.\n"),
    "guide/second.md": editedAt(looking.clock(), "# Second\n\nMore words.\n"),
  });
  await looking.pass(90 * second);
  assert.match((await looking.textOf(id, "First")) ?? "", /New words/);
  assert.match((await looking.textOf(id, "Second")) ?? "", /More words/);
  const reads = looking.calls.filter((call) => !isSearch(call)).map(({ path }) => path.split("/").at(-1));
  assert.ok(reads.length >= 2 && reads.every((name) => name === "markdown"), reads.join());
  const after = await looking.connection(id);
  assert.deepEqual(
    [after.lastSyncedAt, after.completeAsOf, after.sync.outcome, after.sync.state],
    [before.lastSyncedAt, before.completeAsOf, "complete", "idle"],
  );
  assert.ok((after.editsAsOf ?? 0) > (before.completeAsOf ?? 0));
  // The next look need not read on to what was known before.
  const known = (await findLookedAt(looking.database.read, id))?.knownUntil ?? 0;
  assert.ok(known >= (after.editsAsOf ?? 0) - minute, `${known} after ${before.completeAsOf}`);
});

test("SYNC-11: a workspace that was empty is looked at, and its first page shows within 90 s", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  looking.intercept(listed(() => []));
  const { id } = await looking.connect();
  await looking.pass(5 * minute);
  assert.equal(await looking.nodeTitled(id, "First"), null);
  looking.intercept((_call, pass) => pass());
  await looking.write({ "guide/first.md": editedAt(looking.clock(), "# First\n\nWords.\n") });
  await looking.pass(90 * second);
  assert.match((await looking.textOf(id, "First")) ?? "", /Words/);
});

test("SYNC-11: what an edited page names is not looked up if it is known", async (t) => {
  const old = "2025-05-01T00:00:00Z";
  const row = (title: string, updated: string) => dated(`# ${title}\n`, updated, "Blocks: [./two.md]\n");
  const looking = await openLooking(t, {
    ...files,
    "tasks/_database.yml": "title: Tasks\nproperties:\n  Blocks: { type: relation, database: . }\n",
    "tasks/index.md": dated("", old),
    "tasks/one.md": row("One", old),
    "tasks/two.md": dated("# Two\n", old),
  });
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(5 * minute);
  looking.calls.length = 0;
  await looking.write({ "tasks/one.md": row("First", new Date(looking.clock()).toISOString()) });
  await looking.pass(90 * second);
  assert.notEqual(await looking.nodeTitled(id, "First"), null);
  const others = looking.calls.filter((call) => !isSearch(call) && !call.path.endsWith("/markdown"));
  assert.deepEqual(
    others.map(({ path }) => path),
    [],
  );
});

test("SYNC-11: at whatever second of a minute pages are edited, and again, each edit shows within 90 s", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(5 * minute);
  const random = seededRandom(23);
  let slowest = 0;
  for (let edit = 0; edit < 25; edit += 1) {
    const word = `word${edit}`;
    await looking.write({ "guide/first.md": editedAt(looking.clock(), `# First\n\n${word}\n`) });
    const begun = looking.clock();
    while (!((await looking.textOf(id, "First")) ?? "").includes(word)) {
      await looking.pass(second);
      assert.ok(looking.clock() - begun < 5 * minute, `edit ${edit} does not show`);
    }
    slowest = Math.max(slowest, looking.clock() - begun);
    await looking.pass(pick(random, [second, 5 * second, 20 * second, 3 * minute]));
  }
  t.diagnostic(`after ${slowest / second} s at most`);
  assert.ok(slowest <= 90 * second, `${slowest / second} s`);
  // A text that was read soon after its edit is read again, and then no more.
  await looking.pass(5 * minute);
  looking.calls.length = 0;
  await looking.pass(10 * minute);
  assert.ok(looking.calls.every(isSearch));
});

test("SYNC-11: two instances share the looks, and one takes over from the other", async (t) => {
  const looking = await openLooking(t, files);
  const [one] = [looking.startInstance(), looking.startInstance()];
  const ids = [(await looking.connect()).id];
  while (ids.length < 6) ids.push((await looking.connectAlike(`person ${ids.length}`, ids[0] ?? 0)).id);
  await looking.pass(3 * minute);
  looking.calls.length = 0;
  looking.made.length = 0;
  await looking.pass(5 * minute);
  assert.equal(looking.calls.length, ids.length * 5);
  const shares = [0, 1].map((number) => looking.made.filter(({ instance }) => instance === number).length);
  assert.ok(
    shares.every((share) => share > 0 && share < ids.length * 5),
    shares.join(),
  );
  // All know what either has looked at.
  for (const id of ids) {
    const asOf = (await looking.editsAsOf(id)) ?? 0;
    assert.ok(looking.clock() - asOf <= 3 * minute, `${looking.clock() - asOf}`);
  }

  await looking.time.run(one.stop());
  await looking.pass(2 * minute);
  looking.calls.length = 0;
  await looking.pass(5 * minute);
  assert.equal(looking.calls.length, ids.length * 5);
});

test("SYNC-7, SYNC-11: a page in the trash is noticed within six minutes, and removed once the provider confirms it", async (t) => {
  const looking = await openLooking(t, { ...files, "tasks/_database.yml": "title: Tasks\n" });
  looking.startInstance();
  await looking.connect();
  await looking.pass(3 * minute);
  const titles = async () => {
    const nodes = await looking.database.read.selectFrom("nodes").select("title").execute();
    return nodes.map(({ title }) => title).sort();
  };
  assert.deepEqual(await titles(), ["First", "Guide", "Start", "Tasks"]);
  const inTrash = "in_trash: true\n";
  await looking.write({
    "guide/first.md": dated("# First\n", "2025-05-01T00:00:00Z", inTrash),
    // No text of another page shows that it is gone.
    "start.md": dated("# Start\n", "2025-05-01T00:00:00Z", inTrash),
    "tasks/_database.yml": `title: Tasks\n${inTrash}`,
  });
  looking.calls.length = 0;
  await looking.pass(6 * minute + 30 * second);
  assert.ok(
    looking.calls.some(({ path }) => path.startsWith("/v1/pages/")),
    "the page is looked up",
  );
  assert.deepEqual(await titles(), ["Guide"]);
});

test("SYNC-11: an edit that the provider lists minutes late shows within 90 s of that", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(3 * minute);
  const isNew = (page: Json) => page.properties?.title?.title[0]?.plain_text === "Late";
  looking.intercept(listed((results) => results.filter((page) => !isNew(page))));
  await looking.write({ "late.md": editedAt(looking.clock(), "# Late\n\nSome words.\n") });
  await looking.pass(10 * minute);
  assert.equal(await looking.nodeTitled(id, "Late"), null);
  looking.intercept((_call, pass) => pass());
  await looking.pass(90 * second);
  assert.match((await looking.textOf(id, "Late")) ?? "", /Some words/);
});

test("SYNC-7, SYNC-11: a page that the latest edits list as in the trash is removed", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(3 * minute);
  const at = new Date(looking.clock()).toISOString();
  looking.intercept(async (call, pass) => {
    if (!isSearch(call)) return pass();
    const isStart = (page: Json) => page.properties?.title?.title[0]?.plain_text === "Start";
    return changed(await pass(), (list) => ({
      ...list,
      results: list.results
        .map((page: Json) => (isStart(page) ? { ...page, in_trash: true, last_edited_time: at } : page))
        .sort((a: Json, b: Json) => Number(isStart(b)) - Number(isStart(a))),
    }));
  });
  await looking.pass(90 * second);
  assert.equal(await looking.nodeTitled(id, "Start"), null);
  assert.ok((await looking.nodeTitled(id, "Guide")) !== null);
});

test("SYNC-11: looks spread over the minute", async (t) => {
  const times = Array.from({ length: 6_000 }, (_, id) => Math.floor((nextLook(id, 0) % minute) / second));
  const perSecond = Object.values(Object.groupBy(times, (time) => time)).map((some) => some?.length ?? 0);
  assert.equal(perSecond.length, 60);
  assert.ok(Math.max(...perSecond) <= 150, `${Math.max(...perSecond)} in one second, of 100 on average`);
  t.diagnostic(`between ${Math.min(...perSecond)} and ${Math.max(...perSecond)} a second`);
});

test("SYNC-11: the connections of an instance that died are taken over within two minutes", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  const ids = [(await looking.connect()).id];
  while (ids.length < 6) ids.push((await looking.connectAlike(`person ${ids.length}`, ids[0] ?? 0)).id);
  await looking.pass(2 * minute);
  const dead = { id: "dead", seenAt: looking.clock(), lookedAt: null, peers: ["dead"], behind: [] };
  await looking.database.transaction((trx) => recordInstance(trx, dead));
  looking.calls.length = 0;
  await looking.pass(minute);
  assert.ok(looking.calls.length < ids.length, "some are left to the other instance");
  await looking.pass(minute);
  looking.calls.length = 0;
  await looking.pass(minute);
  assert.equal(looking.calls.length, ids.length);
});

test("SYNC-8, SYNC-11: a look that is refused has a sync find out; a connection without a grant rests", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(2 * minute);
  looking.intercept(async () => apiError(401, "unauthorized"));
  await looking.pass(2 * minute);
  assert.equal((await looking.connection(id)).status, "needs_reauth");
  looking.calls.length = 0;
  await looking.pass(5 * minute);
  assert.equal(looking.calls.length, 0);
});

test("SYNC-13: a single 401 does not end a connection that is looked at", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(2 * minute);
  let refusals = 0;
  looking.intercept(async (_call, pass) => (refusals++ === 0 ? apiError(401, "unauthorized") : pass()));
  await looking.pass(2 * minute);
  assert.ok(refusals > 1);
  assert.equal((await looking.connection(id)).status, "active");
});

test("SIGN-10, SYNC-11: a connection whose owner is off the lists is not looked at", async (t) => {
  const allowed = onLists({ workspaces: ["elsewhere"], emails: ["@elsewhere.example"] });
  const looking = await openLooking(t, files, { allowed });
  await looking.connect();
  looking.startInstance();
  looking.calls.length = 0;
  await looking.pass(5 * minute);
  assert.equal(looking.calls.length, 0);
  assert.equal(looking.made.length, 0);
});

test("OPS-9, SYNC-11: a connection that has reached its quota is not looked at", async (t) => {
  const storage = { connectionQuota: 1, hasRoom: () => true };
  const looking = await openLooking(t, files);
  const { id } = await looking.connect();
  looking.startInstance({ storage });
  looking.calls.length = 0;
  await looking.pass(5 * minute);
  assert.deepEqual(new Set(looking.made.map(({ outcome }) => outcome)), new Set(["resting"]));
  assert.equal(looking.calls.length, 0);
  assert.equal(await looking.editsAsOf(id), (await looking.connection(id)).completeAsOf);
});

test("SYNC-4, SYNC-11: looks wait as long as the provider asks, and no look is made beside a sync", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  await looking.connect();
  await looking.pass(2 * minute);
  looking.intercept(async () => apiError(429, "rate_limited", { "retry-after": "300" }));
  looking.calls.length = 0;
  await looking.pass(90 * second);
  assert.equal(looking.calls.length, 1, "it is not repeated");
  const [refused] = looking.calls;
  const given = looking.made.find(({ outcome }) => outcome === "failed");
  assert.ok(refused && given && given.at - refused.at < 2 * second, "it is given up at once");
  looking.intercept((_call, pass) => pass());
  await looking.pass(3 * minute);
  assert.equal(looking.calls.length, 1, "the next looks are not made either");
  assert.equal(looking.made.at(-1)?.outcome, "failed");
  await looking.pass(3 * minute);
  assert.equal(looking.made.at(-1)?.outcome, "quiet");
});

test("SYNC-11: edits_as_of is never later than the last look without news", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  const { id, completeAsOf } = await looking.connect();
  for (let step = 0; step < 30; step += 1) {
    await looking.pass(7 * second);
    const quiet = looking.made.findLast(({ outcome }) => outcome === "quiet")?.at ?? completeAsOf ?? 0;
    const said = (await looking.editsAsOf(id)) ?? 0;
    assert.ok(said <= quiet, `${said - quiet} ms later`);
  }
});

test("SYNC-11: a look that takes too long is given up, and the next one is made", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  await looking.connect();
  await looking.pass(2 * minute);
  looking.calls.length = 0;
  looking.made.length = 0;
  looking.intercept(() => new Promise(() => {}));
  await looking.pass(90 * second);
  const [asked, given] = [looking.calls[0], looking.made[0]];
  const took = (given?.at ?? 0) - (asked?.at ?? 0);
  assert.equal(given?.outcome, "failed");
  assert.ok(took >= 29 * second && took <= 35 * second, `${took} ms`);
  looking.intercept((_call, pass) => pass());
  await looking.pass(2 * minute);
  assert.equal(looking.made.at(-1)?.outcome, "quiet");
});

test("SYNC-11: a look that cannot read an entry says so, and edits_as_of stays", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(3 * minute);
  const before = await looking.editsAsOf(id);
  looking.made.length = 0;
  looking.intercept(listed(([first, ...others]) => [{ ...first, last_edited_time: 7 }, ...others]));
  await looking.pass(3 * minute);
  assert.deepEqual(new Set(looking.made.map(({ outcome }) => outcome)), new Set(["missed"]));
  const passed = ((await looking.editsAsOf(id)) ?? 0) - (before ?? 0);
  assert.ok(passed <= minute, `${passed} ms`);
});

test("SYNC-11: a look that fails by a fault of Clew is logged, and one that the provider does not answer is not", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(2 * minute);
  const lines = () => looking.logged.filter((line) => line.includes("failed to look for edits")).length;
  looking.intercept(async () => apiError(500, "internal_server_error"));
  await looking.pass(2 * minute);
  assert.deepEqual([looking.made.at(-1)?.outcome, lines()], ["failed", 0]);
  looking.intercept((_call, pass) => pass());
  await looking.database.transaction((trx) =>
    trx
      .updateTable("connections")
      .set({ access_token: Uint8Array.of(1) })
      .where("id", "=", id)
      .execute(),
  );
  await looking.pass(90 * second);
  assert.equal(looking.made.at(-1)?.outcome, "failed");
  assert.ok(lines() > 0);
});

test("SYNC-11: while a sync runs, no look is made", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  await looking.connect();
  await looking.pass(2 * minute);
  looking.made.length = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  looking.intercept(async (call, pass) => {
    if (isText(call)) await released;
    return pass();
  });
  await looking.write({ "guide/first.md": editedAt(looking.clock(), "# First\n\nNew words.\n") });
  await looking.pass(6 * minute);
  const outcomes = looking.made.map(({ outcome }) => outcome);
  const [, ...later] = outcomes.slice(outcomes.indexOf("news"));
  assert.ok(later.length >= 3);
  assert.deepEqual(new Set(later), new Set(["busy"]));
  release();
  await looking.pass(2 * minute);
  assert.equal(looking.made.at(-1)?.outcome, "quiet");
});

test("SYNC-11: edits that cannot be read are tried again after growing pauses, and edits_as_of stays", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(5 * minute);
  await looking.passTrash();
  const before = (await looking.editsAsOf(id)) ?? 0;
  const edited = looking.clock();
  looking.intercept((call, pass) =>
    isSearch(call) ? pass() : Promise.resolve(apiError(502, "bad_gateway")),
  );
  await looking.write({ "guide/first.md": editedAt(edited, "# First\n\nNew words.\n") });
  await looking.pass(30 * minute);
  const asked = looking.made.filter(({ outcome, at }) => outcome === "news" && at > edited);
  // The pauses are 1, 2, 4 and 8 minutes, and looks are a minute apart.
  const pauses = asked.slice(1).map(({ at }, index) => Math.round((at - (asked[index]?.at ?? 0)) / minute));
  assert.deepEqual(pauses.slice(0, 4), [1, 2, 4, 8]);
  assert.deepEqual(looking.ended.at(-1), { kind: "edits", outcome: "incomplete" });
  assert.ok(((await looking.editsAsOf(id)) ?? 0) <= edited + minute);
  assert.ok(((await looking.editsAsOf(id)) ?? 0) >= before);
  looking.intercept((_call, pass) => pass());
  await looking.pass(20 * minute);
  assert.match((await looking.textOf(id, "First")) ?? "", /New words/);
  assert.ok(looking.ended.some(({ kind, outcome }) => kind === "edits" && outcome === "complete"));
  assert.ok(looking.clock() - ((await looking.editsAsOf(id)) ?? 0) < 2 * minute);
});

test("SYNC-11: edits that cannot be listed change nothing, and are found again", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(5 * minute);
  const before = await looking.connection(id);
  const edited = looking.clock();
  const areSeen = () => looking.made.some(({ outcome, at }) => outcome === "news" && at > edited);
  looking.intercept((call, pass) =>
    isSearch(call) && areSeen() ? Promise.resolve(apiError(400, "validation_error")) : pass(),
  );
  await looking.write({ "guide/first.md": editedAt(edited, "# First\n\nNew words.\n") });
  await looking.pass(2 * minute);
  assert.ok(areSeen());
  const factsOf = ({ sync, editsAsOf }: typeof before) => [sync.state, sync.error, sync.outcome, editsAsOf];
  assert.deepEqual(factsOf(await looking.connection(id)), factsOf(before));
  assert.deepEqual(looking.ended.at(-1), { kind: "edits", outcome: "failed" });
  looking.intercept((_call, pass) => pass());
  await looking.pass(10 * minute);
  assert.match((await looking.textOf(id, "First")) ?? "", /New words/);
});

test("SYNC-11: a provider that does not sort by edit is not looked at, and listed whole at the interval", async (t) => {
  const looking = await openLooking(t, files, { sortsByEdit: false, intervalMs: 20 * minute });
  const { id } = await looking.connect();
  await looking.pass(5 * minute);
  looking.startInstance();
  looking.calls.length = 0;
  await looking.write({ "new.md": "# New\n" });
  await looking.pass(10 * minute);
  assert.equal(looking.calls.length, 0);
  await looking.pass(10 * minute);
  assert.ok((await looking.nodeTitled(id, "New")) !== null);
});

test("SYNC-11: an idle workspace takes one call a minute and one for the trash in five, and in an hour those of one whole listing", async (t) => {
  const pages = Array.from({ length: 130 }, (_, at) => [
    `p${at}.md`,
    dated(`# P${at}\n`, "2025-05-01T00:00:00Z"),
  ]);
  const database = {
    "tasks/_database.yml": "title: Tasks\nproperties: {}\n",
    "tasks/one.md": dated("# One\n", "2025-05-01T00:00:00Z"),
  };
  const looking = await openLooking(t, { ...Object.fromEntries(pages), ...database });
  looking.startInstance();
  const { id } = await looking.connect();
  const { lastSyncedAt } = await looking.connection(id);
  looking.calls.length = 0;
  looking.trashCalls.length = 0;
  await looking.pass(62 * minute);
  const { length: lists } = looking.calls.filter(isSearch);
  // Of the listing: two answers of search, and the rows of the database.
  assert.ok(lists >= 60 + 2 && lists <= 62 + 2, `${lists} answers of search`);
  assert.equal(looking.calls.length - lists, 1);
  const trash = looking.trashCalls.length;
  assert.ok(trash >= 12 && trash <= 14, `${trash} of the trash, one in five minutes`);
  assert.notEqual((await looking.connection(id)).lastSyncedAt, lastSyncedAt);
});

test("SYNC-11: an edit just after the first sync of a new connection shows within 90 s too", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  await looking.pass(20 * second);
  const { id } = await looking.connect();
  await looking.write({ "guide/first.md": editedAt(looking.clock(), "# First\n\nNew words.\n") });
  await looking.pass(75 * second);
  assert.match((await looking.textOf(id, "First")) ?? "", /New words/);
});
