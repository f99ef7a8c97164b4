import { randomBytes } from "node:crypto";
import {
  giveConsent,
  startTestStandIn,
  type TestStandIn,
  type TestStandInOptions,
} from "@clew/stand-in/testing";
import type { Settings } from "./clew-process.ts";
import type { Stage } from "./stage.ts";

/** A provider outside Clew: a stand-in in the test's process. */
export interface Notion extends TestStandIn {
  /** The registered client. */
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Serves a folder of Markdown until the stage closes. */
export async function startNotion(
  stage: Stage,
  directory: string,
  options: Partial<TestStandInOptions> = {},
): Promise<Notion> {
  const { clientSecret = randomBytes(24).toString("hex") } = options;
  const client = { clientId: "clew-under-test", clientSecret };
  const standIn = await startTestStandIn({ directory, rateLimit: 180, ...options, ...client });
  stage.defer(() => standIn.close());
  return { ...standIn, ...client };
}

/** The settings of a Clew that uses it, at `apiUrl` if a proxy is between them. */
export function settingsFor({ clientId, clientSecret, url }: Notion, apiUrl = url): Settings {
  return { NOTION_CLIENT_ID: clientId, NOTION_CLIENT_SECRET: clientSecret, NOTION_API_URL: apiUrl };
}

/** An integration token for a workspace, as a person creates one at Notion. */
export async function makeNotionToken(notion: Notion): Promise<string> {
  const query = new URLSearchParams({
    client_id: notion.clientId,
    response_type: "code",
    redirect_uri: "http://localhost/callback",
  });
  const answer = new URL(await giveConsent(`${notion.url}/v1/oauth/authorize?${query}`));
  const exchanged = await fetch(`${notion.url}/v1/oauth/token`, {
    method: "POST",
    headers: {
      authorization: `Basic ${btoa(`${notion.clientId}:${notion.clientSecret}`)}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({
      grant_type: "authorization_code",
      code: answer.searchParams.get("code"),
      redirect_uri: "http://localhost/callback",
    }),
  });
  return ((await exchanged.json()) as { access_token: string }).access_token;
}
