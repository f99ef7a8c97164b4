import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pick, type Random, seededRandom } from "@clew/stand-in/testing/random";
import { requestJob, type SyncRequest } from "../../connections/request-sync.ts";
import { findJob } from "../../store/queries/jobs.ts";
import { locationsOf } from "../../store/queries/known-nodes.ts";
import { createNodeLoader } from "../node-loader.ts";
import { SyncState } from "../state.ts";
import { loadKnownState } from "../steps/list.ts";
import { resolveParents } from "../steps/place-nodes.ts";
import { dated, isSearch, isText, listed, without } from "../testing/calls.ts";
import { type Looking, openLooking } from "../testing/looking.ts";
import { createRandomWorkspace, type Happening, happeningKinds } from "../testing/random-workspace.ts";
import { storedGraph } from "../testing/stored-graph.ts";
import { apiError, type Call, changed, json } from "../testing/workspace.ts";
import { nextLook } from "./shares.ts";

const second = 1_000;
const minute = 60 * second;

/** Random workspaces to try, and the whole listings that each lives through. */
const tries = Number(process.env.LOOK_TRIES ?? 2);
const hours = Number(process.env.LOOK_HOURS ?? 1);

function happeningOf(random: Random): Happening {
  const [one, other] = [Math.floor(random() * 50), Math.floor(random() * 50)];
  return { what: pick(random, happeningKinds), one, other };
}

/** The graph that a first sync gives. */
async function fromNothing(looking: Looking, like: number) {
  const { id } = await looking.connectAlike("Visitor", like);
  const graph = await storedGraph(looking.database, id);
  await looking.database.transaction((trx) => trx.deleteFrom("connections").where("id", "=", id).execute());
  return graph;
}

/** The parents of all nodes: those that are stored, and those that follow from all that contains them. */
async function parentsOf({ database }: Looking, connectionId: number) {
  const state = new SyncState();
  const loader = createNodeLoader({ connectionId, database, state });
  await loadKnownState({ connectionId, database, plan: { kind: "incremental" }, state, loader });
  const stored = await locationsOf(database.read, connectionId, [...state.nodeIds()]);
  return {
    stored: new Map(stored.map(({ id, parentId }) => [id, parentId])),
    following: resolveParents(state.nodeIds(), state),
  };
}

for (let attempt = 0; attempt < tries; attempt += 1)
  test(`SYNC-7, SYNC-11: after looks and a whole listing the graph is what a first sync gives (${attempt})`, async (t) => {
    const random = seededRandom(attempt + 1);
    const begun = Date.UTC(2026, 0, 1) - 100 * minute;
    const model = createRandomWorkspace(begun);
    for (let count = 0; count < 15; count += 1) model.happen(happeningOf(random), begun);
    const looking = await openLooking(t, model.files());
    looking.intercept(async (call, pass) => {
      const answer = await pass();
      if (!isText(call)) return answer;
      return changed(answer, (text) => ({ ...text, markdown: model.withMentions(text.markdown ?? "") }));
    });
    looking.startInstance();
    const { id } = await looking.connect();
    for (let hour = 0; hour < hours; hour += 1) {
      for (let episode = 0; episode < 8; episode += 1) {
        const happenings = Math.floor(random() * 4);
        for (let count = 0; count < happenings; count += 1)
          model.happen(happeningOf(random), looking.clock());
        await rm(looking.directory, { recursive: true });
        await looking.write(model.files());
        await looking.pass(pick(random, [5 * second, 40 * second, 3 * minute, 12 * minute]));
        if ((await looking.connection(id)).sync.state !== "idle") continue;
        const { stored, following } = await parentsOf(looking, id);
        assert.deepEqual(stored, following);
      }
      await looking.pass(63 * minute);
      assert.deepEqual(await storedGraph(looking.database, id), await fromNothing(looking, id));
    }
  });

async function allNodes({ database }: Looking, connectionId: number) {
  return (await storedGraph(database, connectionId)).nodes.map(({ id }) => id).sort();
}

const files = {
  "start.md": dated("# Start\n", "2025-05-01T00:00:00Z"),
  "guide/index.md": dated("# Guide\n", "2025-05-01T00:00:00Z"),
  "guide/first.md": dated("# First\n", "2025-05-01T00:00:00Z"),
};

/** A workspace that was synced a while ago, about which webhooks come; nobody looks. */
async function informed(looking: Looking) {
  const { sync } = looking.startInstance({ looks: false });
  const { id } = await looking.connect();
  await looking.pass(5 * minute);
  looking.calls.length = 0;
  const nodeOf = async (title: string) => (await looking.nodeTitled(id, title))?.id ?? "";
  const tell = async (only: NonNullable<SyncRequest["only"]>) => {
    // The stand-in reads its folder when it is searched.
    await looking.standIn.reload();
    await looking.time.run(sync.request(id, { by: "webhook", only }));
  };
  return {
    id,
    nodeOf,
    tell,
    tellOf: async (title: string) => tell([{ of: "page", id: await nodeOf(title) }]),
    paths: () => looking.calls.map(({ path }) => path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, ":id")),
  };
}

test("SYNC-11: a webhook has only the page read that it names, even if its time did not change", async (t) => {
  const looking = await openLooking(t, files);
  const { id, tellOf, paths } = await informed(looking);
  const before = await looking.connection(id);
  await looking.write({ "guide/first.md": dated("# First\n\nNew words.\n", "2025-05-01T00:00:00Z") });
  // The stand-in notices that the text is another one.
  looking.intercept(async (call, pass) =>
    isText(call)
      ? pass()
      : changed(await pass(), (page) => ({ ...page, last_edited_time: "2025-05-01T00:00:00.000Z" })),
  );
  await tellOf("First");
  await looking.pass(20 * second);
  assert.match((await looking.textOf(id, "First")) ?? "", /New words/);
  assert.deepEqual(paths(), ["/v1/pages/:id", "/v1/pages/:id/markdown"]);
  const { editsAsOf, lastSyncedAt } = await looking.connection(id);
  assert.deepEqual({ editsAsOf, lastSyncedAt }, { editsAsOf: null, lastSyncedAt: before.lastSyncedAt });
});

test("SYNC-11: what an edited page contains, names and stands below is known, and is not asked for again", async (t) => {
  const looking = await openLooking(t, {
    ...files,
    "guide/index.md": dated("# Guide\n\nSee [the start](../start.md).\n", "2025-05-01T00:00:00Z"),
    "tasks/_database.yml": "title: Tasks\nproperties:\n  Note: { type: rich_text }\n",
    "tasks/write.md": dated("# Write\n", "2025-05-01T00:00:00Z", 'Note: "See [it](../start.md)."\n'),
  });
  const { tellOf, paths } = await informed(looking);
  for (const title of ["Guide", "Write"]) {
    looking.calls.length = 0;
    await tellOf(title);
    await looking.pass(20 * second);
    assert.deepEqual(paths(), ["/v1/pages/:id", "/v1/pages/:id/markdown"], title);
  }
  // Nor if a part of the text is missing: the pages that it does not show may be in that part.
  looking.intercept(async (call, pass) =>
    isText(call)
      ? changed(await pass(), (text) => ({ ...text, truncated: true, markdown: "Words.\n" }))
      : pass(),
  );
  looking.calls.length = 0;
  await tellOf("Guide");
  await looking.pass(20 * second);
  assert.deepEqual(paths(), ["/v1/pages/:id", "/v1/pages/:id/markdown"]);
});

test("SYNC-11: the page that holds the block of an edited page is known, and is not asked for", async (t) => {
  const looking = await openLooking(t, files);
  const { id, nodeOf, tellOf, paths } = await informed(looking);
  const [start, block] = [await nodeOf("Start"), "b0000000-0000-4000-8000-000000000000"];
  looking.intercept(async (call, pass) => {
    if (call.path === `/v1/blocks/${block}`)
      return json({ object: "block", id: block, parent: { type: "page_id", page_id: start } });
    if (isText(call)) return pass();
    return changed(await pass(), (page) => ({ ...page, parent: { type: "block_id", block_id: block } }));
  });
  await tellOf("First");
  await looking.pass(20 * second);
  // Beside the texts of the page, and of those that it has left and come to.
  const asked = paths().filter((path) => !path.endsWith("/markdown"));
  assert.deepEqual(asked, ["/v1/pages/:id", "/v1/blocks/:id"]);
  assert.equal((await looking.nodeTitled(id, "First"))?.parentId, start);
});

test("SYNC-11: a page that a webhook names is removed at once if the provider no longer has it", async (t) => {
  const looking = await openLooking(t, files);
  const { id, tellOf, paths } = await informed(looking);
  await rm(join(looking.directory, "guide/first.md"));
  await tellOf("First");
  await looking.write({ "start.md": dated("# Start\n", "2025-05-01T00:00:00Z", "in_trash: true\n") });
  await tellOf("Start");
  await looking.pass(20 * second);
  assert.equal(await looking.nodeTitled(id, "First"), null);
  assert.equal(await looking.nodeTitled(id, "Start"), null);
  assert.ok((await looking.nodeTitled(id, "Guide")) !== null);
  assert.ok(!paths().includes("/v1/search"));
});

test("SYNC-7, SYNC-11: what was below a page that a webhook names and that is gone is looked up once, and removed", async (t) => {
  const looking = await openLooking(t, files);
  const { id, tellOf, paths } = await informed(looking);
  await rm(join(looking.directory, "guide"), { recursive: true });
  await tellOf("Guide");
  await looking.pass(20 * second);
  assert.deepEqual(paths(), ["/v1/pages/:id", "/v1/pages/:id"]);
  for (const title of ["Guide", "First"]) assert.equal(await looking.nodeTitled(id, title), null);
  assert.ok((await looking.nodeTitled(id, "Start")) !== null);
});

test("SYNC-5, SYNC-11: a text that could not be read is asked for again once its page is, not with every edit", async (t) => {
  const looking = await openLooking(t, files);
  looking.intercept(async (call, pass) => {
    const answer = await pass();
    if (!isText(call)) return answer;
    return changed(answer, (text) => ({
      ...text,
      markdown: text.markdown.includes("Hard") ? null : text.markdown,
    }));
  });
  await looking.write({ "guide/first.md": dated("# First\n\nHard.\n", "2025-05-01T00:00:00Z") });
  const { id, tellOf, paths } = await informed(looking);
  const isRead = async () => (await looking.textOf(id, "First")) !== null;
  assert.equal(await isRead(), false);
  looking.intercept((_call, pass) => pass());
  for (const [title, expected] of [
    ["Start", false],
    ["First", true],
  ] as const) {
    looking.calls.length = 0;
    await tellOf(title);
    await looking.pass(20 * second);
    assert.deepEqual(paths(), ["/v1/pages/:id", "/v1/pages/:id/markdown"], title);
    assert.equal(await isRead(), expected, title);
  }
});

test("SYNC-7: a page that a webhook named and is gone later is noticed by the next listing", async (t) => {
  const looking = await openLooking(t, files);
  const { id, tellOf } = await informed(looking);
  const foundBy = async () =>
    (await looking.database.read.selectFrom("nodes").select("found_by").orderBy("id").execute()).map(
      ({ found_by }) => found_by,
    );
  await looking.database.transaction((trx) => trx.updateTable("nodes").set({ found_by: "crawl" }).execute());
  await tellOf("First");
  await looking.pass(minute);
  assert.deepEqual(await foundBy(), ["crawl", "crawl", "crawl"], "listings decide where to expect it");
  await looking.database.transaction((trx) => trx.updateTable("nodes").set({ found_by: "search" }).execute());
  await rm(join(looking.directory, "guide/first.md"));
  await looking.pass(61 * minute);
  assert.equal(await looking.nodeTitled(id, "First"), null);
});

test("SYNC-5, SYNC-11: a page that a webhook named and that could not be looked up is read by the next listing, although search does not list it", async (t) => {
  const looking = await openLooking(t, files);
  const hidden = without("First");
  looking.intercept(hidden);
  const { id, tellOf, paths } = await informed(looking);
  await looking.write({ "guide/first.md": dated("# Renamed\n", new Date(looking.clock()).toISOString()) });
  const isLookUp = (call: Call) => call.path.startsWith("/v1/pages/") && !isText(call);
  looking.intercept(async (call, pass) => (isLookUp(call) ? apiError(400, "validation_error") : pass()));
  await tellOf("First");
  await looking.pass(20 * second);
  assert.ok(paths().includes("/v1/pages/:id"));
  assert.notEqual(await looking.nodeTitled(id, "First"), null);
  looking.intercept((call, pass) => (isLookUp(call) ? pass() : without("Renamed")(call, pass)));
  await looking.pass(61 * minute);
  assert.notEqual(await looking.nodeTitled(id, "Renamed"), null);
  looking.calls.length = 0;
  await looking.pass(61 * minute);
  assert.deepEqual(paths(), ["/v1/search"], "it was looked up once");
});

test("SYNC-11: a look asks for ten entries, and so does the reading of what it finds", async (t) => {
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `p${index}.md`,
      dated(`# P${index}\n`, "2025-05-01T00:00:00Z"),
    ]),
  );
  const looking = await openLooking(t, many);
  let sizes: number[] = [];
  looking.intercept(
    listed((results) => {
      sizes.push(results.length);
      return results;
    }),
  );
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(5 * minute);
  sizes = [];
  looking.ended.length = 0;
  looking.trashCalls.length = 0;
  await looking.write({ "p7.md": dated("# Edited\n", new Date(looking.clock()).toISOString()) });
  await looking.pass(90 * second);
  assert.notEqual(await looking.nodeTitled(id, "Edited"), null);
  assert.ok(looking.ended.length > 0 && looking.ended.every(({ kind }) => kind === "edits"));
  // Nothing is in the trash.
  assert.deepEqual(new Set(sizes.filter((size) => size > 0)), new Set([10]));
  assert.equal(sizes.filter((size) => size === 0).length, looking.trashCalls.length);
});

test("SYNC-11: a reading of edits holds the nodes that it meets, with all that contains them, and no others", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  const { id } = await looking.connect();
  const { database } = looking;
  const [guide, first] = [await looking.nodeTitled(id, "Guide"), await looking.nodeTitled(id, "First")];
  for (const [kind, known] of [
    ["edits", []],
    ["incremental", await allNodes(looking, id)],
  ] as const) {
    const state = new SyncState();
    const loader = createNodeLoader({ connectionId: id, database, state });
    await loadKnownState({ connectionId: id, database, plan: { kind }, state, loader });
    assert.deepEqual([...state.nodeIds()].sort(), known);
    await loader.load([first?.id ?? ""]);
    const met = kind === "edits" ? [guide?.id, first?.id].sort() : known;
    assert.deepEqual([...state.nodeIds()].sort(), met);
  }
});

test("SYNC-9, SYNC-11: a burst of webhooks is one job, and one that names nothing has the latest edits read", async (t) => {
  const looking = await openLooking(t, files);
  const { id, tell, tellOf, paths } = await informed(looking);
  for (const title of ["First", "Start", "First", "Guide", "First"]) {
    await tellOf(title);
    await looking.pass(second);
  }
  await looking.pass(20 * second);
  assert.equal(paths().filter((path) => path === "/v1/pages/:id").length, 3);
  assert.equal(await findJob(looking.database.read, id), null);
  looking.calls.length = 0;
  await tell("edits");
  await looking.pass(20 * second);
  assert.deepEqual(paths(), ["/v1/search"]);
});

test("SYNC-9, SYNC-11: a job that waits serves whatever is requested meanwhile, and all of it", async (t) => {
  const looking = await openLooking(t, files);
  const { id } = await looking.connect();
  const { database } = looking;
  const objects = (count: number, from = 0) =>
    Array.from({ length: count }, (_, at) => ({
      of: "page" as const,
      id: `00000000-0000-4000-8000-${String(from + at).padStart(12, "0")}`,
    }));
  const ask = async (...requests: readonly SyncRequest[]) => {
    await database.transaction((trx) => trx.deleteFrom("sync_jobs").execute());
    for (const request of requests)
      await database.transaction((trx) => requestJob(trx, id, request, looking.clock()));
    const job = await findJob(database.read, id);
    return [job?.extent, job?.named.length];
  };
  const [edits, named] = [
    { by: "look", only: "edits" },
    { by: "webhook", only: objects(1) },
  ] as const;
  assert.deepEqual(await ask(edits), ["edits", 0]);
  assert.deepEqual(await ask(edits, {}), ["whole", 0]);
  assert.deepEqual(await ask({ full: true }, edits), ["full", 0]);
  assert.deepEqual(await ask(named, named), ["named", 1]);
  assert.deepEqual(await ask(named, edits), ["edits", 1]);
  assert.deepEqual(await ask(named, {}, edits), ["whole", 1]);
  assert.deepEqual(
    await ask({ by: "webhook", only: objects(60) }, { by: "webhook", only: objects(60, 40) }),
    ["named", 100],
  );
  assert.deepEqual(
    await ask({ by: "webhook", only: objects(60) }, { by: "webhook", only: objects(60, 60) }),
    ["whole", 0],
    "reading all costs less",
  );
});

test("SYNC-6, SYNC-11: what was named is read although the worker that had begun stops", async (t) => {
  const looking = await openLooking(t, files);
  const { id, tellOf } = await informed(looking);
  await looking.write({ "guide/first.md": dated("# First\n\nNew words.\n", "2025-05-01T00:00:00Z") });
  looking.intercept(async (_call, pass) => {
    await looking.time.sleep(60 * minute);
    return pass();
  });
  await tellOf("First");
  await looking.pass(20 * second);
  assert.equal((await looking.connection(id)).sync.state, "running");
  looking.intercept((_call, pass) => pass());
  await looking.time.run(looking.instances[0]?.stop() ?? Promise.resolve());
  looking.startInstance({ looks: false });
  await looking.pass(20 * second);
  assert.match((await looking.textOf(id, "First")) ?? "", /New words/);
  assert.equal((await looking.connection(id)).sync.state, "idle");
});

test("SYNC-7, SYNC-11: a subpage that an edited page shows no more is looked up, and removed if it is gone", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(5 * minute);
  await rm(join(looking.directory, "guide/first.md"));
  const edited = new Date(looking.clock()).toISOString();
  await looking.write({ "guide/index.md": dated("# Guide\n\nOn its own now.\n", edited) });
  await looking.pass(90 * second);
  assert.equal(await looking.nodeTitled(id, "First"), null);
  assert.ok((await looking.nodeTitled(id, "Guide")) !== null);
});

test("SYNC-7, SYNC-11: a page that is moved soon after its edit is noticed once its edit is read again", async (t) => {
  const looking = await openLooking(t, {
    ...files,
    "new.md": dated("# New\n", "2026-01-01T00:00:00Z", "id: 11111111-1111-4111-8111-111111111111\n"),
  });
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(30 * second);
  await rm(join(looking.directory, "new.md"));
  await looking.write({
    "guide/new.md": dated("# New\n", "2026-01-01T00:00:00Z", "id: 11111111-1111-4111-8111-111111111111\n"),
  });
  await looking.pass(90 * second);
  const [guide, moved] = [await looking.nodeTitled(id, "Guide"), await looking.nodeTitled(id, "New")];
  assert.ok(guide !== null);
  assert.equal(moved?.parentId, guide.id);
});

test("SYNC-7, SYNC-11: a text that was read within the minute of its edit is read again after it and after the next one, by readings of edits", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  const edit = (words: string) =>
    looking.write({
      "start.md": dated(`# Start\n\n${words}\n`, new Date(looking.clock()).toISOString()),
    });
  const complete = (kind: "first" | "edits") => ({ kind, outcome: "complete" });
  // Pages would be looked up by a whole listing alone.
  const readings = () => {
    assert.ok(looking.calls.every((call) => isText(call) || isSearch(call)));
    return looking.calls.filter(isText).length;
  };
  await edit("Words.");
  const { id } = await looking.connect();
  looking.calls.length = 0;
  await looking.pass(5 * minute);
  assert.deepEqual(looking.ended, [complete("first"), complete("edits"), complete("edits")]);
  assert.equal(readings(), 2);

  // The look is 15 seconds after the edit.
  await looking.pass(nextLook(id, looking.clock()) - looking.clock() - 15 * second);
  looking.calls.length = 0;
  looking.ended.length = 0;
  await edit("More words.");
  await looking.pass(5 * minute);
  assert.deepEqual(looking.ended, Array(3).fill(complete("edits")));
  assert.equal(readings(), 3);
});
