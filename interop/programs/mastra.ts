import { Agent } from "@mastra/core/agent";
import type { MastraModelConfig } from "@mastra/core/llm";
import { noopLogger } from "@mastra/core/logger";
import { MCPClient } from "@mastra/mcp";
import { ScriptedModel, textOf } from "../scripted-model.ts";
import type { Program } from "../session.ts";

export const mastra: Program = {
  name: "@mastra/mcp",
  async connect({ url, token }) {
    const client = new MCPClient({
      // Without an id, two clients with the same servers are a mistake to it.
      id: token,
      servers: { clew: { url, requestInit: { headers: { Authorization: `Bearer ${token}` } } } },
    });
    // It logs each mistake with its stack.
    client.__setLogger(noopLogger);
    // `listTools` would log a failure and return nothing.
    const { tools, errors } = await client.listToolsWithErrors();
    if (errors.clew !== undefined) {
      await client.disconnect();
      throw new Error(errors.clew);
    }
    return {
      toolNames: async () => Object.keys(tools).map((name) => name.replace(/^clew_/, "")),
      async run(calls) {
        const scripted = new ScriptedModel(calls, "clew_");
        // Mastra has a copy of the AI SDK's types, which is not assignable under these compiler options.
        const model = scripted as unknown as MastraModelConfig;
        const agent = new Agent({ id: "reader", name: "Reader", instructions: "Read.", model, tools });
        await agent.generate("Begin.", { maxSteps: calls.length + 1 });
        return scripted.received;
      },
      async prompt(name, input) {
        const { messages } = await client.prompts.get({ serverName: "clew", name, args: input });
        return textOf(messages);
      },
      resource: async (uri) => textOf((await client.resources.read("clew", uri)).contents),
      close: () => client.disconnect(),
    };
  },
};
