import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { isRecord } from "@clew/folder";
import { writeFiles } from "@clew/folder/testing";
import { collectPaginatedAPI, isNotionClientError } from "@notionhq/client";
import type { Fault, FaultRule } from "./faults.ts";
import { idsByTitle } from "./references.ts";
import { notionVersion, serveFiles } from "./serve-folder.ts";
import type { TestStandInOptions } from "./test-stand-in.ts";

const noon = Date.UTC(2026, 5, 1, 12);
const dated = (title: string, updated: string) =>
  `---\ntitle: ${title}\ncreated: 2026-01-01\nupdated: ${updated}\n---\n${"Words. ".repeat(200)}`;
const files = {
  "old.md": dated("Old", "2026-02-01T10:00:00Z"),
  "new.md": dated("New", "2026-06-01T11:59:00Z"),
  "rows/_database.yml": "title: Rows\nproperties:\n  Kind: rich_text",
  "rows/row.md": dated("Row", "2026-02-01T10:00:00Z"),
};

/** A stand-in with a signed-in person, the ids of its pages, and its raw responses. */
async function stage(t: TestContext, options: Partial<TestStandInOptions> = {}) {
  const served = await serveFiles(t, files, { clock: () => noon, ...options });
  const { notion, tokens } = await served.signIn();
  const ids = await idsByTitle(notion);
  const { faults, url } = served.standIn;
  const headers = {
    authorization: `Bearer ${tokens.access_token}`,
    "notion-version": notionVersion,
    "content-type": "application/json",
  };
  const old = ids.get("Old") ?? "";
  return {
    ...served,
    faults,
    notion,
    tokens,
    ids,
    old,
    get: (path = `pages/${old}`) => fetch(`${url}/v1/${path}`, { headers }),
    search: async (body: object = {}): Promise<Record<string, unknown>> => {
      const answer = await fetch(`${url}/v1/search`, { method: "POST", headers, body: JSON.stringify(body) });
      const json: unknown = await answer.json();
      assert.ok(isRecord(json));
      return { ...json, http: answer.status };
    },
    titles: async () => [...(await idsByTitle(notion)).keys()].sort(),
  };
}

const page = "GET /v1/pages/:page_id";
const search = "POST /v1/search";

test("a request is refused as by the provider: with a status, a code, and optionally a time to wait", async (t) => {
  const { faults, get } = await stage(t);
  const later = new Date(noon + 7_000).toUTCString();
  const cases: [Fault, number, string, string | null][] = [
    [{ kind: "error", code: "rate_limited", retryAfter: 90 }, 429, "rate_limited", "90"],
    [{ kind: "error", code: "rate_limited", retryAfter: 7, asDate: true }, 429, "rate_limited", later],
    [{ kind: "error", code: "rate_limited" }, 429, "rate_limited", null],
    [{ kind: "error", code: "service_overload", retryAfter: 3 }, 529, "service_overload", "3"],
    [{ kind: "error", code: "internal_server_error" }, 500, "internal_server_error", null],
    [{ kind: "error", code: "object_not_found" }, 404, "object_not_found", null],
    [{ kind: "error", code: "validation_error" }, 400, "validation_error", null],
    [{ kind: "error", code: "unauthorized" }, 401, "unauthorized", null],
  ];
  for (const [fault, status, code, wait] of cases) {
    faults.set([{ on: page, fault }]);
    const answer = await get();
    const body: unknown = await answer.json();
    assert.ok(isRecord(body));
    assert.deepEqual(
      [answer.status, body.object, body.status, body.code, answer.headers.get("retry-after")],
      [status, "error", status, code, wait],
    );
  }
  faults.clear();
  assert.equal((await get()).status, 200);
});

test("a rule can be limited to a route, a page, a grant, and a number of requests", async (t) => {
  const { faults, get, old, ids, signIn, standIn } = await stage(t);
  const other = await signIn({ person: "Visitor" });
  const fault = { kind: "error", code: "validation_error" } as const;
  const statuses = async (...paths: string[]) => {
    const answers = [];
    for (const path of paths) answers.push((await get(path)).status);
    return answers;
  };
  faults.set([{ on: ["GET /v1/blocks/:block_id/children", `${page}/markdown`], id: old, fault }]);
  const next = ids.get("New");
  assert.deepEqual(
    await statuses(`pages/${old}`, `pages/${old}/markdown`, `blocks/${old.replaceAll("-", "")}/children`),
    [200, 400, 400],
  );
  assert.deepEqual(await statuses(`pages/${next}/markdown`, `blocks/${next}/children`), [200, 200]);
  faults.set([{ on: page, fault, after: 2, times: 1 }]);
  assert.deepEqual(await statuses(...Array(4).fill(`pages/${old}`)), [200, 200, 400, 200]);
  assert.deepEqual(faults.counts(), [1]);
  faults.set([{ on: "*", botId: other.tokens.bot_id, fault }]);
  assert.deepEqual(await statuses("users/me"), [200]);
  await assert.rejects(other.notion.users.me({}));
  assert.equal(standIn.calls()["POST /v1/oauth/token"], 2);
});

test("the same seed causes random faults for the same requests", async (t) => {
  const { faults, get } = await stage(t);
  const run = async (seed: number) => {
    faults.set(
      [{ on: page, fault: { kind: "error", code: "internal_server_error" }, probability: 0.5 }],
      seed,
    );
    const statuses = [];
    for (let count = 0; count < 40; count += 1) statuses.push((await get()).status);
    return statuses.join();
  };
  const first = await run(1);
  assert.equal(await run(1), first);
  assert.notEqual(await run(2), first);
  assert.match(first, /200.*500|500.*200/);
});

test("a latency fault delays the response by its duration", async (t) => {
  const waited: number[] = [];
  const { faults, get } = await stage(t, {
    sleep: async (milliseconds) => void waited.push(milliseconds),
  });
  faults.set([{ on: page, fault: { kind: "latency", milliseconds: 70_000 } }]);
  assert.equal((await get()).status, 200);
  assert.deepEqual(waited, [70_000]);
});

test("faults: a gateway's HTML response, a truncated body, a broken connection", async (t) => {
  const { faults, get } = await stage(t);
  const whole = await (await get()).text();
  faults.set([{ on: page, fault: { kind: "bad_gateway" } }]);
  const gateway = await get();
  assert.deepEqual([gateway.status, gateway.headers.get("content-type")], [502, "text/html"]);
  assert.match(await gateway.text(), /^<html>/);
  faults.set([{ on: page, fault: { kind: "truncated", at: 0.25 } }]);
  const cut = await get();
  const text = await cut.text();
  assert.equal(cut.status, 200);
  assert.equal(text.length, Math.floor(whole.length / 4));
  assert.equal(cut.headers.get("content-length"), String(text.length));
  assert.throws(() => JSON.parse(text));
  faults.set([{ on: page, fault: { kind: "disconnected" } }]);
  const broken = await get();
  assert.equal(broken.status, 200);
  const received: Uint8Array[] = [];
  await assert.rejects(async () => {
    for await (const chunk of broken.body ?? []) received.push(chunk);
  });
  assert.equal(Buffer.concat(received).length, Math.floor(whole.length / 2));
  assert.equal(broken.headers.get("content-length"), String(Buffer.byteLength(whole)));
  faults.set([{ on: page, fault: { kind: "disconnected", at: 0 } }]);
  await assert.rejects(async () => (await get()).text());
});

test("search omits existing pages: those with given ids, or always the same share", async (t) => {
  const { faults, get, old, ids, titles } = await stage(t);
  const omit = (fault: Omit<Fault & { kind: "omitted" }, "kind">, seed = 1): void =>
    faults.set([{ on: search, fault: { kind: "omitted", ...fault } }], seed);
  omit({ ids: [old, ids.get("Rows") ?? ""] });
  assert.deepEqual(await titles(), ["New", "Row"]);
  assert.equal((await get()).status, 200);
  omit({ share: 1 });
  assert.deepEqual(await titles(), []);
  const seen = new Set<string>();
  for (let seed = 0; seed < 20; seed += 1) {
    omit({ share: 0.5 }, seed);
    const listed = await titles();
    assert.deepEqual(await titles(), listed);
    seen.add(listed.join());
  }
  assert.ok(seen.size > 5, `${seen.size}`);
});

test("search lags: recent pages are not listed yet, or lists show an old state", async (t) => {
  const { faults, directory, titles, standIn, notion, ids } = await stage(t);
  faults.set([{ on: search, fault: { kind: "not_listed_yet", milliseconds: 120_000 } }]);
  assert.deepEqual(await titles(), ["Old", "Row"]);
  faults.set([{ on: search, fault: { kind: "stale" } }]);
  await writeFiles(directory, {
    "old.md": dated("Renamed", "2026-06-01T12:00:00Z"),
    "rows/more.md": "# More",
  });
  await standIn.reload();
  assert.deepEqual(await titles(), ["New", "Old", "Row", "Rows"]);
  const renamed = await notion.pages.retrieve({ page_id: ids.get("Old") ?? "" });
  assert.match(JSON.stringify(renamed), /Renamed/);
  faults.clear();
  assert.deepEqual(await titles(), ["More", "New", "Renamed", "Row", "Rows"]);
});

test("a cursor expires once, and only requests with a cursor are refused", async (t) => {
  const { faults, search: list } = await stage(t);
  faults.set([{ on: search, fault: { kind: "cursor_expired" }, times: 1 }]);
  const first = await list({ page_size: 1 });
  assert.equal(first.http, 200);
  const following = { page_size: 1, start_cursor: first.next_cursor };
  const refused = await list(following);
  assert.deepEqual([refused.http, refused.code], [400, "validation_error"]);
  assert.match(String(refused.message), /^The start_cursor provided is invalid/);
  assert.equal((await list(following)).http, 200);
});

test("a grant is withdrawn between requests, together with its refresh token", async (t) => {
  const { faults, get, notion, tokens } = await stage(t);
  faults.set([{ on: "*", fault: { kind: "withdrawn" }, after: 2 }]);
  const statuses = [];
  for (let count = 0; count < 4; count += 1) statuses.push((await get()).status);
  assert.deepEqual(statuses, [200, 200, 401, 401]);
  faults.clear();
  assert.equal((await get()).status, 401);
  const request = {
    client_id: "test-client",
    client_secret: "test-secret",
    grant_type: "refresh_token",
  } as const;
  await assert.rejects(
    notion.oauth.token({ ...request, refresh_token: tokens.refresh_token ?? "" }),
    isNotionClientError,
  );
});

test("the provider's clock is off in all times that it sends and compares", async (t) => {
  const { faults, get, ids, notion } = await stage(t);
  assert.equal((await get()).headers.get("date"), new Date(noon).toUTCString());
  const hour = 3_600_000;
  const limited: FaultRule = {
    on: "GET /v1/users/me",
    fault: { kind: "error", code: "rate_limited", retryAfter: 5, asDate: true },
  };
  faults.set([{ on: "*", fault: { kind: "clock_off", milliseconds: hour + 30_000 } }, limited]);
  const answer = await get();
  assert.equal(answer.headers.get("date"), new Date(noon + hour + 30_000).toUTCString());
  const body: unknown = await answer.json();
  assert.ok(isRecord(body));
  assert.equal(body.last_edited_time, "2026-02-01T11:00:00.000Z");
  const waiting = await get("users/me");
  assert.equal(waiting.headers.get("retry-after"), new Date(noon + hour + 35_000).toUTCString());
  const database = await notion.databases.retrieve({ database_id: ids.get("Rows") ?? "" });
  const source = "data_sources" in database ? (database.data_sources[0]?.id ?? "") : "";
  const rowsAfter = async (time: string) => {
    const filter = { timestamp: "last_edited_time", last_edited_time: { on_or_after: time } } as const;
    const rows = await collectPaginatedAPI(notion.dataSources.query, { data_source_id: source, filter });
    return rows.length;
  };
  assert.equal(await rowsAfter("2026-02-01T11:00:00.000Z"), 1);
  assert.equal(await rowsAfter("2026-02-01T11:01:00.000Z"), 0);
});

test("a response is malformed: a field is missing, null or of another type, in all objects or in some", async (t) => {
  const { faults, get, search: list } = await stage(t);
  const bodyOf = async (fault: Fault) => {
    faults.set([{ on: "*", fault }], 3);
    const body: unknown = await (await get()).json();
    assert.ok(isRecord(body));
    return body;
  };
  const field = "last_edited_time";
  assert.ok(!(field in (await bodyOf({ kind: "malformed", field, as: "missing" }))));
  assert.equal((await bodyOf({ kind: "malformed", field, as: "null" }))[field], null);
  assert.equal((await bodyOf({ kind: "malformed", field, as: "other" }))[field], 7);
  assert.deepEqual((await bodyOf({ kind: "malformed", field: "properties", as: "other" })).properties, []);
  assert.deepEqual(await bodyOf({ kind: "empty" }), {});
  faults.set([{ on: search, fault: { kind: "malformed", field: "results", as: "other" } }]);
  assert.deepEqual((await list()).results, {});
  const edited = async (seed: number) => {
    faults.set([{ on: search, fault: { kind: "malformed", field, as: "missing", share: 0.5 } }], seed);
    const { results } = await list();
    assert.ok(Array.isArray(results));
    return results.map((one) => field in one);
  };
  assert.deepEqual(await edited(1), await edited(1));
  assert.ok((await Promise.all([1, 2, 3, 4].map(edited))).some((some) => new Set(some).size === 2));
});

test("parents and properties have unknown types", async (t) => {
  const { faults, get, ids } = await stage(t);
  const typesOf = async (of: "parent" | "property") => {
    faults.set([{ on: "*", fault: { kind: "new_type", of } }]);
    const body: unknown = await (await get(`pages/${ids.get("Row")}`)).json();
    assert.ok(isRecord(body) && isRecord(body.parent) && isRecord(body.properties));
    const properties = Object.values(body.properties).map((one) => (isRecord(one) ? one.type : null));
    return { parent: body.parent.type, properties: new Set(properties) };
  };
  assert.deepEqual(await typesOf("parent"), {
    parent: "team_id",
    properties: new Set(["title", "rich_text"]),
  });
  assert.deepEqual(await typesOf("property"), {
    parent: "data_source_id",
    properties: new Set(["title", "hologram"]),
  });
});
