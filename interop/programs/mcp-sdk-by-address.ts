import assert from "node:assert/strict";
import * as second from "@modelcontextprotocol/client";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { Stage } from "../by-address.ts";

const redirectUrl = "http://127.0.0.1:49152/callback";

/** Keeps what the official clients ask their program to keep. They register by themselves. */
class Kept<Information, Tokens> {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = { client_name: "clew-interop", redirect_uris: [redirectUrl] };
  /** The address to which the person is led. */
  address: URL | null = null;
  #client: Information | undefined;
  #tokens: Tokens | undefined;
  #verifier = "";

  clientInformation = () => this.#client;
  tokens = () => this.#tokens;
  codeVerifier = () => this.#verifier;
  saveClientInformation(client: Information): void {
    this.#client = client;
  }
  saveTokens(tokens: Tokens): void {
    this.#tokens = tokens;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  redirectToAuthorization(address: URL): void {
    this.address = address;
  }
}

/** The parameters that the scripted browser brings back. */
async function answerOf(
  { browser }: Stage,
  { address }: { readonly address: URL | null },
): Promise<URLSearchParams> {
  assert.ok(address !== null, "the client leads to no address");
  return (await browser.allow(address)).searchParams;
}

/** The first version of the official client, with its own OAuth. */
export async function firstSdk(stage: Stage): Promise<string> {
  const kept = new Kept<OAuthClientInformationMixed, OAuthTokens>();
  const open = () => new StreamableHTTPClientTransport(stage.mcp, { authProvider: kept });
  const transport = open();
  const newClient = () => new Client({ name: "clew-interop", version: "1" });
  await assert.rejects(newClient().connect(transport), UnauthorizedError);
  await transport.finishAuth((await answerOf(stage, kept)).get("code") ?? "");
  const client = newClient();
  await client.connect(open());
  const { tools } = await client.listTools();
  await client.close();
  assert.ok(tools.length > 0);
  return `lists ${tools.length} tools`;
}

/** The second version, which also checks the issuer. */
export async function secondSdk(stage: Stage): Promise<string> {
  const kept = new Kept<second.StoredOAuthClientInformation, second.StoredOAuthTokens>();
  const open = () => new second.StreamableHTTPClientTransport(stage.mcp, { authProvider: kept });
  const transport = open();
  const newClient = () => new second.Client({ name: "clew-interop", version: "1" });
  await assert.rejects(newClient().connect(transport));
  await transport.finishAuth(await answerOf(stage, kept));
  const client = newClient();
  await client.connect(open());
  const { tools } = await client.listTools();
  await client.close();
  assert.ok(tools.length > 0);
  return `lists ${tools.length} tools`;
}
