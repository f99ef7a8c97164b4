import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type HeldBack, holdBack } from "../support/held-back.ts";
import { bearer, get, openSurface, type Reader, type Surface, withJson } from "./surface.ts";

async function open(t: TestContext): Promise<Surface> {
  const surface = await openSurface();
  t.after(() => surface.close());
  return surface;
}

/** Everything that a session can write, each request with a body, asked for or not. */
const writes: readonly (readonly [method: string, path: string, body: (reader: Reader) => unknown])[] = [
  [
    "POST",
    "/api/tokens/",
    ({ workspace }) => ({ name: "x", scopes: ["graph:read"], workspace_ids: [workspace.id] }),
  ],
  ["POST", "/api/tokens/TOKEN/rotate/", () => ({ overlap_hours: 1 })],
  ["DELETE", "/api/tokens/TOKEN/", () => ({})],
  ["POST", "/api/auth/logout/", ({ refresh }) => ({ refresh })],
  ["DELETE", "/api/auth/sessions/", () => ({})],
  ["DELETE", "/api/auth/sessions/OTHER/", () => ({})],
  ["POST", "/api/provider-graph/workspaces/WORKSPACE/sync/", () => ({})],
  ["DELETE", "/api/provider-graph/workspaces/WORKSPACE/", () => ({})],
  ["DELETE", "/api/auth/me/", () => ({})],
];

test("SESS-4: no session write whose body arrives after the session's end is carried out", async (t) => {
  const { clew, send, signIn, createToken } = await open(t);
  const port = Number(clew.url.port);
  const [ending, staying] = [await signIn(), await signIn()];
  const { id } = await createToken(staying);
  const { body: mine } = await get(send, "/api/auth/validate/", staying.access);
  const state = async () => {
    const paths = ["/api/tokens/", "/api/auth/sessions/", "/api/provider-graph/workspaces/"];
    return Promise.all(paths.map(async (path) => (await get(send, path, staying.access)).body));
  };

  const held: [string, HeldBack][] = [];
  for (const [method, pattern, body] of writes) {
    const path = pattern
      .replace("TOKEN", String(id))
      .replace("OTHER", mine.session_id)
      .replace("WORKSPACE", ending.workspace.id);
    const request = { method, path, token: ending.access, body: JSON.stringify(body(ending)) };
    held.push([`${method} ${pattern}`, await holdBack(port, request)]);
  }
  const logout = withJson({ refresh: ending.refresh }, ending.access);
  assert.equal((await send({ method: "POST", path: "/api/auth/logout/", ...logout })).status, 204);

  const before = await state();
  for (const [name, { finish }] of held) {
    const { status, body } = await finish();
    assert.deepEqual([status, JSON.parse(body).code], [401, "token_revoked"], name);
  }
  assert.deepEqual(await state(), before);
});

test("TOK-8: a call of a tool whose body arrives after the token's revocation is refused", async (t) => {
  const { clew, send, signIn, createToken } = await open(t);
  const reader = await signIn();
  const { id, token } = await createToken(reader);
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "list_workspaces", arguments: {} },
  };
  const call = { method: "POST", path: "/api/v1/mcp", token, body: JSON.stringify(message) };
  const held = await holdBack(Number(clew.url.port), call);
  const revocation = { method: "DELETE", path: `/api/tokens/${id}/`, headers: bearer(reader.access) };
  assert.equal((await send(revocation)).status, 204);
  const { status, body } = await held.finish();
  assert.deepEqual([status, JSON.parse(body).code], [401, "token_revoked"]);
  const { body: trail } = await get(send, "/api/audit/?limit=1", reader.access);
  assert.deepEqual([trail.items[0].event, trail.items[0].reason], ["token_refused", "token_revoked"]);
});
