import assert from "node:assert/strict";
import { test } from "node:test";
import { commandLineClient, type OAuthError, scopeNames } from "@clew/contract";
import { call } from "../support/call.ts";
import { senderTo } from "../support/raw-request.ts";
import { readWorkspaces } from "../support/session.ts";
import {
  arrive,
  authorize,
  builtIn,
  type Changes,
  challengeOf,
  codeFor,
  connect,
  consentPage,
  mcpUrl,
  type Person,
  post,
  redirectUri,
  statusWith,
  tokensOf,
  validExchange,
  verifier,
} from "./app.ts";
import { sharedClew, somebody } from "./shared.ts";

/** Requests that are refused before a code is looked for: status and error. */
const malformed: readonly (readonly [string, Changes, number, string])[] = [
  ["no grant type", { grant_type: undefined }, 400, "invalid_request"],
  ["an empty grant type", { grant_type: "" }, 400, "invalid_request"],
  ["two grant types", { grant_type: ["authorization_code", "refresh_token"] }, 400, "invalid_request"],
  ["a refresh token", { grant_type: "refresh_token", refresh_token: "x" }, 400, "unsupported_grant_type"],
  ["client credentials", { grant_type: "client_credentials" }, 400, "unsupported_grant_type"],
  ["a password", { grant_type: "password", username: "a", password: "b" }, 400, "unsupported_grant_type"],
  ["no code", { code: undefined }, 400, "invalid_request"],
  ["two codes", { code: ["a", "b"] }, 400, "invalid_request"],
  ["no client", { client_id: undefined }, 400, "invalid_request"],
  ["two clients", { client_id: [builtIn, builtIn] }, 400, "invalid_request"],
  ["no redirect URI", { redirect_uri: undefined }, 400, "invalid_request"],
  ["two redirect URIs", { redirect_uri: [redirectUri, redirectUri] }, 400, "invalid_request"],
  ["no verifier", { code_verifier: undefined }, 400, "invalid_request"],
  ["two verifiers", { code_verifier: [verifier, verifier] }, 400, "invalid_request"],
  ["a short verifier", { code_verifier: "a".repeat(42) }, 400, "invalid_request"],
  ["a long verifier", { code_verifier: "a".repeat(129) }, 400, "invalid_request"],
  ["a verifier with a space", { code_verifier: `${"a".repeat(43)} b` }, 400, "invalid_request"],
  ["a resource elsewhere", { resource: "https://mcp.example/mcp" }, 400, "invalid_target"],
  ["two resources", { resource: ["a", "b"] }, 400, "invalid_request"],
  ["a secret", { client_secret: "secret" }, 400, "invalid_client"],
  ["an unknown client", { client_id: "nobody" }, 400, "invalid_client"],
  ["a registration of another Clew", { client_id: `app_${"A".repeat(80)}` }, 400, "invalid_client"],
  [
    "a refresh token of an unknown client",
    { client_id: "nobody", grant_type: "refresh_token", refresh_token: "x" },
    400,
    "invalid_client",
  ],
];

for (const [name, changes, status, error] of malformed) {
  test(`APP-5: a faulty form is refused as RFC 6749 has it, and uses no code up: ${name}`, async () => {
    const { url } = await sharedClew();
    const answer = await post(url, "token", { ...validExchange(url, "a".repeat(22)), ...changes });
    assert.deepEqual([answer.status, answer.body.error], [status, error]);
    assert.deepEqual(Object.keys(answer.body), ["error", "error_description"]);
    assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
    assert.equal(answer.headers.get("cache-control"), "no-store");
  });
}

/** Requests that present a code for something else than it was given for: what was asked for, what is presented, the error. */
const mismatched: readonly (readonly [string, Changes, Changes, string])[] = [
  ["another client", {}, { client_id: "https://chatgpt.com/oauth/codex/client.json" }, "invalid_grant"],
  ["another port", {}, { redirect_uri: "http://127.0.0.1:49153/callback" }, "invalid_grant"],
  ["another name of loopback", {}, { redirect_uri: "http://localhost:49152/callback" }, "invalid_grant"],
  ["a wrong verifier", {}, { code_verifier: "b".repeat(43) }, "invalid_grant"],
  ["the challenge as verifier", {}, { code_verifier: challengeOf(verifier) }, "invalid_grant"],
  ["a verifier with other capitals", {}, { code_verifier: "A".repeat(43) }, "invalid_grant"],
  ["all of V1", {}, { resource: "{url}api/v1" }, "invalid_target"],
];

for (const [name, asked, presented, error] of mismatched) {
  test(`APP-4: a code serves only what it was given for, and is used up by any other use: ${name}`, async () => {
    const { url } = await sharedClew();
    const person = await somebody();
    const code = await codeFor(person, { asked });
    const changes = Object.fromEntries(
      Object.entries(presented).map(([key, value]) => [key, String(value).replace("{url}", url.href)]),
    );
    const wrong = await post(url, "token", { ...validExchange(url, code), ...changes });
    assert.deepEqual([wrong.status, wrong.body.error], [400, error]);
    const right = await post(url, "token", validExchange(url, code));
    assert.deepEqual([right.status, right.body.error], [400, "invalid_grant"]);
    assert.deepEqual(
      (await tokensOf(person)).filter(({ status }) => status === "active"),
      [],
    );
  });
}

/** Forms that are presented in ways that are as good as the usual one. */
const equivalent: readonly (readonly [string, Changes])[] = [
  ["no resource", { resource: undefined }],
  ["a resource with a query", { resource: "{url}api/v1/mcp?tools=search,fetch" }],
  ["a resource with a final slash", { resource: "{url}api/v1/mcp/" }],
  ["unknown fields, even twice", { scope: "graph:read", audience: ["a", "b"] }],
];

test("APP-5: a code is exchanged for a service token, with its scopes and seconds, and no refresh token", async () => {
  const { url } = await sharedClew();
  const person = await arrive(url);
  for (const [name, changes] of equivalent) {
    const choice = { scopes: ["graph:read", "graph:search"] as const, expires_in_days: 7 };
    const code = await codeFor(person, { choice: { ...choice, scopes: [...choice.scopes] } });
    const presented = Object.fromEntries(
      Object.entries(changes).map(([key, value]) => [
        key,
        typeof value === "string" ? value.replace("{url}", url.href) : value,
      ]),
    );
    const { status, headers, body } = await post(url, "token", { ...validExchange(url, code), ...presented });
    assert.equal(status, 200, name);
    const { access_token, ...others } = body;
    assert.match(access_token, /^svc_[A-Za-z0-9]{32}$/);
    assert.deepEqual(others, {
      token_type: "Bearer",
      expires_in: 7 * 86_400,
      scope: "graph:search graph:read",
    });
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("pragma"), "no-cache");
    assert.equal(await statusWith(url, access_token), 200);
  }
});

test("APP-5: an Authorization header is refused in its own scheme, since no client has a secret", async () => {
  const { url } = await sharedClew();
  const { status, headers, body } = await post(url, "token", validExchange(url, "x".repeat(22)), {
    authorization: `Basic ${Buffer.from(`${builtIn}:secret`).toString("base64")}`,
  });
  assert.deepEqual([status, body.error], [401, "invalid_client"]);
  assert.match(headers.get("www-authenticate") ?? "", /^Basic /);
});

test("APP-5: an unknown client is invalid_client, so that it registers anew, and the code of another is not used up", async () => {
  const { url } = await sharedClew();
  // Others look at the tokens of `somebody`.
  const code = await codeFor(await arrive(url));
  const unknown = { ...validExchange(url, code), client_id: "nobody" };
  const plain = await post(url, "token", unknown);
  assert.deepEqual([plain.status, plain.body.error], [400, "invalid_client"]);
  assert.equal(plain.headers.get("www-authenticate"), null);
  const authorization = `Basic ${Buffer.from("nobody:secret").toString("base64")}`;
  const withHeader = await post(url, "token", unknown, { authorization });
  assert.deepEqual([withHeader.status, withHeader.body.error], [401, "invalid_client"]);
  assert.match(withHeader.headers.get("www-authenticate") ?? "", /^Basic /);
  const right = await post(url, "token", validExchange(url, code));
  assert.equal(right.status, 200);
});

test("APP-5: the endpoints take forms alone", async () => {
  const { url } = await sharedClew();
  for (const path of ["token", "revoke"]) {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ grant_type: "authorization_code", token: "x" });
    const response = await fetch(new URL(`oauth/${path}`, url), { method: "POST", headers, body });
    assert.equal(response.status, 415);
    const { error } = (await response.json()) as OAuthError;
    assert.equal(error, "invalid_request");
  }
});

test("APP-4: a code is used once; its second use revokes what the first gave", async () => {
  const { url } = await sharedClew();
  const person = await arrive(url);
  const code = await codeFor(person);
  const first = await post(url, "token", validExchange(url, code));
  assert.equal(await statusWith(url, first.body.access_token), 200);
  const second = await post(url, "token", { ...validExchange(url, code), code_verifier: "z".repeat(43) });
  assert.deepEqual([second.status, second.body.error], [400, "invalid_grant"]);
  assert.equal(await statusWith(url, first.body.access_token), 401);
  const events = await auditOf(person);
  assert.deepEqual(
    events
      .filter(({ event }) => /^token_(created|revoked)$/.test(event))
      .map(({ event, reason }) => [event, reason]),
    [
      ["token_revoked", "code_reused"],
      ["token_created", "app_connected"],
    ],
  );
});

test("APP-4: of many uses at once, one gets a token at most, and it does not last", async () => {
  const { url } = await sharedClew();
  const person = await arrive(url);
  const code = await codeFor(person);
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => post(url, "token", validExchange(url, code))),
  );
  const given = answers.filter(({ status }) => status === 200);
  assert.equal(given.length, 1);
  assert.equal(await statusWith(url, given[0]?.body.access_token ?? ""), 401);
});

test("APP-4: a code lasts a minute", async () => {
  const clew = await sharedClew();
  const person = await arrive(clew.url);
  const [early, late] = [await codeFor(person), await codeFor(person)];
  clew.advance(50_000);
  assert.equal((await post(clew.url, "token", validExchange(clew.url, early))).status, 200);
  clew.advance(10_000);
  const { status, body } = await post(clew.url, "token", validExchange(clew.url, late));
  assert.deepEqual([status, body.error], [400, "invalid_grant"]);
});

test("APP-4: a code ends with its session, its workspace and its account", async () => {
  const { url } = await sharedClew();
  const ends: readonly (readonly [string, (person: Person) => Promise<unknown>])[] = [
    [
      "signing out",
      ({ session: { access: token, refresh } }) =>
        call(url, "api/auth/logout/", { method: "POST", token, body: { refresh } }),
    ],
    [
      "disconnecting",
      ({ session, workspaceIds: [id] }) =>
        call(url, `api/provider-graph/workspaces/${id}/`, { method: "DELETE", token: session.access }),
    ],
    [
      "deleting the account",
      ({ session }) => call(url, "api/auth/me/", { method: "DELETE", token: session.access }),
    ],
  ];
  for (const [name, end] of ends) {
    const person = await arrive(url);
    const code = await codeFor(person);
    await end(person);
    const { status, body } = await post(url, "token", validExchange(url, code));
    assert.deepEqual([status, body.error], [400, "invalid_grant"], name);
  }
});

test("APP-6: the token opens the MCP transport and nothing else", async () => {
  const { url } = await sharedClew();
  const person = await arrive(url);
  const { access_token: token } = await connect(person);
  for (const path of ["api/v1/mcp", "api/v1/mcp/", "api/v1/mcp?tools=search"])
    assert.equal(await statusWith(url, token, path), 200, path);
  for (const path of [
    "api/v1/",
    "api/v1/token/",
    "api/v1/workspaces/",
    "api/v1/search/?q=a",
    "api/tokens/",
    "api/auth/me/",
    "api/provider-graph/workspaces/",
    "api/apps/requests/x/",
  ]) {
    const { status, body } = await call(url, path, { token });
    assert.deepEqual([status, body.code], [403, "wrong_token_type"], path);
  }
});

test("APP-6: clew login alone may ask for all of V1; a token made by hand opens all of it as before", async () => {
  const { url } = await sharedClew();
  const person = await arrive(url);
  const resource = new URL("api/v1", url).href;
  const login = { client_id: commandLineClient.id, resource };
  const { access_token: token } = await connect(person, { asked: login, exchanged: login });
  const made = await call<{ token: string }>(url, "api/tokens/", {
    method: "POST",
    token: person.session.access,
    body: { name: "by hand", scopes: scopeNames, workspace_ids: person.workspaceIds },
  });
  for (const each of [token, made.body.token]) {
    for (const path of ["api/v1/mcp", "api/v1/token/", "api/v1/workspaces/"])
      assert.equal(await statusWith(url, each, path), 200, path);
    assert.equal(await statusWith(url, each, "api/auth/me/"), 403);
  }
  const [hand, cli] = await tokensOf(person);
  assert.equal(hand?.client, null);
  assert.deepEqual(cli?.client, { name: "Clew on the command line", host: "127.0.0.1", resource });
});

test("APP-7: the record names the client, its host, its resource and the browser", async () => {
  const { url } = await sharedClew();
  const person = await arrive(url);
  await connect(person);
  const [record] = await tokensOf(person);
  assert.deepEqual(record?.client, { name: "Claude Code", host: "127.0.0.1", resource: mcpUrl(url) });
  assert.equal(record?.created_by_browser, "node");
  assert.equal(record?.name, "Claude Code");
});

test("APP-6: a connected app's token cannot be rotated, and is revoked as any other", async () => {
  const { url } = await sharedClew();
  const person = await arrive(url);
  const { access_token: raw } = await connect(person);
  const [record] = await tokensOf(person);
  const token = person.session.access;
  const rotated = await call(url, `api/tokens/${record?.id}/rotate/`, { method: "POST", token, body: {} });
  assert.deepEqual([rotated.status, rotated.body.code], [409, "conflict"]);
  assert.equal((await call(url, `api/tokens/${record?.id}/`, { method: "DELETE", token })).status, 204);
  assert.equal(await statusWith(url, raw), 401);
});

test("APP-4, TOK-6: a code holds its place among the ten; with ten the person ends one", async () => {
  const clew = await sharedClew();
  const { url } = clew;
  const person = await arrive(url);
  const token = person.session.access;
  const create = () =>
    call(url, "api/tokens/", {
      method: "POST",
      token,
      body: { name: "by hand", scopes: scopeNames, workspace_ids: person.workspaceIds },
    });
  for (let made = 0; made < 9; made += 1) assert.equal((await create()).status, 201);
  const page = consentPage(person, await authorize(url));
  assert.equal((await page.read()).body.limit_reached, false);
  const code = await codeFor(person);
  assert.equal((await create()).body.code, "token_limit_reached", "the code has the tenth place");
  const shown = (await page.read()).body;
  assert.deepEqual([shown.limit_reached, shown.usable_tokens.length], [true, 9]);
  const refused = await page.approve();
  assert.deepEqual([refused.status, refused.body.code], [409, "token_limit_reached"]);
  const foreign = await page.approve({ end_token_id: 999_999 });
  assert.deepEqual([foreign.status, foreign.body.code], [404, "not_found"]);
  const [oldest] = shown.usable_tokens;
  assert.ok(oldest);
  assert.equal((await page.approve({ end_token_id: oldest.id })).status, 200);
  assert.equal((await post(url, "token", validExchange(url, code))).status, 200);
  assert.equal((await tokensOf(person)).filter(({ status }) => status === "active").length, 9);
  assert.equal((await create()).body.code, "token_limit_reached", "the second code has it now");
  clew.advance(60_000);
  assert.equal((await create()).status, 201, "a code that was not redeemed gives its place back");
});

test("APP-4: an earlier token of the same program at an https address is offered for ending", async () => {
  const { url } = await sharedClew();
  const person = await arrive(url);
  const claude = {
    client_id: "https://claude.ai/oauth/mcp-oauth-client-metadata",
    redirect_uri: "https://claude.ai/api/mcp/auth_callback",
  };
  await connect(person, { asked: claude, exchanged: claude });
  await connect(person);
  const offered = async (asked: Changes) =>
    (await consentPage(person, await authorize(url, asked)).read()).body.earlier_token;
  const earlier = await offered(claude);
  assert.equal(earlier?.client?.host, "claude.ai");
  assert.equal(await offered({}), null, "programs on loopback may be on several machines");
  assert.equal(await offered({ ...claude, redirect_uri: "https://claude.com/api/mcp/auth_callback" }), null);
  const page = consentPage(person, await authorize(url, claude));
  assert.equal((await page.approve({ end_token_id: earlier?.id ?? 0 })).status, 200);
  assert.equal(await offered(claude), null);
});

test("APP-5: a program ends its own token, and a wrong or ended one is no error", async () => {
  const { url } = await sharedClew();
  const person = await arrive(url);
  const { access_token: token } = await connect(person);
  const foreign = await post(url, "revoke", { token, client_id: commandLineClient.id });
  assert.deepEqual([foreign.status, foreign.body.error], [400, "invalid_client"]);
  assert.equal(await statusWith(url, token), 200);
  for (const fields of [
    { token, client_id: builtIn, token_type_hint: "access_token" },
    { token, token_type_hint: "refresh_token" },
    { token: "svc_nothing" },
    { token: "x".repeat(2000) },
  ])
    assert.equal((await post(url, "revoke", fields)).status, 200);
  assert.equal(await statusWith(url, token), 401);
  for (const fields of [{}, { token: "" }, { token: [token, token] }]) {
    const { status, body } = await post(url, "revoke", fields);
    assert.deepEqual([status, body.error], [400, "invalid_request"]);
  }
  assert.equal(
    (await auditOf(person)).find(({ event }) => event === "token_revoked")?.reason,
    "app_disconnected",
  );
});

test("APP-5: a token that a person made by hand is not ended by its bearer", async () => {
  const { url } = await sharedClew();
  const person = await arrive(url);
  const made = await call<{ token: string }>(url, "api/tokens/", {
    method: "POST",
    token: person.session.access,
    body: { name: "by hand", scopes: scopeNames, workspace_ids: person.workspaceIds },
  });
  assert.equal((await post(url, "revoke", { token: made.body.token })).status, 200);
  assert.equal(await statusWith(url, made.body.token), 200);
});

test("APP-6, GRAPH-15: disconnecting the workspace ends the token", async () => {
  const { url } = await sharedClew();
  const person = await arrive(url);
  const { access_token: raw } = await connect(person);
  const [{ id = "" } = {}] = await readWorkspaces(url, person.session);
  const token = person.session.access;
  await call(url, `api/provider-graph/workspaces/${id}/`, { method: "DELETE", token });
  assert.equal(await statusWith(url, raw), 401);
});

test("APP-4: nobody else answers for a person: another account cannot approve with their workspaces", async () => {
  const { url } = await sharedClew();
  const [one, other] = [await somebody(), await arrive(url)];
  const authorized = await authorize(url);
  // The browser's cookie is the same, the account is another one: its own workspaces count.
  const { status } = await consentPage(other, authorized).approve({
    workspace_ids: ["11111111-1111-4111-8111-111111111111", ...one.workspaceIds],
  });
  assert.equal(status, 400);
});

async function auditOf({ url, session }: Person) {
  const { body } = await call<{ items: { event: string; reason: string | null }[] }>(
    url,
    "api/audit/?limit=100",
    { token: session.access },
  );
  return body.items;
}

test("ERR-1: another method or host is refused below /oauth/ as everywhere, with a problem document", async () => {
  const { url } = await sharedClew();
  const send = senderTo(url);
  for (const path of ["/oauth/token", "/oauth/revoke", "/oauth/register"]) {
    const wrongMethod = await send({ method: "GET", path, headers: { host: url.host } });
    assert.deepEqual([wrongMethod.status, wrongMethod.body.code], [405, "method_not_allowed"]);
    assert.match(String(wrongMethod.headers.allow), /\bPOST$/);
    const wrongHost = await send({ method: "POST", path, headers: { host: "evil.example" } });
    assert.deepEqual([wrongHost.status, wrongHost.body.code], [421, "misdirected_request"]);
    for (const { headers } of [wrongMethod, wrongHost])
      assert.match(String(headers["content-type"]), /^application\/problem\+json/);
  }
});
