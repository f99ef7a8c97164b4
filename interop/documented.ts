import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Server } from "./session.ts";

const guide = join(import.meta.dirname, "../docs/agents.md");
const documentedUrl = "http://localhost:8420/api/v1/mcp";

/** Runs the programs that docs/agents.md shows, as they are there but for the address, and says which. Throws if one fails. */
export async function runDocumented({ url, token }: Server): Promise<readonly string[]> {
  const blocks = await blocksOf("ts");
  assert.ok(blocks.length > 0, "docs/agents.md shows programs");
  const did: string[] = [];
  for (const code of blocks) {
    const [, name = "a program"] = /from "(.+?)"/.exec(code) ?? [];
    assert.ok(code.includes(documentedUrl), `${name} has the documented address`);
    const count =
      "console.log(Array.isArray(tools) ? tools.length : Object.keys(tools).length);\nprocess.exit();\n";
    const program = `${code.replaceAll(documentedUrl, url.href)}\n${count}`;
    // Evaluated here, so that it finds the packages of this folder.
    const words = ["--input-type=module-typescript", "--eval", program];
    const env = { PATH: process.env.PATH, CLEW_TOKEN: token };
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: import.meta.dirname, env });
    assert.ok(Number(stdout) > 0, `${name} lists tools: ${stdout}`);
    did.push(`${name}: ${stdout.trim()} tools`);
  }
  return did;
}

/** The arguments of mcp-remote that docs/agents.md shows, for this server. */
export async function documentedBridge({ url, token }: Server) {
  const config = (await blocksOf("json"))
    .map((block) => JSON.parse(block))
    .find(({ mcpServers }) => mcpServers?.clew?.args?.includes("mcp-remote"))?.mcpServers.clew;
  const [yes, name, address, ...args]: string[] = config.args;
  assert.deepEqual([yes, name, address], ["-y", "mcp-remote", documentedUrl]);
  const env: Record<string, string> = config.env;
  const entries = Object.entries(env).map(([key, value]) => [key, value.replace("svc_…", token)]);
  return { args: [url.href, ...args], env: Object.fromEntries(entries) as Record<string, string> };
}

/** The blocks of code in a language. */
async function blocksOf(language: string): Promise<readonly string[]> {
  const text = await readFile(guide, "utf8");
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, found, code = ""]) =>
    found === language ? [code] : [],
  );
}
