import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify, stripVTControlCharacters } from "node:util";
import type { Stage } from "../clew.ts";

const gemini = join(import.meta.dirname, "../node_modules/@google/gemini-cli/bundle/gemini.js");

/** Milliseconds for each thing that is waited for. */
const patienceMs = 60_000;

/**
 * Gemini CLI, which registers by itself. It signs in only in a session at a terminal, which `script` of util-linux gives it, and
 * opens the browser through `xdg-open`. Its model is not asked for anything.
 */
export async function geminiCli({ mcp, browser, folder }: Stage): Promise<string> {
  const opened = join(folder, "opened");
  const env = {
    HOME: folder,
    PATH: `${await fakeOpener(folder, opened)}:${process.env.PATH}`,
    TERM: "xterm-256color",
    GEMINI_API_KEY: "none",
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  };
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [gemini, ...args], {
      cwd: folder,
      env,
    });
    return stdout + stderr;
  };
  await run("mcp", "add", "--scope", "user", "--transport", "http", "clew", mcp.href);
  assert.match(await run("mcp", "list"), /clew: .* Disconnected/);
  await keepModelKey(folder);

  const command = `stty rows 40 cols 120; exec '${process.execPath}' '${gemini}'`;
  const session = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    cwd: folder,
    env,
  });
  const ended = new Promise((resolve, reject) => session.once("error", reject).once("close", resolve));
  let written = "";
  session.stdout.setEncoding("utf8").on("data", (text: string) => {
    written += text;
  });
  const shows = (text: string) =>
    until(`"${text}"`, async () => stripVTControlCharacters(written).includes(text));
  try {
    await Promise.race([shows("Type your message"), ended]);
    session.stdin.write("/mcp auth");
    // Until it knows its commands, it sends them to the model.
    await shows("Authenticate with an OAuth-enabled MCP server");
    session.stdin.write(" clew");
    await shows("/mcp auth clew");
    session.stdin.write("\r");
    await shows("Do you want to continue?");
    session.stdin.write("\r");
    await until("the browser", async () => (await addressIn(opened)) !== null);
    await browser.allowAndReturn(new URL((await addressIn(opened)) ?? ""));
    await shows("Successfully authenticated and reloaded tools");
  } catch (error) {
    throw new Error(stripVTControlCharacters(written).slice(-2000), { cause: error });
  } finally {
    session.kill();
    await ended;
  }
  assert.match(await run("mcp", "list"), /clew: .* Connected/);
  return "signs in by /mcp auth, reloads the tools, and is connected at its next start";
}

/** Writes an `xdg-open` that notes the address in a file. Returns its folder. */
async function fakeOpener(folder: string, opened: string): Promise<string> {
  const bin = join(folder, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "xdg-open"), `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`, { mode: 0o755 });
  return bin;
}

const addressIn = async (file: string): Promise<string | null> =>
  (await readFile(file, "utf8").catch(() => "")) || null;

/** Has it take the key of its model from the environment; otherwise it asks first. */
async function keepModelKey(folder: string): Promise<void> {
  const file = join(folder, ".gemini/settings.json");
  const settings = JSON.parse(await readFile(file, "utf8"));
  const security = { auth: { selectedType: "gemini-api-key" } };
  await writeFile(file, JSON.stringify({ ...settings, security }));
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await sleep(100);
  }
}
