import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { startRunning } from "../support/running-clew.ts";
import { arrive, authorize, codeFor, connect, consentPage, post, validExchange } from "./app.ts";

test("LIM-1: what is below /oauth/ has the limit of sign-ins by address, and refuses in OAuth's words", async (t) => {
  const clew = await startRunning({ env: { RATE_LIMIT_SIGN_IN: "4" } });
  t.after(() => clew.stop());
  const { url } = clew;
  for (let sent = 0; sent < 4; sent += 1)
    assert.equal((await post(url, "revoke", { token: "svc_nothing" })).status, 200);
  const { status, headers, body } = await post(url, "token", validExchange(url, "x"));
  assert.deepEqual([status, body.error], [429, "temporarily_unavailable"]);
  assert.match(headers.get("retry-after") ?? "", /^\d+$/);
  assert.equal(headers.get("access-control-allow-origin"), "*");
  const register = await fetch(new URL("oauth/register", url), { method: "POST" });
  assert.equal(register.status, 429);
  const page = await authorize(url);
  assert.deepEqual([page.status, page.location], [429, null]);
  assert.match(page.text, /Too many requests/);
  // Documents have the limit of open routes.
  assert.equal((await fetch(new URL(".well-known/oauth-authorization-server", url))).status, 200);
});

test("SIGN-8, APP-5: no code, token, state, verifier and cookie of an app is logged", async (t) => {
  const lines: string[] = [];
  const log = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line));
      done();
    },
  });
  const clew = await startRunning({ env: { LOG_LEVEL: "trace" }, log });
  t.after(() => clew.stop());
  const { url } = clew;
  const person = await arrive(url);
  const state = "a-state-that-is-secret";
  const authorized = await authorize(url, { state });
  await consentPage(person, authorized).read();
  const code = await codeFor(person, { asked: { state } });
  const { body } = await post(url, "token", validExchange(url, code));
  await post(url, "token", validExchange(url, code));
  const { access_token } = await connect(person);
  await post(url, "revoke", { token: access_token });
  const all = lines.join("");
  assert.ok(lines.length > 20 && all.includes("/oauth/token"));
  const secrets = [state, code, body.access_token, access_token, authorized.cookie.split("=")[1] ?? ""];
  for (const secret of [
    ...secrets,
    authorized.location?.searchParams.get("request") ?? "",
    "aaaaaaaaaaaaaaaa",
  ]) {
    assert.ok(secret.length > 10);
    assert.ok(!all.includes(secret), secret);
  }
});
