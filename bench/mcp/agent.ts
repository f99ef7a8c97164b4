import { countTokens } from "../../packages/server/src/model/tokens.ts";

/** The answer of a tool. */
interface Answer {
  readonly text: string;
  readonly tokens: number;
}

/** The answer of a call that may fail, as a model sees it. */
export interface Reply {
  readonly text: string;
  readonly isError: boolean;
}

interface ToolResult {
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
}

interface Message<Result> {
  readonly result?: Result;
  readonly error?: { readonly message: string };
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

  async function post<Result>(method: string, params: object): Promise<Message<Result> & { status: number }> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const response = await fetch(address, { method: "POST", headers, body });
    // The bench trusts the server that it started.
    return { ...((await response.json()) as Message<Result>), status: response.status };
  }

  async function send<Result>(method: string, params: object): Promise<Result> {
    const { result, error, status } = await post<Result>(method, params);
    if (result === undefined) throw new Error(`${method}: ${status} ${error?.message}`);
    return result;
  }

  /** Calls a tool with whatever a model sends as its arguments. */
  async function call(name: string, input: unknown): Promise<Reply> {
    const { result, error } = await post<ToolResult>("tools/call", { name, arguments: input });
    if (result === undefined) return { text: error?.message ?? "", isError: true };
    return { text: result.content.map((block) => block.text).join("\n"), isError: result.isError ?? false };
  }

  return {
    send,
    call,
    /** Calls a tool. Throws if the tool fails. */
    async use(name: string, input: object): Promise<Answer> {
      const { text, isError } = await call(name, input);
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
