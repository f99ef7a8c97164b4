import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { problems } from "@clew/contract";
import type { ReadingContext } from "./connect.ts";
import { newToken, readCredentials, type TokenSource } from "./credentials.ts";
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

/** Milliseconds that a call of a tool waits for the graph: less than clients wait for its answer. */
const longestWaitMs = 45_000;

const versionKey = "io.modelcontextprotocol/protocolVersion";

/** A Clew that the bridge hands messages to. */
interface Destination {
  readonly url: URL;
  readonly token: string;
  readonly source: TokenSource;
  readonly fetch: typeof globalThis.fetch;
  /** Resolves once the graph can be read. */
  readonly ready: Promise<void>;
}

/**
 * Hands each message of standard input to Clew's tools for agents, and each answer to standard output (AGT-7). A refusal is the
 * answer to the message that met it, and is said on standard error. With a folder, Clew reads it inside this process (AGT-15),
 * until standard input ends.
 */
export async function bridgeMcp(context: ReadingContext, folder?: string): Promise<void> {
  if (folder === undefined) {
    const ready = Promise.resolve();
    return hand(context, { ...readCredentials(context.env), fetch: context.fetch, ready });
  }
  const opened = await context.openFolder(folder);
  try {
    await hand(context, { ...opened, source: "this process" });
  } finally {
    await opened.close();
  }
}

async function hand(context: ReadingContext, destination: Destination): Promise<void> {
  const bridge = new Bridge(context, destination);
  const pending = new Set<Promise<void>>();
  for await (const line of createInterface({ input: context.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    const work = bridge.forward(line).finally(() => pending.delete(work));
    pending.add(work);
    // Messages after `initialize` need the revision in its answer.
    if (pending.size >= maxPending || line.includes('"initialize"')) await Promise.race(pending);
  }
  await Promise.all(pending);
}

class Bridge {
  readonly #context: Pick<ReadingContext, "stdout" | "warn">;
  readonly #destination: Destination;
  readonly #address: URL;
  /** The revision in the answer to `initialize`, for clients of revisions that begin with it. */
  #negotiated: string | null = null;
  #lastWarning = "";

  constructor(context: Pick<ReadingContext, "stdout" | "warn">, destination: Destination) {
    this.#context = context;
    this.#destination = destination;
    this.#address = new URL("api/v1/mcp", `${destination.url.href.replace(/\/$/, "")}/`);
  }

  /** Sends the message in a line, and writes what came back. */
  async forward(line: string): Promise<void> {
    const message = parsed(line) as Message | null;
    if (message === null) return this.#answerWith(null, parseError, "The line is not JSON.");
    const { id } = message;
    const { source, ready, url } = this.#destination;
    if (message.method === "tools/call")
      await Promise.race([ready, sleep(longestWaitMs, undefined, { ref: false })]);
    let response: Response;
    let text: string;
    try {
      const headers = this.#headersOf(message);
      response = await this.#destination.fetch(this.#address, { method: "POST", headers, body: line });
      text = await response.text();
    } catch (error) {
      const why =
        error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      return this.#fail(id, `Clew at ${url.origin} cannot be reached: ${why}`);
    }
    const body = parsed(text);
    if (isProblem(body)) return this.#fail(id, explain(body, source));
    if (body === null) {
      if (!response.ok)
        await this.#fail(id, `Clew at ${url.origin} answered with status ${response.status}.`);
      return;
    }
    const { result } = body as Message;
    if (message.method === "initialize" && typeof result?.protocolVersion === "string")
      this.#negotiated = result.protocolVersion;
    await this.#answer(body);
  }

  #headersOf({ method = "", params = {} }: Message): Headers {
    const headers = new Headers({
      authorization: `Bearer ${this.#destination.token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    });
    const version = params._meta?.[versionKey] ?? this.#negotiated;
    if (typeof version !== "string") return headers;
    headers.set("mcp-protocol-version", encodeHeader(version));
    headers.set("mcp-method", encodeHeader(method));
    const name = params.name ?? params.uri;
    if (typeof name === "string") headers.set("mcp-name", encodeHeader(name));
    return headers;
  }

  /** Says once on standard error what many messages meet. */
  async #fail(id: Message["id"], message: string): Promise<void> {
    if (message !== this.#lastWarning) this.#context.warn(`clew mcp: ${message}`);
    this.#lastWarning = message;
    if (id !== undefined) await this.#answerWith(id, serverError, message);
  }

  #answerWith(id: string | number | null, code: number, message: string): Promise<void> {
    return this.#answer({ jsonrpc: "2.0", id, error: { code, message } });
  }

  #answer(message: object): Promise<void> {
    return write(this.#context, `${JSON.stringify(message)}\n`);
  }
}

/** The JSON object in a text; null without any. */
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

function explain({ code, detail }: Problem, source: TokenSource): string {
  if (problems[code]?.status !== 401) return detail;
  const where = source === "clew login" ? "of" : "in";
  return `Clew refuses the token ${where} ${source}. ${detail} ${newToken(source)}. Then start this program again.`;
}

/** A value as an HTTP header can carry it (MCP 2026-07-28, standard headers). */
function encodeHeader(value: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(value) && value === value.trim() && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}
