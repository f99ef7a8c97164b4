import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { textOf } from "../scripted-model.ts";
import type { Connected, Program } from "../session.ts";

/** The first version of the official client, which most programs still contain. */
export const mcpSdk: Program = {
  name: "@modelcontextprotocol/sdk",
  async connect({ url, token }) {
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    return connectThrough(new StreamableHTTPClientTransport(url, { requestInit }));
  },
};

/** Uses Clew through any transport of the client. */
export async function connectThrough(transport: Transport): Promise<Connected> {
  const client = new Client({ name: "clew-interop", version: "1" });
  await client.connect(transport);
  return {
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    async run(calls) {
      const received: string[] = [];
      for (const { tool, input } of calls)
        received.push(textOf(await client.callTool({ name: tool, arguments: { ...input } })));
      return received;
    },
    async prompt(name, input) {
      const { messages } = await client.getPrompt({ name, arguments: { ...input } });
      return textOf(messages);
    },
    resource: async (uri) => textOf((await client.readResource({ uri })).contents),
    close: () => client.close(),
  };
}
