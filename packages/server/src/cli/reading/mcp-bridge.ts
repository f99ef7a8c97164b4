import { createInterface } from "node:readline";
import { problems } from "@clew/contract";
import { type ReadingContext, readCredentials } from "./connect.ts";
import { write } from "./output.ts";

/** JSON-RPC 2.0, as far as the bridge reads it. */
interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly name?: unknown;
    readonly uri?: unknown;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  readonly result?: { readonly protocolVersion?: unknown };
}

/** Messages that may wait for their answers. */
const maxPending = 32;

/** JSON-RPC's codes of a line that is no message, and of an error of this server. */
const parseError = -32700;
const serverError = -32000;

const versionKey = "io.modelcontextprotocol/protocolVersion";

/**
 * Hands each message of standard input to Clew's tools for agents, and each answer to standard output (AGT-7). A refusal is the
 * answer to the message that met it, and is said on standard error.
 */
export async function bridgeMcp(context: ReadingContext): Promise<void> {
  const { url, token } = readCredentials(context.env);
  const address = new URL("api/v1/mcp", `${url.href.replace(/\/$/, "")}/`);
  // Set by the answer to `initialize`, for clients of revisions that begin with it.
  let negotiated: string | null = null;
  let said = "";

  const answer = (message: object) => write(context, `${JSON.stringify(message)}\n`);

  async function fail(id: string | number | undefined, code: number, message: string): Promise<void> {
    if (message !== said) context.warn(`clew mcp: ${message}`);
    said = message;
    if (id !== undefined) await answer({ jsonrpc: "2.0", id, error: { code, message } });
  }

  function headersOf({ method = "", params = {} }: Message): Headers {
    const headers = new Headers({
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    });
    const version = params._meta?.[versionKey] ?? negotiated;
    if (typeof version !== "string") return headers;
    headers.set("mcp-protocol-version", encodeHeader(version));
    headers.set("mcp-method", encodeHeader(method));
    const name = params.name ?? params.uri;
    if (typeof name === "string") headers.set("mcp-name", encodeHeader(name));
    return headers;
  }

  async function forward(line: string): Promise<void> {
    let message: Message;
    try {
      message = JSON.parse(line);
    } catch {
      return answer({
        jsonrpc: "2.0",
        id: null,
        error: { code: parseError, message: "The line is not JSON." },
      });
    }
    const { id } = message;
    let response: Response;
    let text: string;
    try {
      response = await context.fetch(address, { method: "POST", headers: headersOf(message), body: line });
      text = await response.text();
    } catch (error) {
      const why =
        error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      return fail(id, serverError, `Clew at ${url.origin} cannot be reached: ${why}`);
    }
    const body = parsed(text);
    if (isProblem(body)) return fail(id, serverError, explain(body));
    if (body === null) {
      if (!response.ok)
        await fail(id, serverError, `Clew at ${url.origin} answered with status ${response.status}.`);
      return;
    }
    const { result } = body as Message;
    if (message.method === "initialize" && typeof result?.protocolVersion === "string")
      negotiated = result.protocolVersion;
    await answer(body);
  }

  const pending = new Set<Promise<void>>();
  for await (const line of createInterface({ input: context.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    const work = forward(line).finally(() => pending.delete(work));
    pending.add(work);
    // What follows `initialize` needs the revision in its answer.
    if (pending.size >= maxPending || line.includes('"initialize"')) await Promise.race(pending);
  }
  await Promise.all(pending);
}

/** The JSON of a response; null without any. */
function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

interface Problem {
  readonly code: keyof typeof problems;
  readonly detail: string;
}

/** Whether Clew refused the message: the protocol's own errors have no `request_id`. */
const isProblem = (body: object | null): body is Problem =>
  body !== null && "request_id" in body && "code" in body;

function explain({ code, detail }: Problem): string {
  if (problems[code]?.status !== 401) return detail;
  return `Clew refuses the token in CLEW_TOKEN. ${detail} Create a new one in the dashboard, set CLEW_TOKEN to it, and start this program again.`;
}

/** A value as an HTTP header can carry it (MCP 2026-07-28, standard headers). */
function encodeHeader(value: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(value) && value === value.trim() && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}
