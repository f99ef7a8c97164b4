import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { main } from "../../test/support/clew-process.ts";
import { documentedBridge } from "../documented.ts";
import type { Connected, Program } from "../session.ts";
import { connectThrough } from "./mcp-sdk.ts";

/** The bridge for programs that start a server as a process, with the arguments that docs/agents.md gives Claude Desktop. */
export const mcpRemote: Program = {
  name: "mcp-remote",
  async connect(server) {
    const folder = await mkdtemp(join(tmpdir(), "clew-mcp-remote-"));
    const { args, env } = await documentedBridge(server);
    const script = join(import.meta.dirname, "../node_modules/mcp-remote/dist/proxy.js");
    const remove = () => rm(folder, { recursive: true, force: true });
    return connectProcess([script, ...args], { ...env, MCP_REMOTE_CONFIG_DIR: folder }, remove);
  },
};

/** Clew's own bridge. */
export const clewMcp: Program = {
  name: "clew mcp",
  async connect({ url, token }) {
    return connectProcess([main, "mcp"], { CLEW_URL: url.origin, CLEW_TOKEN: token }, async () => {});
  },
};

/** Starts a bridge and connects through it. `cleanUp` runs after its end. */
async function connectProcess(
  args: string[],
  env: Readonly<Record<string, string>>,
  cleanUp: () => Promise<void>,
): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: { PATH: process.env.PATH ?? "", ...env },
    stderr: "pipe",
  });
  let written = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    written += chunk;
  });
  try {
    const connected = await connectThrough(transport);
    return {
      ...connected,
      async close() {
        await connected.close();
        await cleanUp();
      },
    };
  } catch (error) {
    await transport.close();
    await cleanUp();
    // The client may learn only that the process ended.
    throw new Error(/Fatal error: .*/.exec(written)?.[0] ?? written, { cause: error });
  }
}
