import assert from "node:assert/strict";
import { test } from "node:test";
import {
  auth,
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { arrive, mcpUrl, statusWith } from "./app.ts";
import { sharedClew } from "./shared.ts";
import { allow, connectStrictly } from "./strict-client.ts";

const redirectUri = "http://127.0.0.1:49152/callback";

test("APP-1 to APP-5: a strict client finds its way from the URL to a token, and ends it", async () => {
  const { url } = await sharedClew();
  const { token, end } = await connectStrictly(await arrive(url), ["graph:read", "graph:search"]);
  assert.equal(token.refresh_token, undefined);
  assert.equal(token.scope, "graph:search graph:read");
  assert.equal(await statusWith(url, token.access_token), 200);
  await end();
  assert.equal(await statusWith(url, token.access_token), 401);
});

for (const query of ["", "?tools=search,fetch"]) {
  test(`APP-1: the official client of the protocol connects with the URL alone: ${query || "no query"}`, async (t) => {
    const { url } = await sharedClew();
    const person = await arrive(url);
    const serverUrl = new URL(mcpUrl(url) + query);
    const kept: { client?: unknown; tokens?: unknown; verifier?: string; address?: URL } = {};
    const provider: OAuthClientProvider = {
      redirectUrl: redirectUri,
      clientMetadata: { client_name: "An agent", redirect_uris: [redirectUri] },
      clientInformation: () => kept.client as never,
      saveClientInformation: (client: unknown) => {
        kept.client = client;
      },
      tokens: () => kept.tokens as never,
      saveTokens: (tokens: unknown) => {
        kept.tokens = tokens;
      },
      redirectToAuthorization: (address: URL) => {
        kept.address = address;
      },
      saveCodeVerifier: (verifier: string) => {
        kept.verifier = verifier;
      },
      codeVerifier: () => kept.verifier ?? "",
    };
    assert.equal(await auth(provider, { serverUrl }), "REDIRECT");
    const back = await allow(person, kept.address ?? new URL(url));
    const code = back.searchParams.get("code") ?? "";
    const iss = back.searchParams.get("iss") ?? "";
    assert.equal(await auth(provider, { serverUrl, authorizationCode: code, iss }), "AUTHORIZED");
    const client = new Client({ name: "a test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(serverUrl, { authProvider: provider }));
    t.after(() => client.close());
    const { tools } = await client.listTools();
    assert.ok(tools.length > 1);
  });
}
