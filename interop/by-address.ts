import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { builtInClients } from "../packages/server/src/auth/apps/built-in-clients.ts";
import { freePort, main } from "../test/support/clew-process.ts";
import { freshSample } from "../test/support/fresh-sample.ts";
import { startRunning } from "../test/support/running-clew.ts";
import { signIn, waitForSync } from "../test/support/session.ts";
import { connectThrough } from "./programs/mcp-sdk.ts";
import { firstSdk, secondSdk } from "./programs/mcp-sdk-by-address.ts";
import { ScriptedBrowser } from "./scripted-browser.ts";

/*
 * Programs that are given the address of Clew's tools and nothing else. A scripted browser stands for the person, who signs in
 * and allows everything.
 */

/** A Clew to which a person is signed in. */
export interface Stage {
  readonly url: URL;
  readonly mcp: URL;
  readonly browser: ScriptedBrowser;
  /** A folder for what programs keep. */
  readonly folder: string;
}

/** Uses Clew, and says what it did. */
type Trial = (stage: Stage) => Promise<string>;

const trials: Readonly<Record<string, Trial>> = {
  "@modelcontextprotocol/sdk": firstSdk,
  "@modelcontextprotocol/client": secondSdk,
  "mcp-remote": remoteBridge,
  "clew login": logIn,
};

/** Has each program connect with the address alone. Throws at the first that does not. */
export async function runByAddress(): Promise<readonly string[]> {
  return withStage(async (stage) => {
    const did: string[] = [];
    for (const [name, trial] of Object.entries(trials)) {
      const folder = await mkdtemp(join(stage.folder, "program-"));
      did.push(`${name}: ${await trial({ ...stage, folder })}`);
      await stage.browser.revokeAll();
    }
    return did;
  });
}

/** The dates of the protocol whose authorization server the official suite knows. */
const revisions = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const;

const suite = join(import.meta.dirname, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

/** Runs the official suite's scenarios for authorization servers. Throws if a check fails, or none is made. */
export async function runAuthorizationConformance(): Promise<readonly string[]> {
  return withStage(async ({ url, mcp, browser, folder }) => {
    const did: string[] = [];
    for (const revision of revisions) {
      const results = join(folder, revision);
      const port = String(await freePort());
      const issuer = url.href.replace(/\/$/, "");
      const client = builtInClients.find(({ name }) => name === "Claude Code");
      assert.ok(client !== undefined);
      const words = ["authorization", "--url", issuer, "--client-id", client.id, "--resource", mcp.href];
      await runWithBrowser(
        [suite, ...words, "--port", port, "--spec-version", revision, "--output-dir", results],
        {},
        browser,
      );
      const checks: { id: string; status: string; errorMessage?: string }[] = [];
      for (const name of await readdir(results))
        checks.push(...JSON.parse(await readFile(join(results, name, "checks.json"), "utf8")));
      const bad = checks.filter(({ status }) => status !== "SUCCESS");
      assert.deepEqual(bad, [], revision);
      assert.ok(checks.length > 1, `${revision}: ${checks.length} checks`);
      did.push(`${revision}: ${checks.map(({ id }) => id).join(", ")}`);
      await browser.revokeAll();
    }
    return did;
  });
}

async function withStage<Result>(work: (stage: Stage) => Promise<Result>): Promise<Result> {
  const directory = await freshSample();
  const folder = await mkdtemp(join(tmpdir(), "clew-by-address-"));
  const clew = await startRunning({ directory });
  try {
    const session = await signIn(clew.url);
    await waitForSync(clew.url, session);
    const browser = new ScriptedBrowser(clew.url, session);
    return await work({ url: clew.url, mcp: new URL("api/v1/mcp", clew.url), browser, folder });
  } finally {
    await clew.stop();
    await Promise.all([directory, folder].map((each) => rm(each, { recursive: true })));
  }
}

/** Reads what a program prints, and follows the first address for the person in it. */
async function follow(stream: Readable, browser: ScriptedBrowser) {
  const lines: string[] = [];
  let isAllowed = false;
  for await (const line of createInterface({ input: stream })) {
    lines.push(line);
    const [address] = /https?:\/\/\S+\/oauth\/authorize\?\S+/.exec(line) ?? [];
    if (address === undefined || isAllowed) continue;
    isAllowed = true;
    await browser.allowAndReturn(new URL(address));
  }
  return { isAllowed, printed: lines.join("\n") };
}

/** Runs a program to its end, and follows the address that it prints for the person. */
async function runWithBrowser(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  browser: ScriptedBrowser,
): Promise<void> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const outputs = await Promise.all([child.stdout, child.stderr].map((stream) => follow(stream, browser)));
  const printed = outputs.map((each) => each.printed).join("\n");
  assert.ok(
    outputs.some(({ isAllowed }) => isAllowed),
    printed,
  );
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
