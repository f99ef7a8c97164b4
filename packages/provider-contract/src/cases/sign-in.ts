import assert from "node:assert/strict";
import { ProviderError } from "@clew/provider";
import type { Case } from "../provider-under-test.ts";

/** Sign-in and webhooks, as far as no person is needed for them. */
export const signInCases: readonly Case[] = [
  {
    name: "SIGN-1: the address of the consent screen carries the state and the address to return to",
    async run({ provider }) {
      const redirectUri = "http://localhost:8420/api/auth/callback";
      const url = provider.authorizationUrl({ state: "a state", redirectUri });
      const values = [...new URL(url).searchParams.values()];
      assert.ok(values.includes("a state"), url);
      assert.ok(values.includes(redirectUri), url);
    },
  },
  {
    name: "SIGN-4: a code that the provider did not issue is refused, and the error does not show it",
    async run({ provider }) {
      // Clew checks the one-time code itself (SIGN-12).
      if (provider.asksForCode) return;
      const request = { code: "a-made-up-code", redirectUri: "http://localhost:8420/api/auth/callback" };
      const answer = await provider
        .exchange({ ...request, signal: new AbortController().signal })
        .catch((error: unknown) => error);
      assert.ok(answer instanceof ProviderError);
      assert.equal(answer.code, "refused");
      assert.ok(!answer.message.includes(request.code), answer.message);
    },
  },
  {
    name: "SYNC-9: a webhook that makes no sense is none, and throws nothing",
    async run({ provider: { webhooks } }) {
      for (const text of ["", "{", "null", "[]", '{"type":1}', "\u0000"]) {
        const body = new TextEncoder().encode(text);
        assert.equal(webhooks.verify(body, {}, "a key"), false, text);
        assert.equal(webhooks.offeredKey(body), null, text);
        assert.equal(webhooks.event(body), null, text);
      }
    },
  },
];
