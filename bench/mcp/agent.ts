import { countTokens } from "../../packages/server/src/model/tokens.ts";

/** The answer of a tool. */
interface Answer {
  readonly text: string;
  readonly tokens: number;
}

/** Calls the tools of a Clew as the revision of 2025 does, without a client's own work. */
export function agentOf(clew: URL, token: string) {
  const address = new URL("api/v1/mcp", clew);
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json",
    "mcp-protocol-version": "2025-11-25",
  };

  async function send<Result>(method: string, params: object): Promise<Result> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const response = await fetch(address, { method: "POST", headers, body });
    // The bench trusts the server that it started.
    const { result, error } = (await response.json()) as { result?: Result; error?: { message: string } };
    if (result === undefined) throw new Error(`${method}: ${response.status} ${error?.message}`);
    return result;
  }

  return {
    send,
    /** Calls a tool. Throws if the tool fails. */
    async use(name: string, input: object): Promise<Answer> {
      const { content, isError = false } = await send<{
        content: readonly { readonly text: string }[];
        isError?: boolean;
      }>("tools/call", { name, arguments: input });
      const text = content.map((block) => block.text).join("\n");
      if (isError) throw new Error(`${name} ${JSON.stringify(input)}: ${text}`);
      return { text, tokens: countTokens(text) };
    },
  };
}

export type Agent = ReturnType<typeof agentOf>;

export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: object;
}

/** The tokens of a list of tools as a model gets it. */
export function tokensOfTools(tools: readonly ListedTool[]): number {
  const handed = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return countTokens(JSON.stringify(handed));
}
