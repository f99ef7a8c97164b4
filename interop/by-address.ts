import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { main } from "../test/support/clew-process.ts";
import { type Stage, withClew } from "./clew.ts";
import { geminiCli } from "./programs/gemini-cli.ts";
import { connectThrough } from "./programs/mcp-sdk.ts";
import { firstSdk, latestSdk } from "./programs/mcp-sdk-by-address.ts";
import { follow, runWithBrowser } from "./scripted-browser.ts";

/*
 * Programs that are given the address of Clew's tools and nothing else. A scripted browser stands for the person, who signs in
 * and allows everything.
 */

/** Uses Clew, and says what it did. */
type Trial = (stage: Stage) => Promise<string>;

const trials: Readonly<Record<string, Trial>> = {
  "@modelcontextprotocol/sdk": firstSdk,
  "@modelcontextprotocol/client": latestSdk,
  "mcp-remote": remoteBridge,
  "Gemini CLI": geminiCli,
  "clew login": logIn,
};

/** Has each program connect with the address alone. Throws at the first that does not. */
export async function runByAddress(): Promise<readonly string[]> {
  return withClew(async (stage) => {
    const did: string[] = [];
    for (const [name, trial] of Object.entries(trials)) {
      const folder = await mkdtemp(join(stage.folder, "program-"));
      did.push(`${name}: ${await trial({ ...stage, folder })}`);
      await stage.browser.revokeAll();
    }
    return did;
  });
}

/** The bridge registers by itself, and prints the address that it cannot open. */
async function remoteBridge({ mcp, browser, folder }: Stage): Promise<string> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(import.meta.dirname, "node_modules/mcp-remote/dist/proxy.js"), mcp.href],
    env: { PATH: process.env.PATH ?? "", MCP_REMOTE_CONFIG_DIR: folder },
    stderr: "pipe",
  });
  assert.ok(transport.stderr instanceof Readable);
  const followed = follow(transport.stderr, browser);
  const connected = await connectThrough(transport);
  const names = await connected.toolNames();
  await connected.close();
  const { isAllowed, printed } = await followed;
  assert.ok(isAllowed, printed);
  assert.ok(names.length > 0);
  return `lists ${names.length} tools`;
}

async function logIn({ url, browser, folder }: Stage): Promise<string> {
  const env = { XDG_CONFIG_HOME: folder };
  await runWithBrowser([main, "login", url.href], env, browser);
  const child = spawn(process.execPath, [main, "search", "jupiter"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  assert.match(await text(child.stdout), /"title":"Jupiter"/);
  return "clew search finds a page";
}
