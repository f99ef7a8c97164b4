import assert from "node:assert/strict";
import { test } from "node:test";
import {
  auth,
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import * as oauth from "oauth4webapi";
import { type Authorized, arrive, consentPage, mcpUrl, type Person, statusWith } from "./app.ts";
import { sharedClew } from "./shared.ts";

/** Loopback is served over http. */
const plain = { [oauth.allowInsecureRequests]: true };

const redirectUri = "http://127.0.0.1:49152/callback";

/** Opens an address as the person's browser does, has the person allow it, and returns where the browser ends. */
async function allow(person: Person, address: URL): Promise<URL> {
  const response = await fetch(address, { redirect: "manual" });
  const authorized: Authorized = {
    status: response.status,
    location: new URL(response.headers.get("location") ?? ""),
    cookie: response.headers.getSetCookie().at(-1)?.split(";")[0] ?? "",
    headers: response.headers,
    text: "",
  };
  return new URL((await consentPage(person, authorized).approve()).body.redirect_to);
}

test("APP-1 to APP-5: a strict client finds its way from the URL to a token, and ends it", async () => {
  const { url } = await sharedClew();
  const person = await arrive(url);
  const resource = new URL(mcpUrl(url));
  const described = await oauth.resourceDiscoveryRequest(resource, plain);
  const metadata = await oauth.processResourceDiscoveryResponse(resource, described);
  const issuer = new URL(metadata.authorization_servers?.[0] ?? "");
  const discovered = await oauth.discoveryRequest(issuer, { ...plain, algorithm: "oauth2" });
  const server = await oauth.processDiscoveryResponse(issuer, discovered);
  const registered = await oauth.dynamicClientRegistrationRequest(
    server,
    { client_name: "A strict client", redirect_uris: [redirectUri], token_endpoint_auth_method: "none" },
    plain,
  );
  const client = (await oauth.processDynamicClientRegistrationResponse(registered)) as oauth.Client;
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const address = new URL(server.authorization_endpoint ?? "");
  address.search = new URLSearchParams({
    ...{ client_id: client.client_id, redirect_uri: redirectUri, response_type: "code", state },
    ...{ scope: "graph:read graph:search", resource: resource.href },
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();
  // It checks the state and the issuer.
  const back = await consentWith(person, address, ["graph:read", "graph:search"]);
  const parameters = oauth.validateAuthResponse(server, client, back, state);
  const elsewhere = { ...server, issuer: "https://other.example" };
  assert.throws(() => oauth.validateAuthResponse(elsewhere, client, back, state), /iss/);
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    redirectUri,
    verifier,
    { ...plain, additionalParameters: { resource: resource.href } },
  );
  const token = await oauth.processAuthorizationCodeResponse(server, client, answer);
  assert.equal(token.refresh_token, undefined);
  assert.equal(token.scope, "graph:search graph:read");
  assert.equal(await statusWith(url, token.access_token), 200);
  const ended = await oauth.revocationRequest(server, client, oauth.None(), token.access_token, plain);
  await oauth.processRevocationResponse(ended);
  assert.equal(await statusWith(url, token.access_token), 401);
});

async function consentWith(
  person: Person,
  address: URL,
  scopes: ("graph:read" | "graph:search")[],
): Promise<URL> {
  const response = await fetch(address, { redirect: "manual" });
  const cookie = response.headers.getSetCookie().at(-1)?.split(";")[0] ?? "";
  const location = new URL(response.headers.get("location") ?? "");
  const page = consentPage(person, { status: 302, location, cookie, headers: response.headers, text: "" });
  return new URL((await page.approve({ scopes })).body.redirect_to);
}

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
