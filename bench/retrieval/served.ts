import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient } from "@clew/client";
import type { Settings } from "../../test/support/clew-process.ts";
import { startRunning } from "../../test/support/running-clew.ts";
import { clientOf, createToken, signIn, waitForSync } from "../../test/support/session.ts";
import { type Agent, agentOf } from "../mcp/agent.ts";

/** A Clew whose texts can all be found. */
export interface MeasuredClew {
  readonly client: Client;
  readonly agent: Agent;
  close(): Promise<void>;
}

/**
 * The Clew that is measured: the one at CLEW_URL, which must serve the same folder, or this checkout over the folder. Without a
 * folder that is the demo workspace. CLEW_TOKEN is a service token for the one at CLEW_URL; without it, the demo workspace's sign-in
 * gives one.
 */
export async function openClew(directory?: string, env: Settings = {}): Promise<MeasuredClew> {
  const { CLEW_URL: address, CLEW_TOKEN: given } = process.env;
  const running = address === undefined ? await startRunning({ env, ...(directory && { directory }) }) : null;
  const url = running?.url ?? new URL(address ?? "");
  const close = async () => running?.stop();
  try {
    const token = (running === null ? given : undefined) ?? (await newToken(url));
    const client = createClient({ url, token });
    while ((await client.searchTexts({ q: "text", limit: 1 })).indexed < 1) await sleep(200);
    return { client, agent: agentOf(url, token), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A service token once everything is synced. It replaces that of an earlier run, because a person may have few. */
async function newToken(url: URL): Promise<string> {
  const session = await signIn(url);
  await waitForSync(url, session);
  const client = clientOf(url, session);
  const { items } = await client.listServiceTokens({ is_active: true });
  for (const { id, name } of items) if (name === tokenName) await client.revokeServiceToken({ id });
  return (await createToken(url, session, tokenName)).token;
}

const tokenName = "bench retrieval";

/** Calls `work` with a Clew, and closes it. */
export async function withClew(
  directory: string | undefined,
  work: (clew: MeasuredClew) => Promise<void>,
): Promise<void> {
  const clew = await openClew(directory);
  try {
    await work(clew);
  } finally {
    await clew.close();
  }
}
