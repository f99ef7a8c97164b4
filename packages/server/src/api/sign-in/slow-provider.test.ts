import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { finishSignIn } from "../../auth/sign-in/finish.ts";
import { SignInFailure } from "../../auth/sign-in/redirect.ts";
import { somewhere } from "../../model/testing/actor.ts";
import { grant, type ProviderServer } from "./testing/provider-server.ts";
import { serveSignIn } from "./testing/sign-in-server.ts";

const silent: readonly (readonly [string, ProviderServer["respond"]])[] = [
  ["never responds", () => {}],
  [
    "stops midway through its response",
    (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write(JSON.stringify(grant).slice(0, 20));
    },
  ],
];

for (const [what, respond] of silent) {
  test(`SIGN-4: a provider that ${what} times out`, async (t) => {
    const { services, provider, browser, fixture } = await serveSignIn(t);
    const tab = browser();
    const state = await tab.begin();
    const timeoutMs = new AbortController();
    provider.respond = async (response) => {
      await respond(response);
      timeoutMs.abort();
    };
    const returned = {
      source: null,
      query: { code: "c", state },
      cookies: Object.fromEntries(tab.cookies),
      origin: somewhere,
    };
    const log = pino({ level: "silent" });
    await assert.rejects(
      finishSignIn({ ...services, log }, returned, timeoutMs.signal),
      (error) => error instanceof SignInFailure && error.code === "provider_unavailable",
    );
    assert.deepEqual(await fixture.database.read.selectFrom("users").selectAll().execute(), []);
  });
}
