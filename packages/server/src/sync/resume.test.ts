import assert from "node:assert/strict";
import { test } from "node:test";
import { isText, listed, textsAsked } from "./testing/calls.ts";
import { createWorkspace, type Intercept, type Workspace } from "./testing/workspace.ts";

/** Asks for a full sync, stops it after `count` texts were read, and has another process continue with it. */
async function interrupted(workspace: Workspace, id: number, count: number, by: Intercept): Promise<void> {
  const held = Promise.withResolvers<void>();
  let read = 0;
  workspace.intercept(async (call, pass) => {
    if (isText(call)) read += 1;
    if (read <= count) return by(call, pass);
    held.resolve();
    return new Promise<Response>(() => {});
  });
  await workspace.sync.request(id, { full: true });
  await held.promise;
  await workspace.sync.stop();
  workspace.intercept(by);
  workspace.pass(5000);
  workspace.restart().start();
  await workspace.end(id);
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
  await interrupted(workspace, id, 8, (_, pass) => pass());
  assert.equal(new Set(textsAsked(workspace)).size, 20);
  assert.ok(textsAsked(workspace).length <= 24, `${textsAsked(workspace).length} texts`);
});

test("SYNC-6: a resumed full sync looks nothing up twice", async (t) => {
  const workspace = await createWorkspace(t, pages);
  const { id } = await workspace.connect();
  await workspace.run(id);
  workspace.calls.length = 0;
  await interrupted(
    workspace,
    id,
    8,
    listed((results) => results.slice(5)),
  );
  const lookUps = workspace.calls.filter(({ path }) => /^\/v1\/pages\/[^/]+$/.test(path));
  assert.equal(lookUps.length, 5);
  assert.equal((await workspace.titles(id)).length, 20);
});
