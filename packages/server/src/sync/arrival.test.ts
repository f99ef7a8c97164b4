import assert from "node:assert/strict";
import { test } from "node:test";
import { dated, textsAsked, unshared } from "./testing/calls.ts";
import { createWorkspace } from "./testing/workspace.ts";

const files = {
  "start.md": dated("[[Later]], [there](sub/there.md), [[Soon]] and [[Nick]].\n"),
  "other.md": dated("# Other\n"),
};

/** A folder whose links lead nowhere yet, synced, and what a later sync makes of a change. */
async function synced(t: Parameters<typeof createWorkspace>[0]) {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  await workspace.run(id);
  return {
    workspace,
    unresolved: async () => (await workspace.node(id, "start")).unresolved.length,
    async after(change: () => Promise<void>) {
      await change();
      await workspace.run(id);
      const edges = await workspace.edges(id);
      return {
        edges: edges.filter((edge) => edge.startsWith("start ")),
      };
    },
  };
}

test("SYNC-10: a link resolves when a page is shared that it points at, without fetching the linking text again", async (t) => {
  const workspace = await createWorkspace(t, {
    ...files,
    "Later.md": dated(""),
    "sub/there.md": dated(""),
  });
  workspace.intercept(unshared("Later", "there"));
  const { id } = await workspace.connect();
  await workspace.run(id);
  const start = await workspace.node(id, "start");
  assert.equal(start.unresolved.length, 4);
  workspace.intercept(null);
  workspace.calls.length = 0;
  await workspace.run(id);
  const edges = (await workspace.edges(id)).filter((edge) => edge.startsWith("start "));
  assert.deepEqual(edges, ["start -link-> there", "start -mention-> Later"]);
  assert.equal((await workspace.node(id, "start")).unresolved.length, 2);
  assert.ok(!textsAsked(workspace).includes(start.id));
});

test("SYNC-10: a link resolves when a page appears where it points", async (t) => {
  const { unresolved, workspace, after } = await synced(t);
  assert.equal(await unresolved(), 4);
  const came = await after(() => workspace.write({ "Later.md": dated(""), "sub/there.md": dated("") }));
  assert.deepEqual(came.edges, ["start -link-> there", "start -mention-> Later"]);
  assert.equal(await unresolved(), 2);
});

test("SYNC-10: a link resolves when a page with its name appears elsewhere, or a page is renamed to it", async (t) => {
  const { workspace, unresolved, after } = await synced(t);
  const came = await after(() => workspace.write({ "deep/soon.md": dated("") }));
  assert.deepEqual(came.edges, ["start -mention-> soon"]);
  const named = await after(() =>
    workspace.write({ "other.md": dated("", "2026-01-02T00:00:00Z", "alias: nick\n") }),
  );
  assert.deepEqual(named.edges, ["start -mention-> other", "start -mention-> soon"]);
  assert.equal(await unresolved(), 2);
});

test("SYNC-10: links follow a page that moves to another folder, and lead nowhere once it is gone", async (t) => {
  const { workspace, unresolved, after } = await synced(t);
  await after(() => workspace.write({ "a/soon.md": dated("") }));
  const moved = await after(async () => {
    await workspace.remove("a");
    await workspace.write({ "b/Soon.md": dated("") });
  });
  assert.deepEqual(moved.edges, ["start -mention-> Soon"]);
  const gone = await after(() => workspace.remove("b"));
  assert.deepEqual(gone.edges, []);
  assert.equal(await unresolved(), 4);
});
