import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "./client.ts";
import { ConnectionError, IncompleteExportError, ResponseError } from "./errors.ts";
import type { ClientOptions } from "./transport.ts";

interface Sent {
  readonly request: string;
  readonly authorization: string | null;
  readonly body: unknown;
}

type Answer =
  | Response
  | Error
  | { readonly status?: number; readonly body?: unknown; readonly headers?: Record<string, string> };

/** A client whose requests are recorded and answered from a list, and whose waits take no time. */
function clientWith(token: string, answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const rest = [...answers];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const text = await request.text();
    sent.push({
      request: `${request.method} ${request.url}`,
      authorization: request.headers.get("authorization"),
      body: text === "" ? null : JSON.parse(text),
    });
    const answer = rest.shift() ?? {};
    if (answer instanceof Response) return answer;
    if (answer instanceof Error) throw answer;
    const { status = 200, body, headers = {} } = answer;
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
  };
  const sleep = async (milliseconds: number) => void waits.push(milliseconds);
  const now = () => Date.UTC(2026, 0, 1);
  const random = () => 0.5;
  const client = createClient({
    url: "https://clew.example/base",
    token,
    fetch,
    sleep,
    now,
    random,
    ...options,
  });
  return { client, sent, waits };
}

const requestsOf = (sent: readonly Sent[]) =>
  sent.map(({ request }) => request.replace("https://clew.example/base/api/", ""));

test("an operation fills its path, and reads where its credential is for", async () => {
  const { client, sent } = clientWith("svc_token", [{ body: {} }, { body: {} }]);
  await client.listNeighbors({ id: "a/b", limit: 5, edge_type: ["link", "mention"], depth: undefined });
  assert.deepEqual(sent, [
    {
      request: "GET https://clew.example/base/api/v1/nodes/a%2Fb/neighbors/?limit=5&edge_type=link%2Cmention",
      authorization: "Bearer svc_token",
      body: null,
    },
  ]);
  await assert.rejects(client.getPage({ id: "" }), /getPage needs id/);
  const none = clientWith("svc_token", [{ body: { items: [], missing: [] } }]);
  await none.client.getPages({ ids: [] });
  assert.deepEqual(requestsOf(none.sent), ["GET v1/nodes/?ids="]);
  const session = clientWith("ey.token", [{ body: {} }]);
  await session.client.listWorkspaces();
  assert.deepEqual(requestsOf(session.sent), ["GET provider-graph/workspaces/"]);
});

test("an operation that writes sends its input as the body, and a response without a body is null", async () => {
  const { client, sent } = clientWith("ey.token", [
    { body: { access: "new" } },
    { status: 204 },
    { status: 202, body: {} },
  ]);
  assert.equal((await client.refreshAccessToken({ refresh: "old" })).access, "new");
  assert.deepEqual(sent[0]?.body, { refresh: "old" });
  assert.equal(await client.revokeServiceToken({ id: 7 }), null);
  await client.startSync({ id: "w", full: true });
  assert.deepEqual(requestsOf(sent), [
    "POST auth/refresh/",
    "DELETE tokens/7/",
    "POST provider-graph/workspaces/w/sync/?full=true",
  ]);
});

test("GRAPH-12: a list is read page by page, with the cursor of the page before", async () => {
  const { client, sent } = clientWith("svc_token", [
    { body: { items: [1, 2], next_cursor: "c" } },
    { body: { items: [3], next_cursor: null } },
    { body: { items: [4], next_cursor: "d", more: true } },
    { body: { items: [5], next_cursor: "e", more: false } },
  ]);
  const found: unknown[] = [];
  for await (const item of client.iterate("searchPages", { q: "moon" })) found.push(item);
  for await (const item of client.iterate("listChanges")) found.push(item);
  assert.deepEqual(found, [1, 2, 3, 4, 5]);
  assert.deepEqual(requestsOf(sent), [
    "GET v1/search/?q=moon",
    "GET v1/search/?q=moon&cursor=c",
    "GET v1/changes/",
    "GET v1/changes/?cursor=d",
  ]);
});

const problem = { code: "token_revoked", detail: "The token was revoked.", request_id: "r" };

test("ERR-1: a refusal throws an error with its problem document and no part of the token", async () => {
  const { client } = clientWith(
    "svc_secret",
    [
      { status: 401, body: problem },
      new Response("<h1>Not Implemented</h1>", { status: 501 }),
      new Response("no JSON", { status: 200 }),
    ],
    { retries: 0 },
  );
  await assert.rejects(client.searchPages({ q: "moon" }), (error) => {
    assert.ok(error instanceof ResponseError);
    assert.deepEqual([error.status, error.code, error.problem], [401, "token_revoked", problem]);
    return !error.message.includes("secret");
  });
  await assert.rejects(
    client.searchPages(),
    (error) => error instanceof ResponseError && error.problem === null && error.status === 501,
  );
  await assert.rejects(client.searchPages(), ConnectionError);
});

test("LIM-2: a read waits as long as Retry-After says and is repeated, within bounds", async () => {
  const limited = (retryAfter: string): Answer => ({
    status: 429,
    body: problem,
    headers: { "retry-after": retryAfter },
  });
  const done = { body: { items: [], next_cursor: null } };
  const patient = clientWith("svc_t", [
    limited("7"),
    limited("Thu, 01 Jan 2026 00:00:09 GMT"),
    new TypeError("failed"),
    done,
  ]);
  await patient.client.searchPages();
  assert.deepEqual(patient.waits, [7000, 9000, 2000]);

  const tooLong = clientWith("svc_t", [limited("61"), done]);
  await assert.rejects(
    tooLong.client.searchPages(),
    (error) => error instanceof ResponseError && error.retryAfterMs === 61_000,
  );
  assert.deepEqual(tooLong.waits, []);

  const gone = clientWith(
    "svc_t",
    Array.from({ length: 9 }, () => ({ status: 503, body: problem })),
  );
  await assert.rejects(gone.client.searchPages(), ResponseError);
  assert.deepEqual(gone.waits, [500, 1000, 2000]);

  const spread = [0, 1].map(async (random) => {
    const { client, waits } = clientWith("svc_t", [new TypeError("failed"), done], { random: () => random });
    await client.searchPages();
    return waits;
  });
  assert.deepEqual(await Promise.all(spread), [[250], [750]]);

  for (const status of [400, 401, 403, 404, 410, 500]) {
    const { client, sent } = clientWith("svc_t", [{ status, body: problem }, done]);
    await assert.rejects(client.searchPages(), ResponseError);
    assert.equal(sent.length, 1, `status ${status}`);
  }
});

test("a write is never sent twice", async () => {
  for (const answer of [
    { status: 503, headers: { "retry-after": "1" } },
    new TypeError("the connection was lost"),
  ]) {
    const { client, sent } = clientWith("ey.token", [answer]);
    await assert.rejects(
      client.createServiceToken({ name: "n", scopes: ["graph:read"], workspace_ids: ["w"] }),
    );
    assert.equal(sent.length, 1);
  }
});

test("a signal ends a call, also while it waits to try again", async () => {
  const reason = new Error("no longer needed");
  const { client, sent } = clientWith("svc_t", []);
  await assert.rejects(client.searchPages({}, { signal: AbortSignal.abort(reason) }), reason);
  assert.equal(sent.length, 0);

  const controller = new AbortController();
  const limited = async () => {
    queueMicrotask(() => controller.abort(reason));
    return new Response(null, { status: 429, headers: { "retry-after": "30" } });
  };
  const waiting = createClient({ url: "https://clew.example", fetch: limited });
  await assert.rejects(waiting.searchPages({}, { signal: controller.signal }), reason);
});

test("a token goes over https, or to a program on the same machine", () => {
  const safe = [
    "https://clew.example",
    "http://localhost:8420",
    "http://127.0.0.1",
    "http://clew.localhost",
    "http://[::1]:1",
  ];
  const others = [
    "http://clew.example",
    "http://127.0.0.1.example",
    "http://localhost.example",
    "http://10.0.0.1",
    "ws://localhost",
  ];
  for (const url of safe) createClient({ url, token: "svc_token" });
  for (const url of others) {
    assert.throws(() => createClient({ url, token: "svc_token" }), {
      name: "TypeError",
      message: /must be https/,
    });
    createClient({ url });
  }
});

/** A response in these chunks, after which the stream ends or fails. */
function streamOf(chunks: readonly string[], failure?: Error): Response {
  const encoder = new TextEncoder();
  return new Response(
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
        if (failure === undefined) controller.close();
        else controller.error(failure);
      },
    }),
  );
}

async function collected(answer: Response): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of clientWith("svc_t", [answer]).client.exportGraph({ text: true })) items.push(item);
  return items;
}

test("GRAPH-26: an export is whole only with its last line", async () => {
  const whole = '{"node":{"title":"ö\\n"}}\n{"edge":{}}\n{"text":{}}\n{"end":{"nodes":1,"edges":1}}\n';
  const items = [{ node: { title: "ö\n" } }, { edge: {} }, { text: {} }];
  assert.deepEqual(await collected(streamOf([whole])), items);
  assert.deepEqual(await collected(streamOf([...whole])), items);
  for (const broken of [
    [whole.slice(0, -1)],
    [whole.replace(/\{"end".*\n/, "")],
    [whole.replace('"nodes":1', '"nodes":2')],
    [whole, '{"node":{}}\n'],
    [],
  ])
    await assert.rejects(collected(streamOf(broken)), IncompleteExportError, JSON.stringify(broken));
  await assert.rejects(
    collected(streamOf([whole.slice(0, 9)], new TypeError("terminated"))),
    ConnectionError,
  );
});

test("GRAPH-26: an export that is left early is cancelled, and one for a file comes as it was sent", async () => {
  let isCancelled = false;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('{"node":{}}\n')),
    cancel: () => {
      isCancelled = true;
    },
  });
  const { client } = clientWith("svc_t", [new Response(endless)]);
  for await (const _ of client.exportGraph()) break;
  assert.equal(isCancelled, true);

  const file = clientWith("svc_t", [new Response("from,to\r\n")]);
  const stream = await file.client.exportStream({ format: "csv", part: "edges" });
  assert.equal(await new Response(stream).text(), "from,to\r\n");
  assert.deepEqual(requestsOf(file.sent), ["GET v1/export/?format=csv&part=edges"]);
});
