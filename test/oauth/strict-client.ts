import assert from "node:assert/strict";
import type { Scope } from "@clew/contract";
import * as oauth from "oauth4webapi";
import { consentPage, mcpUrl, type Person } from "./app.ts";

/** Loopback is served over http. */
const plain = { [oauth.allowInsecureRequests]: true };

const redirectUri = "http://127.0.0.1:49152/callback";

/** A program that is connected. */
interface Connected {
  readonly token: oauth.TokenEndpointResponse;
  /** Has the program end its token. */
  end(): Promise<void>;
}

/** Connects a program that knows the URL of the MCP transport alone, and checks every response strictly. */
export async function connectStrictly(person: Person, scopes: Scope[]): Promise<Connected> {
  const resource = new URL(mcpUrl(person.url));
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
    ...{ scope: scopes.join(" "), resource: resource.href },
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();
  const back = await allow(person, address, scopes);
  // It checks the state and the issuer.
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
  return {
    token,
    async end() {
      const ended = await oauth.revocationRequest(server, client, oauth.None(), token.access_token, plain);
      await oauth.processRevocationResponse(ended);
    },
  };
}

/** Opens an address as the person's browser does, has the person allow it, and returns where the browser ends. */
export async function allow(person: Person, address: URL, scopes?: Scope[]): Promise<URL> {
  const { status, headers } = await fetch(address, { redirect: "manual" });
  const location = new URL(headers.get("location") ?? "");
  const cookie = headers.getSetCookie().at(-1)?.split(";")[0] ?? "";
  const page = consentPage(person, { status, location, cookie, headers, text: "" });
  return new URL((await page.approve(scopes && { scopes })).body.redirect_to);
}
