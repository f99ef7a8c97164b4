import assert from "node:assert/strict";
import * as second from "@modelcontextprotocol/client";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { Stage } from "../clew.ts";

const redirectUrl = "http://127.0.0.1:49152/callback";

/** The things that the official clients ask their program to keep. They register by themselves. */
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

/** A version of the official client, with its own OAuth. */
interface Sdk<Information, Tokens extends { access_token: string }, Transport> {
  /** The error of a client whose person is needed. */
  readonly unauthorized: new (
    ...words: string[]
  ) => Error;
  open(mcp: URL, kept: Kept<Information, Tokens>): Transport;
  /** Redeems the code that the browser brings back. */
  finish(transport: Transport, answer: URLSearchParams): Promise<void>;
  newClient(): {
    connect(transport: Transport): Promise<void>;
    listTools(): Promise<{ readonly tools: readonly unknown[] }>;
    close(): Promise<void>;
  };
}

const implementation = { name: "clew-interop", version: "1" };

const first: Sdk<OAuthClientInformationMixed, OAuthTokens, StreamableHTTPClientTransport> = {
  unauthorized: UnauthorizedError,
  open: (mcp, authProvider) => new StreamableHTTPClientTransport(mcp, { authProvider }),
  finish: (transport, answer) => transport.finishAuth(answer.get("code") ?? ""),
  newClient: () => new Client(implementation),
};

/** It also checks the issuer. */
const latest: Sdk<
  second.StoredOAuthClientInformation,
  second.StoredOAuthTokens,
  second.StreamableHTTPClientTransport
> = {
  unauthorized: second.UnauthorizedError,
  open: (mcp, authProvider) => new second.StreamableHTTPClientTransport(mcp, { authProvider }),
  finish: (transport, answer) => transport.finishAuth(answer),
  newClient: () => new second.Client(implementation),
};

/** Goes the whole way with the address alone: metadata, registration, consent, code, token, tools. */
async function connectWith<Information, Tokens extends { access_token: string }, Transport>(
  sdk: Sdk<Information, Tokens, Transport>,
  { mcp, browser }: Stage,
): Promise<{ readonly token: string; readonly toolCount: number }> {
  const kept = new Kept<Information, Tokens>();
  const transport = sdk.open(mcp, kept);
  await assert.rejects(sdk.newClient().connect(transport), sdk.unauthorized);
  assert.ok(kept.address !== null, "the client leads to no address");
  await sdk.finish(transport, (await browser.allow(kept.address)).searchParams);
  const client = sdk.newClient();
  await client.connect(sdk.open(mcp, kept));
  const { tools } = await client.listTools();
  await client.close();
  assert.ok(tools.length > 0);
  return { token: kept.tokens()?.access_token ?? "", toolCount: tools.length };
}

const trial =
  <Information, Tokens extends { access_token: string }, Transport>(
    sdk: Sdk<Information, Tokens, Transport>,
  ) =>
  async (stage: Stage): Promise<string> =>
    `lists ${(await connectWith(sdk, stage)).toolCount} tools`;

export const firstSdk = trial(first);
export const latestSdk = trial(latest);

/** A token that the latest version of the official client got by itself. */
export const tokenByAddress = async (stage: Stage): Promise<string> =>
  (await connectWith(latest, stage)).token;
