import type { TestContext } from "node:test";
import { type Files, writeFolder } from "@clew/folder/testing";
import { Client, type OauthTokenResponse } from "@notionhq/client";
import { type ConsentChoice, giveConsent } from "./give-consent.ts";
import { startTestStandIn, type TestStandIn, type TestStandInOptions } from "./test-stand-in.ts";

export const notionVersion = "2026-03-11";
export const redirectUri = "http://localhost:8420/callback";
export const client = { clientId: "test-client", clientSecret: "test-secret" };

/** A stand-in over a test's own folder, and a way to sign in to it. */
export interface Served {
  readonly standIn: TestStandIn;
  readonly directory: string;
  signIn(choice?: ConsentChoice): Promise<{ notion: Client; tokens: OauthTokenResponse }>;
}

/** Serves a folder until the end of the test. */
export async function serve(
  t: TestContext,
  directory: string,
  options: Partial<TestStandInOptions> = {},
): Promise<Served> {
  const standIn = await startTestStandIn({ directory, ...client, ...options });
  t.after(() => standIn.close());
  return { standIn, directory, signIn: (choice) => signIn(standIn, choice) };
}

/** Serves these files until the end of the test. */
export async function serveFiles(
  t: TestContext,
  files: Files,
  options?: Partial<TestStandInOptions>,
): Promise<Served> {
  return serve(t, await writeFolder(t, files), options);
}

/** The address of the consent screen. */
export function authorizationUrl(
  standIn: Pick<TestStandIn, "url">,
  changes: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({
    client_id: client.clientId,
    response_type: "code",
    owner: "user",
    redirect_uri: redirectUri,
    state: "the-state",
    ...changes,
  });
  return `${standIn.url}/v1/oauth/authorize?${query}`;
}

/** The SDK's client; it neither retries nor logs. */
export function sdk(standIn: TestStandIn, auth?: string): Client {
  return new Client({
    baseUrl: standIn.url,
    notionVersion,
    retry: false,
    logger: () => {},
    ...(auth === undefined ? {} : { auth }),
  });
}

/** Exchanges a code as the SDK does. */
export function exchange(standIn: TestStandIn, code: string, uri = redirectUri): Promise<OauthTokenResponse> {
  return sdk(standIn).oauth.token({
    client_id: client.clientId,
    client_secret: client.clientSecret,
    grant_type: "authorization_code",
    code,
    redirect_uri: uri,
  });
}

async function signIn(standIn: TestStandIn, choice?: ConsentChoice) {
  const location = new URL(await giveConsent(authorizationUrl(standIn), choice));
  const tokens = await exchange(standIn, location.searchParams.get("code") ?? "");
  return { notion: sdk(standIn, tokens.access_token), tokens };
}
