import assert from "node:assert/strict";
import { test } from "node:test";
import { sealedGrant } from "../store/queries/connections.ts";
import { findJob } from "../store/queries/jobs.ts";
import type { EndedSync } from "./steps/open-context.ts";
import { apiError, type Call, createWorkspace } from "./testing/workspace.ts";

const files = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [`p${index}.md`, `# P${index}\n\nA.\n`]),
);
const isText = ({ path }: Call) => path.endsWith("/markdown");
const isToken = ({ path }: Call) => path === "/v1/oauth/token";

test("SYNC-8: an expired grant is renewed and stored, and the sync resumes", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const before = await sealedGrant(workspace.database.read, id);
  let passed = 0;
  workspace.intercept(async (call, pass) => {
    if (isToken(call)) {
      const stored = await sealedGrant(workspace.database.read, id);
      assert.deepEqual(stored, before, "stored before it is used, and not before it is there");
    }
    if (isText(call)) passed += 1;
    if (isText(call) && passed === 6) await workspace.standIn.expireAccessTokens();
    return pass();
  });
  workspace.calls.length = 0;
  const { sync, status } = await workspace.run(id);
  assert.equal(sync.state, "idle");
  assert.equal(status, "active");
  assert.equal(workspace.calls.filter(isToken).length, 1);
  const paths = workspace.calls.filter(isText).map(({ path }) => path);
  assert.ok(paths.length <= 12 + 8, `${paths.length} texts were asked for`);
  assert.notDeepEqual((await sealedGrant(workspace.database.read, id))?.accessToken, before?.accessToken);

  workspace.intercept(null);
  workspace.pass(60_000);
  await workspace.standIn.expireAccessTokens();
  assert.equal((await workspace.run(id)).sync.state, "idle", "the new refresh token serves as well");
});

test("SYNC-8: a grant that is withdrawn for good cannot be renewed", async (t) => {
  const ended: EndedSync[] = [];
  const workspace = await createWorkspace(t, files, { onEnded: (sync) => void ended.push(sync) });
  const { id } = await workspace.connect();
  await workspace.run(id);
  workspace.pass(1000);
  workspace.intercept(async (call) =>
    isToken(call) ? apiError(400, "invalid_grant") : apiError(401, "unauthorized"),
  );
  const { status, withdrawnAt, sync } = await workspace.run(id);
  assert.equal(status, "needs_reauth");
  assert.equal(withdrawnAt, workspace.clock());
  assert.equal(sync.state, "failed");
  assert.deepEqual(ended, [
    { kind: "first", outcome: "complete" },
    { kind: "incremental", outcome: "withdrawn" },
  ]);
  workspace.intercept(null);
  const renewed = await workspace.connect();
  assert.equal(renewed.withdrawnAt, null);
  assert.equal((await workspace.run(id)).sync.state, "idle");
});

test("SYNC-8, SYNC-9: a sync that is requested while another one fails follows it, unless the grant is withdrawn", async (t) => {
  const outcomes: string[] = [];
  const workspace = await createWorkspace(t, files, {
    onEnded: ({ outcome }) => {
      outcomes.push(outcome);
      workspace.intercept(null);
    },
  });
  const { id } = await workspace.connect();
  await workspace.run(id);
  /** Has each call of a sync refused, and another sync requested at the first one. */
  const failWith = async (status: number, code: string) => {
    workspace.calls.length = 0;
    workspace.intercept(async () => {
      if (workspace.calls.length === 1) await workspace.sync.request(id);
      return apiError(status, code);
    });
    await workspace.run(id);
    await workspace.end(id);
    assert.equal(await findJob(workspace.database.read, id), null);
  };
  await failWith(400, "validation_error");
  assert.deepEqual(outcomes, ["complete", "failed", "complete"]);
  await failWith(401, "unauthorized");
  assert.deepEqual(outcomes, ["complete", "failed", "complete", "withdrawn"]);
});

test("SYNC-8: a grant that is refused as soon as it was renewed is withdrawn", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  workspace.intercept(async (call, pass) => (isToken(call) ? pass() : apiError(401, "unauthorized")));
  workspace.calls.length = 0;
  const { status } = await workspace.run(id);
  assert.equal(status, "needs_reauth");
  assert.equal(workspace.calls.filter(isToken).length, 1);
});

const isOwner = ({ path }: Call) => path === "/v1/users/me";

test("SYNC-13: a single 401 is confirmed before a grant counts as withdrawn", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  await workspace.run(id);
  for (const at of [0, 1, 5]) {
    workspace.pass(60 * 60_000);
    await workspace.write({ "p0.md": `# P0\n\nEdited ${at}.\n` });
    workspace.calls.length = 0;
    let count = -1;
    workspace.intercept(async (_, pass) => {
      count += 1;
      return count === at ? apiError(401, "unauthorized") : pass();
    });
    const { status, sync } = await workspace.run(id);
    assert.deepEqual({ status, outcome: sync.outcome }, { status: "active", outcome: "complete" });
    const confirmations = workspace.calls.filter(isOwner).length;
    assert.equal(confirmations, workspace.calls.length > at + 1 ? 1 : 0);
    assert.equal(workspace.calls.filter(isToken).length, 0);
  }
});

test("SYNC-13: a call that is refused although the grant is confirmed fails alone", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  workspace.calls.length = 0;
  let refused = "";
  workspace.intercept(async (call, pass) => {
    if (isText(call)) refused ||= call.path;
    return call.path === refused ? apiError(401, "unauthorized") : pass();
  });
  const { status, sync } = await workspace.run(id);
  assert.deepEqual({ status, outcome: sync.outcome }, { status: "active", outcome: "incomplete" });
  assert.equal(workspace.calls.filter(({ path }) => path === refused).length, 2);
  workspace.intercept(null);
  assert.equal((await workspace.run(id)).sync.outcome, "complete");
});

test("SYNC-13: a grant is not withdrawn while the provider cannot confirm it", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  workspace.intercept(async (call) =>
    isOwner(call) ? apiError(503, "service_unavailable") : apiError(401, "unauthorized"),
  );
  const { status, sync } = await workspace.run(id);
  assert.deepEqual({ status, outcome: sync.outcome }, { status: "active", outcome: "failed" });
});

test("SYNC-8: a grant that could not be renewed while the provider was down needs no new sign-in", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  workspace.intercept(async (call) =>
    isToken(call) ? apiError(503, "service_unavailable") : apiError(401, "unauthorized"),
  );
  const { status, sync } = await workspace.run(id);
  assert.equal(status, "active");
  assert.equal(sync.error, "The provider could not be reached.");
});
