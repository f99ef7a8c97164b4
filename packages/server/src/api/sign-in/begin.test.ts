import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { clientId, serveSignIn } from "./testing/sign-in-server.ts";

const minute = 60_000;

test("SIGN-1: the start redirects to the consent screen with all required parameters", async (t) => {
  const { provider, browser } = await serveSignIn(t);
  const { status, headers, location } = await browser().open("/");
  assert.equal(status, 302);
  assert.equal(headers["cache-control"], "no-store");
  assert.equal(headers["referrer-policy"], "no-referrer");
  const { origin, pathname, searchParams } = new URL(location);
  assert.equal(origin + pathname, `${provider.apiUrl.origin}/v1/oauth/authorize`);
  const { state, ...asked } = Object.fromEntries(searchParams);
  assert.deepEqual(asked, {
    client_id: clientId,
    response_type: "code",
    owner: "user",
    redirect_uri: "http://localhost:8420/api/integrations/auth/provider/callback",
  });
  assert.match(state ?? "", /^[\w-]{43}$/);
});

test("SIGN-1: the redirect URI is below the path of PUBLIC_URL", async (t) => {
  const { browser } = await serveSignIn(t, { publicUrl: new URL("https://clew.example/threads") });
  const { location } = await browser().open("/");
  assert.equal(
    new URL(location).searchParams.get("redirect_uri"),
    "https://clew.example/threads/api/integrations/auth/provider/callback",
  );
});

test("SIGN-1: the path works without its slash, and ignores a query", async (t) => {
  const { browser } = await serveSignIn(t);
  assert.equal((await browser().open("")).status, 302);
  const { location } = await browser().open("/?state=chosen&next=//elsewhere");
  assert.notEqual(new URL(location).searchParams.get("state"), "chosen");
});

test("SIGN-2: every state is unique and has its own cookie", async (t) => {
  const { browser } = await serveSignIn(t);
  const tab = browser();
  const states = [await tab.begin(), await tab.begin(), await tab.begin()];
  assert.equal(new Set(states).size, 3);
  assert.equal(tab.cookies.size, 3);
  assert.equal(new Set(tab.cookies.values()).size, 3);
});

test("SIGN-2: on loopback the cookie is HttpOnly, SameSite=Lax and valid for ten minutes", async (t) => {
  const { browser } = await serveSignIn(t);
  const { cookies } = await browser().open("/");
  assert.match(
    [...cookies.values()].join(),
    /^clew_sign_in_[\w-]{16}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
  );
});

test("SIGN-2: on https the cookie is __Host- and Secure", async (t) => {
  const { browser } = await serveSignIn(t, { publicUrl: new URL("https://clew.example") });
  const { cookies } = await browser().open("/");
  assert.match(
    [...cookies.values()].join(),
    /^__Host-clew_sign_in_[\w-]{16}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test("SIGN-2: the store contains only hashes, and expired states are deleted", async (t) => {
  const { fixture, browser } = await serveSignIn(t);
  const tab = browser();
  const attempts = () => fixture.database.read.selectFrom("sign_in_attempts").selectAll().execute();
  const sha256 = (text = "") => createHash("sha256").update(text).digest();
  const state = await tab.begin();
  const [row, ...others] = await attempts();
  assert.equal(others.length, 0);
  assert.deepEqual(Buffer.from(row?.state_hash ?? []), sha256(state));
  assert.deepEqual(Buffer.from(row?.browser_hash ?? []), sha256([...tab.cookies.values()][0]));
  fixture.clock.advance(10 * minute);
  await tab.begin();
  assert.equal((await attempts()).length, 1);
});

test("SIGN-4: a start beyond the rate limit redirects to the dashboard with rate_limited", async (t) => {
  const { browser } = await serveSignIn(t, { quota: 2 });
  const tab = browser();
  await tab.begin();
  await tab.begin();
  const { status, location, fragment, headers, cookies } = await tab.open("/");
  assert.equal(status, 302);
  assert.equal(location, "http://localhost:8420/dashboard");
  assert.equal(fragment.error, "rate_limited");
  assert.match(fragment.error_description ?? "", /Too many/);
  assert.ok(Number(headers["retry-after"]) > 0);
  assert.equal(cookies.size, 0);
});

test("SIGN-4: a start without a database redirects to the dashboard with unavailable", async (t) => {
  const { fixture, browser } = await serveSignIn(t);
  await fixture.database.close();
  const { status, location, fragment } = await browser().open("/");
  assert.deepEqual(
    [status, location, fragment.error],
    [302, "http://localhost:8420/dashboard", "unavailable"],
  );
});
