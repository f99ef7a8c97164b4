import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "./client.ts";
import { ResponseError } from "./response-error.ts";

interface Sent {
  readonly request: string;
  readonly authorization: string | null;
  readonly body: unknown;
}

/** A client whose requests are recorded and answered from a list. */
function clientWith(token: string, answers: readonly { status?: number; body?: unknown }[]) {
  const sent: Sent[] = [];
  const rest = [...answers];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const text = await request.text();
    sent.push({
      request: `${request.method} ${request.url}`,
      authorization: request.headers.get("authorization"),
      body: text === "" ? null : JSON.parse(text),
    });
    const { status = 200, body } = rest.shift() ?? {};
    return new Response(body === undefined ? null : JSON.stringify(body), { status });
  };
  return { client: createClient({ baseUrl: "http://clew.example/base", token, fetch }), sent };
}

test("a graph operation fills in the id, and uses the base path for its token", async () => {
  const answers = [{ body: { items: [] } }, { body: { items: [] } }];
  const v1 = clientWith("svc_token", answers);
  await v1.client.graph("neighbors", { id: "a/b", limit: 5 });
  assert.deepEqual(v1.sent, [
    {
      request: "GET http://clew.example/base/api/v1/nodes/a%2Fb/neighbors/?limit=5",
      authorization: "Bearer svc_token",
      body: null,
    },
  ]);
  const session = clientWith("ey.token", answers);
  await session.client.graph("workspaces", {});
  assert.equal(session.sent[0]?.request, "GET http://clew.example/base/api/provider-graph/workspaces/");
});

test("an account route sends its body, and a response without a body is null", async () => {
  const { client, sent } = clientWith("ey.token", [{ body: { access: "new" } }, { status: 204 }]);
  const renewed = await client.account("POST /api/auth/refresh/", { body: { refresh: "old" } });
  assert.deepEqual([renewed.access, sent[0]?.body], ["new", { refresh: "old" }]);
  assert.equal(await client.account("DELETE /api/tokens/:id/", { id: 7 }), null);
  assert.equal(sent[1]?.request, "DELETE http://clew.example/base/api/tokens/7/");
});

test("a list is read page by page, with the cursor of the page before", async () => {
  const { client, sent } = clientWith("svc_token", [
    { body: { items: [1, 2], next_cursor: "c" } },
    { body: { items: [3], next_cursor: null } },
  ]);
  const items: unknown[] = [];
  for await (const item of client.items("search", { q: "moon" })) items.push(item);
  assert.deepEqual(items, [1, 2, 3]);
  assert.ok(sent[1]?.request.endsWith("/search/?q=moon&cursor=c"));
});

test("ERR-1: a refusal throws an error with its problem document, but send returns it", async () => {
  const problem = { code: "token_revoked", detail: "The token was revoked.", request_id: "r" };
  const answer = { status: 401, body: problem };
  const { client } = clientWith("svc_token", [answer, answer, { status: 502, body: "Bad Gateway" }]);
  const isRefusal = (error: unknown) =>
    error instanceof ResponseError && error.status === 401 && error.problem?.code === "token_revoked";
  await assert.rejects(client.graph("search", { q: "moon" }), isRefusal);
  assert.equal((await client.send("GET", "api/v1/token/")).status, 401);
  await assert.rejects(
    client.graph("search", { q: "moon" }),
    (error) => error instanceof ResponseError && error.problem === null,
  );
});
