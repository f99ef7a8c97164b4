import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { holdBack } from "../support/held-back.ts";
import { holdWritesOverTheEnd } from "./held-writes.ts";
import { bearer, get, openSurface, type Surface } from "./surface.ts";

async function open(t: TestContext): Promise<Surface> {
  const surface = await openSurface();
  t.after(() => surface.close());
  return surface;
}

test("SESS-4: no session write whose body arrives after the session's end is carried out", async (t) => {
  const surface = await open(t);
  for (const seed of [1, 2, 3]) await holdWritesOverTheEnd(surface, seed);
});

test("TOK-8: a tool call whose body arrives after the token's revocation is refused", async (t) => {
  const { clew, send, signIn, createToken } = await open(t);
  const reader = await signIn();
  const { id, token } = await createToken(reader);
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "workspace_overview", arguments: {} },
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
