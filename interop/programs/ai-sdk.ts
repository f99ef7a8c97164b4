import { createMCPClient } from "@ai-sdk/mcp";
import { generateText, isStepCount } from "ai";
import { ScriptedModel, textOf } from "../scripted-model.ts";
import type { Program } from "../session.ts";

export const aiSdk: Program = {
  name: "@ai-sdk/mcp",
  async connect({ url, token }) {
    const client = await createMCPClient({
      transport: { type: "http", url: url.href, headers: { Authorization: `Bearer ${token}` } },
    });
    const tools = await client.tools();
    return {
      toolNames: async () => Object.keys(tools),
      async run(calls) {
        const model = new ScriptedModel(calls);
        await generateText({ model, tools, prompt: "Begin.", stopWhen: isStepCount(calls.length + 1) });
        return model.received;
      },
      async prompt(name, input) {
        const { messages } = await client.getPrompt({ name, arguments: input });
        return textOf(messages);
      },
      resource: async (uri) => textOf((await client.readResource({ uri })).contents),
      close: () => client.close(),
    };
  },
};
