import { fakeModel } from "@langchain/core/testing";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { AIMessage, createAgent, HumanMessage, ToolMessage } from "langchain";
import { textOf } from "../scripted-model.ts";
import type { Program } from "../session.ts";

export const langChain: Program = {
  name: "@langchain/mcp-adapters",
  async connect({ url, token }) {
    const client = new MultiServerMCPClient({
      clew: { transport: "http", url: url.href, headers: { Authorization: `Bearer ${token}` } },
    });
    const tools = await client.getTools();
    return {
      toolNames: async () => tools.map(({ name }) => name),
      async run(calls) {
        const model = fakeModel();
        for (const { tool, input } of calls) model.respondWithTools([{ name: tool, args: { ...input } }]);
        model.respond(new AIMessage("Done."));
        const agent = createAgent({ model, tools });
        const { messages } = await agent.invoke(
          { messages: [new HumanMessage("Begin.")] },
          { recursionLimit: 3 * (calls.length + 1) },
        );
        return messages.flatMap((message) =>
          ToolMessage.isInstance(message) ? [textOf(message.content)] : [],
        );
      },
      async prompt(name, input) {
        const { messages } =
          (await (await client.getClient("clew"))?.getPrompt({ name, arguments: input })) ?? {};
        return textOf(messages);
      },
      resource: async (uri) => textOf(await client.readResource("clew", uri)),
      close: () => client.close(),
    };
  },
};
