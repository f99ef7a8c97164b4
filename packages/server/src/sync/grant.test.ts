import assert from "node:assert/strict";
import { test } from "node:test";
import { sealedGrant } from "../store/queries/connections.ts";
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
  const workspace = await createWorkspace(t, files);
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
  workspace.intercept(null);
  const renewed = await workspace.connect();
  assert.equal(renewed.withdrawnAt, null);
  assert.equal((await workspace.run(id)).sync.state, "idle");
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
