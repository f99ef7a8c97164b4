import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { somewhere } from "../../model/testing/actor.ts";
import { onLists } from "../../model/testing/allow-lists.ts";
import { connectionsOf, sealedGrant } from "../../store/queries/connections.ts";
import { findLiveSession } from "../../store/queries/sessions.ts";
import { grant, json, personId, text, workspaceId } from "./testing/provider-server.ts";
import { clientId, clientSecret, serveSignIn } from "./testing/sign-in-server.ts";

const users = ({ database }: Awaited<ReturnType<typeof serveSignIn>>["fixture"]) =>
  database.read.selectFrom("users").selectAll().execute();

/** The claims of an access token, unverified. */
const claimsOf = (token = "") => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

test("SIGN-3: a callback exchanges the code and redirects to the dashboard with the tokens in the fragment", async (t) => {
  const { provider, fixture, browser } = await serveSignIn(t);
  const tab = browser();
  const { status, headers, location, fragment } = await tab.finish({
    code: "a code",
    state: await tab.begin(),
  });
  assert.equal(status, 302);
  assert.equal(location, "http://localhost:8420/dashboard");
  assert.equal(headers["cache-control"], "no-store");
  assert.equal(headers["referrer-policy"], "no-referrer");
  const { access_token: access, refresh_token: refresh, ...others } = fragment;
  assert.deepEqual(others, { token_type: "Bearer", expires_in: "14400" });
  assert.deepEqual(provider.exchanges, [
    {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`,
      body: {
        grant_type: "authorization_code",
        code: "a code",
        redirect_uri: "http://localhost:8420/api/integrations/auth/provider/callback",
      },
    },
  ]);
  const caller = await fixture.sessions.verifyAccess(access ?? "");
  const [user] = await users(fixture);
  assert.equal(caller.userId, user?.id);
  assert.ok((await fixture.sessions.refresh(refresh ?? "", somewhere)).access);
});

test("SIGN-3: the user, the connection with its encrypted grant, and the session are stored, and a sync is requested", async (t) => {
  const { fixture, synced, provider, browser } = await serveSignIn(t);
  const tab = browser();
  const { fragment } = await tab.open(`/callback?code=c&state=${await tab.begin()}`, {
    "user-agent": "Some browser",
  });
  const [user] = await users(fixture);
  assert.ok(user);
  assert.deepEqual(
    [user.provider, user.provider_user_id, user.name, user.email, user.avatar_url],
    ["notion", personId, "A reader", "reader@example.com", "https://images.example/reader.png"],
  );
  const [connection, ...others] = await connectionsOf(fixture.database.read, user.id);
  assert.ok(connection);
  assert.equal(others.length, 0);
  assert.deepEqual(
    [connection.workspaceId, connection.name, connection.icon, connection.status, connection.sync.state],
    [workspaceId, "The Labyrinth", "🧶", "active", "queued"],
  );
  assert.deepEqual(synced, [connection.id]);
  const sealed = await sealedGrant(fixture.database.read, connection.id);
  const open = (token: Uint8Array | null | undefined, kind: string) =>
    Buffer.from(
      fixture.secrets.open(token ?? new Uint8Array(), `${kind}:${user.id}:${workspaceId}`),
    ).toString();
  assert.equal(open(sealed?.accessToken, "grant"), grant.access_token);
  assert.equal(open(sealed?.refreshToken, "grant-refresh"), grant.refresh_token);
  const { sid } = claimsOf(fragment.access_token);
  assert.equal((await findLiveSession(fixture.database.read, sid, fixture.clock()))?.userId, user.id);
  const row = await fixture.database.read.selectFrom("sessions").selectAll().executeTakeFirst();
  assert.equal(row?.user_agent, "Some browser");
  assert.deepEqual(provider.revoked, []);
});

test("SIGN-3: a one-minute SameSite=Strict cookie, readable by the page, contains the hash of the session's id", async (t) => {
  for (const [publicUrl, expected] of [
    [
      "http://localhost:8420",
      /^clew_session_hint_([\w-]{16})=(\1[\w-]{27}); Max-Age=60; Path=\/; SameSite=Strict$/,
    ],
    [
      "https://clew.example",
      /^__Host-clew_session_hint_([\w-]{16})=(\1[\w-]{27}); Max-Age=60; Path=\/; Secure; SameSite=Strict$/,
    ],
  ] as const) {
    const { browser } = await serveSignIn(t, { publicUrl: new URL(publicUrl) });
    const tab = browser();
    const { cookies, fragment } = await tab.finish({ code: "c", state: await tab.begin() });
    const hint = [...cookies.values()].map((line) => expected.exec(line)?.[2]).find(Boolean);
    const { sid } = claimsOf(fragment.access_token);
    const expectedHint = createHash("sha256").update(sid).digest("base64url");
    assert.equal(hint, expectedHint, [...cookies.values()].join());
  }
});

test("SIGN-3: the attempt's cookie is cleared afterwards, those of other attempts remain", async (t) => {
  const { browser } = await serveSignIn(t);
  const tab = browser();
  const state = await tab.begin();
  const [name = ""] = tab.cookies.keys();
  const other = await tab.begin();
  await tab.finish({ code: "c", state });
  assert.ok(!tab.cookies.has(name));
  assert.ok((await tab.finish({ code: "c", state: other })).fragment.access_token);
});

test("SIGN-2: two tabs of one browser can both sign in, in either order", async (t) => {
  const { browser } = await serveSignIn(t);
  const tab = browser();
  const [one, two] = [await tab.begin(), await tab.begin()];
  assert.ok((await tab.finish({ code: "c2", state: two })).fragment.access_token);
  assert.ok((await tab.finish({ code: "c1", state: one })).fragment.access_token);
});

test("SIGN-5: signing in again updates the user and replaces the grant, without duplicates", async (t) => {
  const { fixture, provider, browser } = await serveSignIn(t);
  const tab = browser();
  await tab.finish({ code: "c", state: await tab.begin() });
  const [before] = await users(fixture);
  const [connectionBefore] = await connectionsOf(fixture.database.read, before?.id ?? "");
  fixture.clock.advance(5000);
  const user = {
    ...grant.owner.user,
    name: "Renamed",
    avatar_url: null,
    person: { email: "new@example.com" },
  };
  provider.respond = json({
    ...grant,
    access_token: "ntn_second",
    refresh_token: null,
    owner: { type: "user", user },
  });
  await tab.finish({ code: "c", state: await tab.begin() });
  const [after, ...others] = await users(fixture);
  assert.equal(others.length, 0);
  assert.deepEqual(after, {
    ...before,
    name: "Renamed",
    email: "new@example.com",
    avatar_url: null,
    last_sign_in_at: fixture.clock(),
  });
  const connections = await connectionsOf(fixture.database.read, after?.id ?? "");
  assert.deepEqual(
    connections.map(({ id }) => id),
    [connectionBefore?.id],
  );
  const sealed = await sealedGrant(fixture.database.read, connectionBefore?.id ?? 0);
  const opened = fixture.secrets.open(
    sealed?.accessToken ?? new Uint8Array(),
    `grant:${after?.id}:${workspaceId}`,
  );
  assert.equal(Buffer.from(opened).toString(), "ntn_second");
  assert.equal(sealed?.refreshToken, null);
});

test("SIGN-5: a person with a second workspace is the same user with a second connection", async (t) => {
  const { fixture, provider, synced, browser } = await serveSignIn(t);
  const tab = browser();
  await tab.finish({ code: "c", state: await tab.begin() });
  const second = "1c2d3e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f";
  provider.respond = json({ ...grant, access_token: "ntn_second", workspace_id: second });
  await tab.finish({ code: "c", state: await tab.begin() });
  const [user, ...others] = await users(fixture);
  assert.equal(others.length, 0);
  const connections = await connectionsOf(fixture.database.read, user?.id ?? "");
  assert.deepEqual(
    connections.map((connection) => connection.workspaceId),
    [workspaceId, second],
  );
  assert.deepEqual(
    synced,
    connections.map(({ id }) => id),
  );
});

test("SIGN-5: an owner with nothing but an id can sign in", async (t) => {
  const { fixture, provider, browser } = await serveSignIn(t);
  const owner = { type: "user", user: { object: "user", id: personId } };
  provider.respond = json({ ...grant, workspace_name: null, workspace_icon: null, owner });
  const tab = browser();
  assert.ok((await tab.finish({ code: "c", state: await tab.begin() })).fragment.access_token);
  const [user] = await users(fixture);
  assert.deepEqual([user?.name, user?.email, user?.avatar_url], [null, null, null]);
});

test("SIGN-5: unknown fields in the provider's response are ignored", async (t) => {
  const { provider, browser } = await serveSignIn(t);
  provider.respond = json({
    ...grant,
    request_id: "r",
    expires_in: 3600,
    owner: { ...grant.owner, extra: [1] },
  });
  const tab = browser();
  assert.ok((await tab.finish({ code: "c", state: await tab.begin() })).fragment.access_token);
});

test("SIGN-11: users of the stand-in and of Notion are distinct, even with equal ids", async (t) => {
  const before = await serveSignIn(t, { slug: "stand-in" });
  const after = await serveSignIn(t, { slug: "notion", fixture: before.fixture });
  for (const { browser } of [before, after]) {
    const tab = browser();
    await tab.finish({ code: "c", state: await tab.begin() });
  }
  const known = await users(before.fixture);
  assert.deepEqual(known.map((user) => [user.provider, user.provider_user_id]).toSorted(), [
    ["notion", personId],
    ["stand-in", personId],
  ]);
});

test("SIGN-10: a person on the list can sign in", async (t) => {
  const { browser } = await serveSignIn(t, {
    allowed: onLists({ workspaces: [], emails: ["@example.com"] }),
  });
  const tab = browser();
  assert.ok((await tab.finish({ code: "c", state: await tab.begin() })).fragment.access_token);
});

test("OPS-6: an acknowledged sign-in is committed: another connection to the file sees all of it", async (t) => {
  const { fixture, browser } = await serveSignIn(t);
  const tab = browser();
  const { fragment } = await tab.finish({ code: "c", state: await tab.begin() });
  const elsewhere = await fixture.instance();
  const { userId } = await elsewhere.sessions.verifyAccess(fragment.access_token ?? "");
  assert.equal((await connectionsOf(elsewhere.database.read, userId)).length, 1);
});

test("SIGN-8: no log line or cookie contains a code, state, token or secret", async (t) => {
  const { logged, provider, browser } = await serveSignIn(t);
  const tab = browser();
  const code = "a-secret-code";
  const state = await tab.begin();
  const begun = [...tab.cookies.values()];
  const { fragment, cookies } = await tab.finish({ code, state });
  const answers = [
    json({ error: "invalid_grant", error_description: `${code} was used` }, 400),
    text(`{"access_token":"${grant.access_token}", oops`, "application/json"),
    json({ ...grant, owner: { type: "workspace", workspace: true } }),
  ];
  for (const respond of answers) {
    provider.respond = respond;
    await tab.finish({ code, state: await tab.begin() });
  }
  await tab.finish({ code, state });
  const signatures = [fragment.access_token, fragment.refresh_token].map(
    (token) => token?.split(".")[2] ?? "",
  );
  const hint = [...cookies.values()].filter((line) => line.includes("clew_session_hint"));
  const output = [...logged, ...hint].join("\n");
  assert.ok(logged.length >= 2 * answers.length && hint.length === 1);
  const secrets = [
    state,
    code,
    ...begun,
    clientSecret,
    grant.access_token,
    grant.refresh_token,
    ...signatures,
  ];
  for (const secret of secrets) assert.ok(secret !== "" && !output.includes(secret), secret);
});
