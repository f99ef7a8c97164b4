import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { dated, isSearch, isText, listed, titleOf, unshared, without } from "./testing/calls.ts";
import { everything, files } from "./testing/guides.ts";
import {
  apiError,
  changed,
  createWorkspace,
  type Intercept,
  type Json,
  json,
  type Workspace,
} from "./testing/workspace.ts";

/** Returns the number of pages that each removal had, from the log. */
const removals = ({ logged }: Workspace) =>
  logged.map((line) => JSON.parse(line).removed).filter((removed) => removed !== undefined);

test("SYNC-7: a page is removed once the provider confirms that it is gone", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  await workspace.run(id);
  await workspace.remove("guides/deep");
  await workspace.run(id);
  assert.deepEqual(
    (await workspace.titles(id)).filter((title) => ["deep", "Second"].includes(title)),
    [],
  );
  assert.ok((await workspace.titles(id)).includes("Guides"));
  assert.deepEqual(removals(workspace), [2]);
});

test("GRAPH-11: that a page was removed is kept for 90 days", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  await workspace.run(id);
  await workspace.remove("guides/deep");
  await workspace.run(id);
  const tombstonesAfter = async (milliseconds: number) => {
    workspace.pass(milliseconds);
    await workspace.run(id);
    return (await workspace.database.read.selectFrom("tombstones").selectAll().execute()).length;
  };
  const days = 90 * 24 * 60 * 60_000;
  assert.deepEqual(
    [await tombstonesAfter(0), await tombstonesAfter(days), await tombstonesAfter(1)],
    [2, 2, 0],
  );
});

test("SYNC-7: a page that search no longer lists stays while the provider still has it", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  await workspace.run(id);
  workspace.intercept(async (call, pass) =>
    isSearch(call) ? changed(await pass(), (list) => ({ ...list, results: [] })) : pass(),
  );
  await workspace.run(id);
  assert.deepEqual(await workspace.edges(id), everything);
});

test("SYNC-7: a page is not removed while the provider cannot say whether it is gone", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  await workspace.run(id);
  await workspace.remove("guides/deep/second.md");
  workspace.intercept(async (call, pass) =>
    call.method === "GET" && !isText(call) ? apiError(500, "internal_server_error") : pass(),
  );
  const { sync } = await workspace.run(id);
  assert.equal(sync.state, "idle");
  assert.ok((await workspace.titles(id)).includes("Second"));
  workspace.intercept(null);
  await workspace.run(id);
  assert.ok(!(await workspace.titles(id)).includes("Second"));
});

test("SYNC-7: pages in the trash are not nodes", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  await workspace.run(id);
  workspace.intercept(async (call, pass) => {
    const trash = (page: Json) =>
      page.properties?.title?.title[0]?.plain_text === "First" ? { ...page, in_trash: true } : page;
    if (isSearch(call))
      return changed(await pass(), (list) => ({ ...list, results: list.results.map(trash) }));
    return isText(call) ? pass() : changed(await pass(), trash);
  });
  for (const _ of ["removed", "gone before"]) {
    await workspace.run(id);
    assert.ok(!(await workspace.titles(id)).includes("First"));
    assert.deepEqual(removals(workspace), [1]);
  }
});

test("SYNC-7: a row whose text could not be read, and is gone since, is removed by the next sync", async (t) => {
  const workspace = await createWorkspace(t, {
    "tasks/_database.yml": "title: Tasks\n",
    "tasks/write.md": "# Write\n",
  });
  const { id } = await workspace.connect();
  const notListed = without("Write");
  workspace.intercept((call, pass) =>
    isText(call) ? Promise.resolve(apiError(500, "internal_server_error")) : notListed(call, pass),
  );
  await workspace.run(id);
  assert.deepEqual(await workspace.titles(id), ["Tasks", "Write"]);
  await workspace.remove("tasks/write.md");
  workspace.intercept(notListed);
  await workspace.run(id);
  assert.deepEqual(await workspace.titles(id), ["Tasks"]);
});

const deep = "11111111-1111-4111-8111-111111111111";
const textOfDeep = `/v1/pages/${deep}/markdown`;

/** A synced workspace in which search does not list a page that contains another one, and whose text could not be read. */
async function withUnreadPage(t: TestContext) {
  const workspace = await createWorkspace(t, {
    "guides/index.md": dated("# Guides\n"),
    "guides/deep/index.md": dated("# Deep\n", undefined, `id: ${deep}\n`),
    "guides/deep/second.md": dated("# Second\n"),
  });
  const { id } = await workspace.connect();
  /** Syncs while that text cannot be read, and resolves with the calls. */
  const run = async (refusal: Response, otherwise: Intercept) => {
    workspace.calls.length = 0;
    workspace.intercept(async (call, pass) => (call.path === textOfDeep ? refusal : otherwise(call, pass)));
    await workspace.run(id);
    return workspace.calls.map(({ path }) => path);
  };
  await run(apiError(400, "validation_error"), without("Deep"));
  return { workspace, id, run };
}

test("SYNC-7: a page that search does not list and whose text is not there is looked up, and what showed it is read again", async (t) => {
  const { workspace, id, run } = await withUnreadPage(t);
  const guides = await workspace.node(id, "Guides");
  assert.deepEqual(await run(apiError(404, "object_not_found"), unshared("Deep")), [
    "/v1/search",
    textOfDeep,
    `/v1/pages/${deep}`,
    `/v1/pages/${guides.id}/markdown`,
  ]);
  assert.deepEqual(await workspace.titles(id), ["Guides", "Second"]);
  assert.equal((await workspace.node(id, "Second")).parentId, null);
});

test("SYNC-5: a text that cannot be read is asked for once in a sync, and its page is not looked up", async (t) => {
  const { run } = await withUnreadPage(t);
  assert.deepEqual(await run(apiError(400, "validation_error"), without("Deep")), ["/v1/search", textOfDeep]);
});

test("SYNC-5: a subpage that only a text shows and that could not be read is asked for again by the next sync", async (t) => {
  const workspace = await createWorkspace(t, {
    "guides/index.md": dated("# Guides\n"),
    "guides/first.md": dated("# First\n"),
  });
  const { id } = await workspace.connect();
  const notListed = without("First");
  workspace.intercept(async (call, pass) => {
    if (call.method !== "GET" || isText(call)) return notListed(call, pass);
    const answer = await pass();
    const isFirst = titleOf(await answer.clone().json()) === "First";
    return isFirst ? apiError(500, "internal_server_error") : answer;
  });
  assert.equal((await workspace.run(id)).sync.outcome, "incomplete");
  assert.deepEqual(await workspace.titles(id), ["Guides"]);
  workspace.intercept(notListed);
  assert.equal((await workspace.run(id)).sync.outcome, "complete");
  assert.deepEqual(await workspace.titles(id), ["First", "Guides"]);
});

test("SYNC-10: a reference to a page that is not shared is unresolved, and resolves when the page arrives", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect({ pages: ["Start"] });
  await workspace.run(id);
  assert.deepEqual(await workspace.titles(id), ["Start"]);
  const { unresolved } = await workspace.node(id, "Start");
  assert.deepEqual(
    unresolved.map(({ type, count }) => [type, count]),
    [
      ["link", 2],
      ["mention", 1],
    ],
  );
  const again = await workspace.connect({ pages: ["Start", "Guides"] });
  assert.equal(again.id, id);
  await workspace.run(id);
  assert.deepEqual((await workspace.node(id, "Start")).unresolved, []);
  assert.ok((await workspace.edges(id)).includes("Start -mention-> Second"));
});

test("SIGN-5: pages that a person no longer shares are removed", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  await workspace.run(id);
  await workspace.connect({ pages: ["Start"] });
  await workspace.run(id);
  assert.deepEqual(await workspace.titles(id), ["Start"]);
});

test("SYNC-7: a database stays if one of its data sources is in the trash, and goes if it is there itself", async (t) => {
  const workspace = await createWorkspace(t, {
    "tasks/_database.yml": "title: Tasks\n",
    "tasks/write.md": dated("# Write\n"),
  });
  const { id } = await workspace.connect();
  const trashed = "00000000-0000-4000-8000-0000000000aa";
  let isWholeInTrash = false;
  let first: Json = null;
  workspace.intercept(async (call, pass) => {
    if (call.path === `/v1/data_sources/${trashed}`) return json({ ...first, id: trashed, in_trash: true });
    if (call.path.startsWith("/v1/databases/"))
      return changed(await pass(), (database) => ({ ...database, in_trash: isWholeInTrash }));
    return listed((results) => {
      first ??= results.find(({ object }) => object === "data_source");
      return results;
    })(call, pass);
  });
  await workspace.run(id);
  const told = async () => {
    await workspace.sync.request(id, { by: "watch", only: [{ of: "collection", id: trashed }] });
    await workspace.end(id);
    return workspace.edges(id);
  };
  assert.deepEqual(await told(), ["Tasks -child-> Write"]);
  isWholeInTrash = true;
  assert.deepEqual(await told(), []);
});
