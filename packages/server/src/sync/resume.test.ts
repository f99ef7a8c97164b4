import assert from "node:assert/strict";
import { test } from "node:test";
import { dated, isSearch, isText, listed, textsAsked, titleOf, without } from "./testing/calls.ts";
import {
  type Call,
  changed,
  createWorkspace,
  type Intercept,
  type Json,
  type Workspace,
} from "./testing/workspace.ts";

/** Asks for a sync, stops it at the first call that is held, and has another process continue with it. */
async function interrupted(
  workspace: Workspace,
  id: number,
  { isHeld, by, full = false }: { isHeld: (call: Call) => boolean; by: Intercept; full?: boolean },
): Promise<void> {
  const held = Promise.withResolvers<void>();
  let hasBegun = false;
  workspace.intercept(async (call, pass) => {
    hasBegun ||= isHeld(call);
    if (!hasBegun) return by(call, pass);
    held.resolve();
    return new Promise<Response>(() => {});
  });
  await workspace.sync.request(id, { full });
  await held.promise;
  await workspace.sync.stop();
  workspace.intercept(by);
  workspace.pass(5000);
  workspace.restart().start();
  await workspace.end(id);
}

/** Whether a call asks for one more text than these. */
function afterTexts(count: number): (call: Call) => boolean {
  let read = 0;
  return (call) => {
    if (isText(call)) read += 1;
    return read > count;
  };
}

const pages = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`p${index}.md`, `# P${index}\n\nWords.\n`]),
);

test("SYNC-6: texts queued to be fetched again survive a restart, and none is fetched twice", async (t) => {
  // All pages were edited a moment before they were read: each is read again, since an edit may hide behind that.
  const workspace = await createWorkspace(t, pages);
  const { id } = await workspace.connect();
  await workspace.run(id);
  workspace.calls.length = 0;
  await interrupted(workspace, id, { isHeld: afterTexts(8), by: (_, pass) => pass(), full: true });
  assert.equal(new Set(textsAsked(workspace)).size, 20);
  assert.ok(textsAsked(workspace).length <= 24, `${textsAsked(workspace).length} texts`);
});

test("SYNC-6: a resumed full sync looks nothing up twice", async (t) => {
  const workspace = await createWorkspace(t, pages);
  const { id } = await workspace.connect();
  await workspace.run(id);
  workspace.calls.length = 0;
  const by = listed((results) => results.slice(5));
  await interrupted(workspace, id, { isHeld: afterTexts(8), by, full: true });
  const lookUps = workspace.calls.filter(({ path }) => /^\/v1\/pages\/[^/]+$/.test(path));
  assert.equal(lookUps.length, 5);
  assert.equal((await workspace.titles(id)).length, 20);
});

test("SYNC-6: a page that only an edited row names is looked up although the sync is interrupted before that", async (t) => {
  const rows = (needs: string, updated: string) => ({
    "tasks/_database.yml": "title: Tasks\nproperties:\n  Needs: { type: relation, database: . }\n",
    "tasks/read.md": dated("# Read\n"),
    "tasks/write.md": dated("# Write\n", updated, needs),
  });
  const workspace = await createWorkspace(t, rows("", "2026-01-01T00:00:00Z"));
  const { id } = await workspace.connect();
  /** Neither search nor the database lists the row. */
  const notListed: Intercept = async (call, pass) =>
    isSearch(call) || call.path.endsWith("/query")
      ? changed(await pass(), (list) => ({
          ...list,
          results: list.results.filter((page: Json) => titleOf(page) !== "Read"),
        }))
      : pass();
  workspace.intercept(notListed);
  await workspace.run(id);
  assert.deepEqual(await workspace.titles(id), ["Tasks", "Write"]);

  await workspace.write(rows("Needs: [./read.md]\n", "2026-02-01T00:00:00Z"));
  const isLookUp = (call: Call) => call.path.startsWith("/v1/pages/") && !isText(call);
  await interrupted(workspace, id, { isHeld: isLookUp, by: notListed });
  assert.deepEqual(await workspace.titles(id), ["Read", "Tasks", "Write"]);
});

test("SYNC-6: the page that contains a moved one is looked up although the sync is interrupted before that", async (t) => {
  const read = dated("# Read\n", undefined, "id: 11111111-1111-4111-8111-111111111111\n");
  const workspace = await createWorkspace(t, { "read.md": read, "guides/index.md": dated("# Guides\n") });
  const { id } = await workspace.connect();
  const notListed = without("Guides");
  workspace.intercept(notListed);
  await workspace.run(id);
  assert.deepEqual(await workspace.titles(id), ["Read"]);

  await workspace.remove("read.md");
  await workspace.write({ "guides/read.md": read });
  const isLookUp = (call: Call) => call.path.startsWith("/v1/pages/") && !isText(call);
  await interrupted(workspace, id, { isHeld: isLookUp, by: notListed });
  assert.deepEqual(await workspace.edges(id), ["Guides -child-> Read"]);
});
