import assert from "node:assert/strict";
import { test } from "node:test";
import { type SignInErrorCode, signInErrors } from "@clew/contract";
import { sql } from "kysely";
import { onLists } from "../../model/testing/allow-lists.ts";
import type { Arrival } from "./testing/browser.ts";
import { grant, json, type ProviderServer, text } from "./testing/provider-server.ts";
import { clientSecret, type SignInServer, serveSignIn } from "./testing/sign-in-server.ts";

const minute = 60_000;

/** Asserts that the browser was redirected to the dashboard with this error, and no session was created. */
async function assertFailed(server: SignInServer, arrival: Arrival, code: SignInErrorCode): Promise<void> {
  assert.deepEqual(
    [arrival.status, arrival.location, arrival.fragment, arrival.text],
    [302, "http://localhost:8420/dashboard", { error: code, error_description: signInErrors[code] }, ""],
  );
  assert.equal(arrival.headers["cache-control"], "no-store");
  assert.equal(arrival.headers["referrer-policy"], "no-referrer");
  assert.equal(arrival.cookies.size, 0);
  assert.deepEqual(server.synced, []);
  await assertNobody(server);
}

async function assertNobody({ fixture: { database } }: SignInServer): Promise<void> {
  for (const table of ["users", "connections", "sessions"] as const) {
    assert.deepEqual(await database.read.selectFrom(table).selectAll().execute(), [], table);
  }
}

test("SIGN-4: a person who refuses consent sees why, and the state is consumed", async (t) => {
  const server = await serveSignIn(t);
  const tab = server.browser();
  const state = await tab.begin();
  await assertFailed(server, await tab.finish({ error: "access_denied", state }), "access_denied");
  await assertFailed(server, await tab.finish({ code: "c", state }), "invalid_state");
  assert.deepEqual(server.provider.exchanges, []);
});

test("SIGN-4: any other provider error, or a missing code, is exchange_failed", async (t) => {
  const server = await serveSignIn(t);
  const tab = server.browser();
  const queries = [{ error: "server_error" }, { error: "invalid_scope", code: "c" }, { code: "" }, {}];
  for (const query of queries) {
    await assertFailed(server, await tab.finish({ ...query, state: await tab.begin() }), "exchange_failed");
  }
  assert.deepEqual(server.provider.exchanges, []);
});

test("SIGN-2: a replayed state is refused", async (t) => {
  const server = await serveSignIn(t);
  const tab = server.browser();
  const state = await tab.begin();
  const cookies = new Map(tab.cookies);
  assert.ok((await tab.finish({ code: "c", state })).fragment.access_token);
  for (const [name, value] of cookies) tab.cookies.set(name, value);
  const replay = await tab.finish({ code: "c", state });
  assert.deepEqual([replay.status, replay.fragment.error], [302, "invalid_state"]);
  assert.equal(server.provider.exchanges.length, 1);
});

test("SIGN-2: of many simultaneous callbacks with one state, exactly one signs in", async (t) => {
  const { provider, browser } = await serveSignIn(t);
  const tab = browser();
  const state = await tab.begin();
  const arrivals = await Promise.all(Array.from({ length: 20 }, () => tab.finish({ code: "c", state })));
  assert.equal(arrivals.filter(({ fragment }) => fragment.access_token).length, 1);
  assert.equal(arrivals.filter(({ fragment }) => fragment.error === "invalid_state").length, 19);
  assert.equal(provider.exchanges.length, 1);
});

test("SIGN-2: a state expires after exactly ten minutes", async (t) => {
  const server = await serveSignIn(t);
  const tab = server.browser();
  const [old, older] = [await tab.begin(), await tab.begin()];
  server.fixture.clock.advance(10 * minute - 1);
  const { fragment } = await tab.finish({ code: "c", state: old });
  assert.ok(fragment.access_token);
  server.fixture.clock.advance(1);
  assert.equal((await tab.finish({ code: "c", state: older })).fragment.error, "invalid_state");
});

test("SIGN-2: another browser's state is refused and not consumed", async (t) => {
  const server = await serveSignIn(t);
  const [owner, stranger] = [server.browser(), server.browser()];
  const state = await owner.begin();
  await assertFailed(server, await stranger.finish({ code: "c", state }), "invalid_state");
  await stranger.begin();
  await assertFailed(server, await stranger.finish({ code: "c", state }), "invalid_state");
  const [name = ""] = owner.cookies.keys();
  stranger.cookies.set(name, "guessed");
  await assertFailed(server, await stranger.finish({ code: "c", state }), "invalid_state");
  assert.deepEqual(server.provider.exchanges, []);
  assert.ok((await owner.finish({ code: "c", state })).fragment.access_token);
});

test("SIGN-2: a missing, forged, duplicate or oversized state is refused", async (t) => {
  const server = await serveSignIn(t);
  const tab = server.browser();
  const state = await tab.begin();
  const queries = [
    "",
    "?code=c",
    "?code=c&state=",
    `?code=c&state=${"x".repeat(43)}`,
    `?code=c&state=${state}&state=${state}`,
    `?code=c&code=d&state=${state}`,
    `?code=c&state=${state}%00`,
    `?code=c&state=${"x".repeat(7000)}`,
    `?code=c&state=${"x".repeat(9000)}`,
    "?code=c&state=%ff%E0",
    "?code=c&__proto__=x&state[]=y",
  ];
  for (const query of queries) {
    await assertFailed(server, await tab.open(`/callback${query}`), "invalid_state");
  }
  assert.deepEqual(server.provider.exchanges, []);
  assert.ok((await tab.finish({ code: "c", state })).fragment.access_token, "the state is still valid");
});

test("SIGN-4: HEAD on the callback consumes nothing", async (t) => {
  const { browser } = await serveSignIn(t);
  const tab = browser();
  const state = await tab.begin();
  assert.equal((await tab.open(`/callback?code=c&state=${state}`, {}, "HEAD")).status, 405);
  assert.ok((await tab.finish({ code: "c", state })).fragment.access_token);
});

const refusals: readonly (readonly [string, ProviderServer["respond"], SignInErrorCode])[] = [
  ["refuses the code", json({ error: "invalid_grant", error_description: "used" }, 400), "exchange_failed"],
  [
    "refuses the code with an API error",
    json({ object: "error", status: 400, code: "validation_error", message: "no" }, 400),
    "exchange_failed",
  ],
  ["refuses Clew's credentials", json({ error: "invalid_client" }, 401), "exchange_failed"],
  [
    "is broken",
    json({ object: "error", status: 500, code: "internal_server_error" }, 500),
    "provider_unavailable",
  ],
  [
    "is overloaded",
    json({ object: "error", status: 529, code: "service_overload" }, 529),
    "provider_unavailable",
  ],
  ["is busy", json({ object: "error", status: 429, code: "rate_limited" }, 429), "provider_unavailable"],
  ["responds in HTML", text("<h1>Maintenance</h1>", "text/html", 503), "provider_unavailable"],
  ["responds with 200 in HTML", text("<h1>Hello</h1>", "text/html"), "provider_unavailable"],
  [
    "responds with truncated JSON",
    text('{"access_token": "ntn_acc', "application/json"),
    "provider_unavailable",
  ],
  ["responds with nothing", text("", "application/json"), "provider_unavailable"],
  ["responds with null", json(null), "provider_unavailable"],
  ["responds without a token", json({ ...grant, access_token: undefined }), "provider_unavailable"],
  ["closes the connection", (response) => void response.destroy(), "provider_unavailable"],
  [
    "closes the connection midway",
    (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": 1000 });
      response.write("{", () => response.destroy());
    },
    "provider_unavailable",
  ],
  [
    "redirects",
    (response) => void response.writeHead(302, { location: "/elsewhere" }).end(),
    "provider_unavailable",
  ],
];

for (const [what, respond, code] of refusals) {
  test(`SIGN-4: a provider that ${what} ends in ${code}`, async (t) => {
    const server = await serveSignIn(t);
    server.provider.respond = respond;
    const tab = server.browser();
    await assertFailed(server, await tab.finish({ code: "c", state: await tab.begin() }), code);
  });
}

test("SIGN-4: a provider that is down ends in provider_unavailable", async (t) => {
  const server = await serveSignIn(t);
  const tab = server.browser();
  const state = await tab.begin();
  await server.provider.close();
  await assertFailed(server, await tab.finish({ code: "c", state }), "provider_unavailable");
});

const invalidGrants = [
  ["a workspace as owner", { ...grant, owner: { type: "workspace", workspace: true } }, "unsupported_owner"],
  ["no owner", { ...grant, owner: undefined }, "provider_unavailable"],
  [
    "an owner without an id",
    { ...grant, owner: { type: "user", user: { object: "user" } } },
    "provider_unavailable",
  ],
  ["no workspace", { ...grant, workspace_id: undefined }, "provider_unavailable"],
] as const;

for (const [what, invalid, code] of invalidGrants) {
  test(`SIGN-4: a grant with ${what} ends in ${code} and is revoked`, async (t) => {
    const server = await serveSignIn(t);
    server.provider.respond = json(invalid);
    const tab = server.browser();
    await assertFailed(server, await tab.finish({ code: "c", state: await tab.begin() }), code);
    assert.deepEqual(server.provider.revoked, [grant.access_token]);
  });
}

test("SIGN-4: the grant of a person who may not sign in is revoked", async (t) => {
  const allowed = onLists({ workspaces: ["another"], emails: ["@elsewhere.example"] });
  const server = await serveSignIn(t, { allowed });
  const tab = server.browser();
  await assertFailed(server, await tab.finish({ code: "c", state: await tab.begin() }), "not_allowed");
  assert.deepEqual(server.provider.revoked, [grant.access_token]);
});

test("SIGN-4: a failed revocation does not affect the person, and is logged without the grant", async (t) => {
  const server = await serveSignIn(t, { allowed: onLists({ workspaces: [], emails: [] }) });
  server.provider.respondToRevocation = (response) => void response.destroy();
  const tab = server.browser();
  await assertFailed(server, await tab.finish({ code: "c", state: await tab.begin() }), "not_allowed");
  const line = server.logged.find((logged) => logged.includes("failed to revoke the grant"));
  assert.ok(line && !line.includes(grant.access_token));
});

test("SIGN-4: if the store fails midway, nothing of the sign-in is stored and the grant is revoked", async (t) => {
  const server = await serveSignIn(t);
  const tab = server.browser();
  const state = await tab.begin();
  const { database } = server.fixture;
  await database.transaction((trx) => sql`alter table sessions rename to elsewhere`.execute(trx));
  const arrival = await tab.finish({ code: "c", state });
  await database.transaction((trx) => sql`alter table elsewhere rename to sessions`.execute(trx));
  await assertFailed(server, arrival, "unavailable");
  assert.deepEqual(server.provider.revoked, [grant.access_token]);
});

test("SIGN-4: without a database the sign-in fails, and the code is not used", async (t) => {
  const { fixture, provider, browser } = await serveSignIn(t);
  const tab = browser();
  const state = await tab.begin();
  await fixture.database.close();
  const { status, fragment } = await tab.finish({ code: "c", state });
  assert.deepEqual([status, fragment.error], [302, "unavailable"]);
  assert.deepEqual(provider.exchanges, []);
});

test("SIGN-4: a callback beyond the rate limit gets rate_limited, and consumes nothing", async (t) => {
  const server = await serveSignIn(t, { quota: 2 });
  const tab = server.browser();
  const state = await tab.begin();
  await tab.finish({ code: "c", state: "x" });
  await assertFailed(server, await tab.finish({ code: "c", state }), "rate_limited");
  server.fixture.clock.advance(minute);
  assert.ok((await tab.finish({ code: "c", state })).fragment.access_token);
});

test("SIGN-4: a wrong client secret or redirect URI is reported in the log, without secrets or stack", async (t) => {
  const server = await serveSignIn(t);
  const reasonAfter = async (answer: object, status: number) => {
    server.provider.respond = json(answer, status);
    const tab = server.browser();
    const state = await tab.begin();
    await assertFailed(server, await tab.finish({ code: "c", state }), "exchange_failed");
    const line = JSON.parse(server.logged.findLast((each) => each.includes("a sign-in failed")) ?? "{}");
    assert.deepEqual([line.code, line.err], ["exchange_failed", undefined]);
    return line.reason;
  };
  const badSecret = /^NOTION_CLIENT_SECRET was not accepted/;
  assert.match(await reasonAfter({ error: "invalid_client" }, 401), badSecret);
  assert.match(await reasonAfter({ object: "error", status: 401, code: "unauthorized" }, 401), badSecret);
  const callback = "http://localhost:8420/api/integrations/auth/provider/callback";
  const notRegistered = `The redirect URI ${callback} is not registered at Notion`;
  const answers = [
    { error: "invalid_request", error_description: "Missing or invalid redirect_uri." },
    { object: "error", status: 400, code: "validation_error", message: "Mismatched redirect_uri." },
  ];
  for (const answer of answers) assert.equal(await reasonAfter(answer, 400), notRegistered);
  assert.match(await reasonAfter({ error: "invalid_grant" }, 400), /^The provider answered 400/);
  assert(!server.logged.join("").includes(clientSecret));
});

test("SIGN-4: unknown parameters are ignored", async (t) => {
  const { browser } = await serveSignIn(t);
  const tab = browser();
  const { fragment } = await tab.finish({
    code: "c",
    state: await tab.begin(),
    session_state: "x",
    iss: "y",
  });
  assert.ok(fragment.access_token);
});
