import assert from "node:assert/strict";
import { test } from "node:test";
import { isRecord } from "@clew/folder";
import { idsByTitle } from "../testing/references.ts";
import { notionVersion, type Served, serveFiles } from "../testing/serve-folder.ts";

const unknownId = "00000000-0000-4000-8000-000000000000";

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

async function call(served: Served, method: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(`${served.standIn.url}/v1/${path}`, { method, ...init });
  const body: unknown = await answer.json();
  assert.ok(isRecord(body));
  return { status: answer.status, headers: answer.headers, body };
}

test("every refusal has the API's shape and code", async (t) => {
  const served = await serveFiles(t, { "a.md": "# A" });
  const { tokens, notion } = await served.signIn();
  const id = (await idsByTitle(notion)).get("A") ?? "";
  const headers = { authorization: `Bearer ${tokens.access_token}`, "notion-version": notionVersion };
  const json = { ...headers, "content-type": "application/json" };
  const { "notion-version": _, ...noVersion } = headers;
  const cases: [string, string, RequestInit, number, string][] = [
    ["GET", "users/me", { headers: noVersion }, 400, "missing_version"],
    ["GET", "users/me", { headers: { ...headers, "notion-version": "1999-01-01" } }, 400, "validation_error"],
    ["GET", "users/me", { headers: { "notion-version": notionVersion } }, 401, "unauthorized"],
    ["GET", "users/me", { headers: { ...headers, authorization: "Bearer ntn_wrong" } }, 401, "unauthorized"],
    [
      "GET",
      "users/me",
      { headers: { ...headers, authorization: `Bearer ${tokens.refresh_token}` } },
      401,
      "unauthorized",
    ],
    ["GET", "pages/AAA", { headers }, 400, "validation_error"],
    ["GET", `pages/${unknownId}`, { headers }, 404, "object_not_found"],
    ["GET", `pages/${unknownId}/markdown`, { headers }, 404, "object_not_found"],
    ["GET", `pages/${id}/properties/nothing`, { headers }, 404, "object_not_found"],
    ["GET", `blocks/${unknownId}`, { headers }, 404, "object_not_found"],
    ["GET", `blocks/${unknownId}/children`, { headers }, 404, "object_not_found"],
    ["GET", `blocks/${id}/children?page_size=0`, { headers }, 400, "validation_error"],
    ["GET", `blocks/${id}/children?page_size=101`, { headers }, 400, "validation_error"],
    ["GET", `blocks/${id}/children?page_size=ten`, { headers }, 400, "validation_error"],
    ["GET", `blocks/${id}/children?start_cursor=nonsense`, { headers }, 400, "validation_error"],
    ["GET", `databases/${id}`, { headers }, 404, "object_not_found"],
    ["GET", `data_sources/${id}`, { headers }, 404, "object_not_found"],
    ["GET", `users/${unknownId}`, { headers }, 404, "object_not_found"],
    ["GET", "nothing", { headers }, 400, "invalid_request_url"],
    ["DELETE", `pages/${id}`, { headers }, 400, "invalid_request_url"],
    ["POST", "search", { headers: json, body: "{" }, 400, "invalid_json"],
    ["POST", "search", { headers: json, body: "[]" }, 400, "validation_error"],
    ["POST", "search", { headers: json, body: '{"page_size": 101}' }, 400, "validation_error"],
    ["POST", "search", { headers: json, body: '{"page_size": "5"}' }, 400, "validation_error"],
    ["POST", "search", { headers: json, body: '{"query": 1}' }, 400, "validation_error"],
    [
      "POST",
      "search",
      { headers: json, body: '{"filter": {"property": "object", "value": "x"}}' },
      400,
      "validation_error",
    ],
    [
      "POST",
      "search",
      { headers: json, body: '{"sort": {"timestamp": "x", "direction": "ascending"}}' },
      400,
      "validation_error",
    ],
  ];
  for (const [method, path, init, status, code] of cases) {
    const { body, ...answer } = await call(served, method, path, init);
    const what = `${method} ${path} ${init.body ?? ""}`;
    assert.equal(answer.status, status, what);
    assert.deepEqual([body.object, body.status, body.code], ["error", status, code], what);
    assert.equal(typeof body.message, "string");
    assert.equal(answer.headers.get("x-notion-request-id"), body.request_id);
  }
});

test("invalid queries of rows are refused", async (t) => {
  const served = await serveFiles(t, { "rows/_database.yml": "title: Rows", "rows/a.md": "" });
  const { tokens, notion } = await served.signIn();
  const [source] = (await notion.search({ filter: { property: "object", value: "data_source" } })).results;
  const headers = {
    authorization: `Bearer ${tokens.access_token}`,
    "notion-version": notionVersion,
    "content-type": "application/json",
  };
  for (const body of [
    { filter: "all" },
    { filter: { timestamp: "last_edited_time" } },
    { filter: { timestamp: "last_edited_time", last_edited_time: { before: "yesterday" } } },
    { filter: { timestamp: "last_edited_time", last_edited_time: { constructor: "2026-01-01" } } },
    { filter: { property: "Kind", select: { equals: "x" } } },
    { sorts: {} },
    { sorts: [{ property: "Kind", direction: "ascending" }] },
  ]) {
    const init = { headers, body: JSON.stringify(body) };
    const answer = await call(served, "POST", `data_sources/${source?.id}/query`, init);
    assert.deepEqual([answer.status, answer.body.code], [400, "validation_error"], init.body);
  }
});

test("an id is accepted with and without dashes, in any case", async (t) => {
  const { signIn } = await serveFiles(t, { "a.md": "# A" });
  const { notion } = await signIn();
  const id = (await idsByTitle(notion)).get("A") ?? "";
  for (const spelling of [id, id.replaceAll("-", ""), id.toUpperCase()]) {
    assert.equal((await notion.pages.retrieve({ page_id: spelling })).id, id);
  }
});

test("a grant can use all its calls in one burst, and is then refused until the limit refills", async (t) => {
  let now = Date.UTC(2026, 0, 1);
  const served = await serveFiles(t, { "a.md": "# A" }, { rateLimit: 6, clock: () => now });
  const { tokens } = await served.signIn();
  const other = await served.signIn({ person: "Visitor" });
  const headers = { authorization: `Bearer ${tokens.access_token}`, "notion-version": notionVersion };
  const statuses = [];
  for (let calls = 0; calls < 7; calls += 1)
    statuses.push((await call(served, "GET", "users/me", { headers })).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 429]);
  const refused = await call(served, "GET", "users/me", { headers });
  assert.equal(refused.body.code, "rate_limited");
  assert.deepEqual(refused.body.additional_data, { rate_limit_reason: "requests_per_minute" });
  const wait = Number(refused.headers.get("retry-after"));
  assert.equal(wait, 10);
  await other.notion.users.me({});
  now += wait * 1000;
  assert.equal((await call(served, "GET", "users/me", { headers })).status, 200);
  assert.equal((await call(served, "GET", "users/me", { headers })).status, 429);
});
