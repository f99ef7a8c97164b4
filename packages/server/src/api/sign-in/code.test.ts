import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { issueSignInCode } from "../../auth/sign-in/code.ts";
import { minute } from "../../auth/testing/auth-fixture.ts";
import { onLists } from "../../model/testing/allow-lists.ts";
import { connectionsOf, sealedGrant } from "../../store/queries/connections.ts";
import { findUser } from "../../store/queries/users.ts";
import type { Browser } from "./testing/browser.ts";
import { internalToken, json, personalToken, personId, workspaceId } from "./testing/provider-server.ts";
import { type SignInServer, serveSignIn } from "./testing/sign-in-server.ts";

const token = "ntn_personal_access_token";

async function serve(t: TestContext, options: Parameters<typeof serveSignIn>[1] = {}) {
  const server = await serveSignIn(t, { token, ...options });
  const code = () => issueSignInCode({ ...server.services });
  return { ...server, code };
}

/** Begins a sign-in and enters a code. */
async function enter(tab: Browser, code: string) {
  return tab.send("/code", { state: await tab.begin(), code });
}

async function userOf({ fixture }: Pick<SignInServer, "fixture">, access: string | undefined) {
  const { userId } = await fixture.sessions.verifyAccess(access ?? "");
  return findUser(fixture.database.read, userId);
}

test("SIGN-12: Clew's own page asks for a code, and a valid one signs in the token's owner", async (t) => {
  const server = await serve(t);
  const tab = server.browser();
  const begun = await tab.open("/");
  const page = new URL(begun.location);
  assert.equal(begun.status, 302);
  assert.equal(page.pathname, "/api/integrations/auth/provider/code");
  const shown = await tab.open(`/code${page.search}`);
  assert.equal(shown.status, 200);
  assert.match(
    shown.text,
    /<base href="\/dashboard\/" \/>[\s\S]*<form [^>]*method="post" action="\.\.\/api\/integrations\/auth\/provider\/code">/,
  );
  assert.match(String(shown.headers["content-security-policy"]), /^default-src 'none'; style-src 'self'/);

  const code = await server.code();
  assert.match(code, /^(?:[0-9a-f]{4}-){7}[0-9a-f]{4}$/);
  const done = await tab.send("/code", { state: page.searchParams.get("state") ?? "", code });
  const user = await userOf(server, done.fragment.access_token);
  assert.deepEqual(
    [user?.provider, user?.providerUserId, user?.email],
    ["notion", personId, "reader@example.com"],
  );
  const [connection] = await connectionsOf(server.fixture.database.read, user?.id ?? "");
  assert.deepEqual([connection?.workspaceId, connection?.name], [workspaceId, "The Labyrinth"]);
  assert.deepEqual(server.synced, [connection?.id]);
  assert.deepEqual(server.provider.askedAs, [`Bearer ${token}`]);
  const { open } = server.fixture.secrets;
  const sealed = await sealedGrant(server.fixture.database.read, connection?.id ?? 0);
  const kept = open(sealed?.accessToken ?? new Uint8Array(), `grant:${user?.id}:${workspaceId}`);
  assert(!Buffer.from(kept).includes(token), "the token itself is not stored");
  assert(!server.logged.some((line) => line.includes(code) || line.includes(token)));
});

test("SIGN-12: a code is accepted as it was copied, and by the callback as well", async (t) => {
  const server = await serve(t);
  const spaced = ` ${(await server.code()).replaceAll("-", " ").toUpperCase()}`;
  assert.ok((await enter(server.browser(), spaced)).fragment.access_token);
  const tab = server.browser();
  const finished = await tab.finish({ state: await tab.begin(), code: await server.code() });
  assert.ok(finished.fragment.access_token);
});

test("SIGN-12: a wrong code can be corrected, and a used or expired one is refused", async (t) => {
  const server = await serve(t);
  const tab = server.browser();
  const state = await tab.begin();
  const wrong = await tab.send("/code", { state, code: "0000-1111" });
  assert.equal(wrong.status, 303, "the browser does not repeat the form");
  assert.equal(new URL(wrong.location).searchParams.get("again"), "1");
  assert.match((await tab.open(`/code${new URL(wrong.location).search}`)).text, /That code is wrong/);
  const code = await server.code();
  assert.ok((await tab.send("/code", { state, code })).fragment.access_token);

  const isRefused = async (given: string) => {
    const formed = await enter(server.browser(), given);
    const other = server.browser();
    const called = await other.finish({ state: await other.begin(), code: given });
    return new URL(formed.location).searchParams.has("again") && called.fragment.error === "exchange_failed";
  };
  assert(await isRefused(code), "it was used");
  const late = await server.code();
  server.fixture.clock.advance(10 * minute);
  assert(await isRefused(late), "it has expired");
  assert(await isRefused(""), "none was given");
  assert.equal(server.provider.askedAs.length, 1, "Notion is not asked before the code is right");
});

test("SIGN-12: a form with two codes or two states is refused, and consumes neither", async (t) => {
  const server = await serve(t);
  const tab = server.browser();
  const state = await tab.begin();
  const code = await server.code();
  const doubled: [string, string][][] = [
    [
      ["code", "1"],
      ["state", state],
      ["code", code],
    ],
    [
      ["code", code],
      ["state", state],
      ["code", code],
    ],
    [
      ["state", state],
      ["code", code],
      ["state", state],
    ],
  ];
  for (const form of doubled) assert.equal((await tab.send("/code", form)).fragment.error, "invalid_state");
  assert.ok((await tab.send("/code", { state, code })).fragment.access_token);
});

test("SIGN-12: the form is accepted only from PUBLIC_URL's origin, and from programs, which send none", async (t) => {
  const server = await serve(t);
  const tab = server.browser();
  const state = await tab.begin();
  const code = await server.code();
  const own = server.services.config.publicUrl.origin;
  for (const origin of [
    "https://evil.example",
    "null",
    "",
    `${own}.evil.example`,
    `${own}:444`,
    "http://localhost",
  ]) {
    const refused = await tab.send("/code", { state, code }, { origin });
    assert.deepEqual([refused.status, JSON.parse(refused.text).code], [403, "origin_not_allowed"], origin);
  }
  assert.ok((await tab.send("/code", { state, code }, { origin: own })).fragment.access_token);
});

test("SIGN-12: of two simultaneous uses of one code, one succeeds", async (t) => {
  const server = await serve(t);
  const code = await server.code();
  const tabs = [server.browser(), server.browser()];
  const ends = await Promise.all(tabs.map((tab) => enter(tab, code)));
  assert.equal(ends.filter(({ fragment }) => fragment.access_token).length, 1);
});

test("SIGN-12: a code is valid only in the browser that began the sign-in", async (t) => {
  const server = await serve(t);
  const state = await server.browser().begin();
  const code = await server.code();
  const foreign = await server.browser().send("/code", { state, code });
  assert.equal(foreign.fragment.error, "invalid_state");
  assert.equal((await server.browser().send("/code", { state: "x", code })).fragment.error, "invalid_state");
  assert.ok((await enter(server.browser(), code)).fragment.access_token, "that did not consume the code");
});

test("SIGN-12, LIM-1: guesses of a code count against the sign-in limit", async (t) => {
  const server = await serve(t, { quota: 5 });
  const tab = server.browser();
  const state = await tab.begin();
  for (let guess = 1; guess <= 4; guess += 1) await tab.send("/code", { state, code: `${guess}` });
  assert.equal((await tab.send("/code", { state, code: "5" })).fragment.error, "rate_limited");
});

test("SIGN-12: with the token of an internal connection the user is its bot", async (t) => {
  const server = await serve(t);
  server.provider.respondToOwner = json(internalToken);
  const { fragment } = await enter(server.browser(), await server.code());
  const user = await userOf(server, fragment.access_token);
  assert.deepEqual([user?.provider, user?.providerUserId, user?.email], ["notion", internalToken.id, null]);
});

test("SIGN-12, SIGN-10: the allow lists apply to the token's owner", async (t) => {
  const allowed = onLists({ workspaces: [], emails: ["@elsewhere.example"] });
  const server = await serve(t, { allowed });
  assert.equal((await enter(server.browser(), await server.code())).fragment.error, "not_allowed");
  assert.deepEqual(server.provider.revoked, [], "nothing is revoked at Notion");
});

test("SIGN-12: a token that Notion rejects is reported in the log", async (t) => {
  const server = await serve(t);
  server.provider.respondToOwner = json(
    { object: "error", status: 401, code: "unauthorized", message: "no" },
    401,
  );
  assert.equal((await enter(server.browser(), await server.code())).fragment.error, "exchange_failed");
  assert.match(server.logged.join(""), /"reason":"NOTION_TOKEN was not accepted by Notion"/);
  assert(!server.logged.join("").includes(token));
});

test("SIGN-12: if Notion names no workspace, its id is derived from the token's owner", async (t) => {
  const server = await serve(t);
  const { workspace_id: _, ...bot } = personalToken.bot;
  server.provider.respondToOwner = json({ ...personalToken, bot });
  const ids: (string | undefined)[] = [];
  for (let round = 0; round < 2; round += 1) {
    const { fragment } = await enter(server.browser(), await server.code());
    const user = await userOf(server, fragment.access_token);
    ids.push(
      ...(await connectionsOf(server.fixture.database.read, user?.id ?? "")).map((each) => each.workspaceId),
    );
  }
  assert.match(ids[0] ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual(ids, [ids[0], ids[0]]);
});

test("SIGN-6: the status reports that sign-in works and is not the demo", async (t) => {
  const { text } = await (await serve(t)).browser().open("/status");
  const { configured, stand_in, name } = JSON.parse(text);
  assert.deepEqual([configured, stand_in, name], [true, false, "Notion"]);
});
