import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Program } from "../session.ts";
import { connectThrough } from "./mcp-sdk.ts";

/** The bridge for programs that start a server as a process, such as Claude Desktop. */
export const mcpRemote: Program = {
  name: "mcp-remote",
  async connect({ url, token }) {
    const folder = await mkdtemp(join(tmpdir(), "clew-mcp-remote-"));
    const proxy = join(import.meta.dirname, "../node_modules/mcp-remote/dist/proxy.js");
    const transport = new StdioClientTransport({
      command: process.execPath,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: mcp-remote replaces the variable itself
      args: [proxy, url.href, "--allow-http", "--header", "Authorization:${AUTH_HEADER}"],
      env: { PATH: process.env.PATH ?? "", MCP_REMOTE_CONFIG_DIR: folder, AUTH_HEADER: `Bearer ${token}` },
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
          await rm(folder, { recursive: true, force: true });
        },
      };
    } catch (error) {
      await transport.close();
      await rm(folder, { recursive: true, force: true });
      // The client learns only that the process ended.
      throw new Error(/Fatal error: .*/.exec(written)?.[0] ?? written, { cause: error });
    }
  },
};
