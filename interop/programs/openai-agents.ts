import { Agent, MCPServerStreamableHttp, type Model, Runner, Usage } from "@openai/agents";
import { textOf } from "../scripted-model.ts";
import type { Call, Program } from "../session.ts";

export const openAiAgents: Program = {
  name: "@openai/agents",
  async connect({ url, token }) {
    const server = new MCPServerStreamableHttp({
      name: "clew",
      url: url.href,
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    });
    await server.connect();
    return {
      toolNames: async () => (await server.listTools()).map(({ name }) => name),
      async run(calls) {
        const agent = new Agent({ name: "Reader", model: scripted(calls), mcpServers: [server] });
        // Traces would be sent to OpenAI.
        const runner = new Runner({ tracingDisabled: true });
        const { history } = await runner.run(agent, "Begin.", { maxTurns: calls.length + 1 });
        return history.flatMap((item) => (item.type === "function_call_result" ? [textOf(item.output)] : []));
      },
      resource: async (uri) => textOf((await server.readResource(uri)).contents),
      close: () => server.close(),
    };
  },
};

function scripted(calls: readonly Call[]): Model {
  let made = 0;
  return {
    async getResponse() {
      const call = calls[made];
      made += 1;
      return {
        usage: new Usage(),
        output: [
          call === undefined
            ? {
                type: "message",
                role: "assistant",
                status: "completed",
                content: [{ type: "output_text", text: "Done." }],
              }
            : {
                type: "function_call",
                callId: `call-${made}`,
                name: call.tool,
                arguments: JSON.stringify(call.input),
              },
        ],
      };
    },
    getStreamedResponse() {
      throw new Error("This model does not stream.");
    },
  };
}
