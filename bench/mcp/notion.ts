import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { ListedTool } from "./agent.ts";

const server = "@notionhq/notion-mcp-server@2.5.2";

const timeoutMs = 120_000;

/** The tools of Notion's own server, which npx fetches; null if that fails. */
export async function notionTools(): Promise<readonly ListedTool[] | null> {
  const child = spawn("npx", ["--yes", server], {
    env: { ...process.env, NOTION_TOKEN: "ntn_none" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const timer = setTimeout(() => child.kill(), timeoutMs);
  try {
    return await listTools(child);
  } finally {
    clearTimeout(timer);
    child.kill();
  }
}

async function listTools({ stdin, stdout }: ChildProcess): Promise<readonly ListedTool[] | null> {
  if (stdin === null || stdout === null) return null;
  stdin.on("error", () => {});
  const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "bench", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  send({ id: 1, method: "initialize", params });
  for await (const line of createInterface(stdout)) {
    const { id, result } = readMessage(line);
    if (id === 1) {
      send({ method: "notifications/initialized" });
      send({ id: 2, method: "tools/list", params: {} });
    }
    if (id === 2) return result?.tools ?? null;
  }
  return null;
}

interface Message {
  readonly id?: number;
  readonly result?: { readonly tools?: readonly ListedTool[] };
}

/** npx and the server may write other lines. */
function readMessage(line: string): Message {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}
