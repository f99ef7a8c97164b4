import type { Readable, Writable } from "node:stream";
import {
  ClewError,
  type Client,
  type ClientOptions,
  createClient,
  type ProblemCode,
  ResponseError,
} from "@clew/client";
import { type Environment, newToken, readCredentials } from "./credentials.ts";
import { exitCodes, ReadingError, type ReadingFailure } from "./exit-codes.ts";

/** A Clew inside this process, which reads one folder. */
export interface OpenedFolder {
  /** Calls its API, which has no port. */
  readonly fetch: typeof globalThis.fetch;
  readonly url: URL;
  readonly token: string;
  /** Resolves once the folder was read for the first time; at once if it was read by an earlier process. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** The parts of the process that the reading commands use (OPS-7). They know nothing of an installation. */
export interface ReadingContext {
  readonly env: Environment;
  readonly fetch: typeof globalThis.fetch;
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Writes a line to standard error. */
  readonly warn: (line: string) => void;
  readonly random: (size: number) => Uint8Array;
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number;
  /** Opens an address in the person's browser, if there is one. */
  readonly openBrowser: (address: URL) => void;
  /** Opens a folder of Markdown for an agent, inside this process. Throws `ReadingError` if it cannot be read. */
  readonly openFolder: (path: string) => Promise<OpenedFolder>;
  /** Milliseconds that a login waits for its person, in place of ten minutes. */
  readonly loginTimeoutMs?: number;
  /** In place of the client's own waits, for tests. */
  readonly waits?: Pick<ClientOptions, "sleep" | "timeoutMs">;
}

export function openClient({ env, fetch, waits = {} }: ReadingContext): Client {
  const { url, token } = readCredentials(env);
  return createClient({ url, token, ...waits, fetch });
}

/** The error of a command as its user sees it; anything else unchanged. */
export function readingError(error: unknown, env: Environment): unknown {
  if (!(error instanceof ClewError)) return error;
  const kind = error instanceof ResponseError ? kindOf(error) : "unavailable";
  if (!(error instanceof ResponseError) || error.problem === null) {
    const { origin } = readCredentials(env).url;
    return new ReadingError(
      kind,
      `Clew does not answer at ${origin}: ${error.message}. Check that it runs, and that CLEW_URL is its address.`,
    );
  }
  const { detail, code, errors = [] } = error.problem;
  const faults = errors.map(({ path, message }) => ` ${path} ${message}.`).join("");
  return new ReadingError(kind, `${detail}${faults}${hintFor(code, env)}`);
}

/** The meaning of a refusal for a command. Statuses without a problem document are of something before Clew. */
function kindOf({ status, code }: ResponseError): ReadingFailure {
  if (status === 401 || status === 403) return "refused";
  if (code === null || status >= 500) return "unavailable";
  return kinds[code] ?? "usage";
}

/** Codes that are neither a wrong use of the command nor follow from their status. */
const kinds: Partial<Record<ProblemCode, ReadingFailure>> = {
  node_not_found: "nothing",
  rate_limited: "unavailable",
  request_timeout: "unavailable",
  // The state of the workspace, or what changed during the command: it may succeed when it is repeated.
  conflict: "unavailable",
  cursor_expired: "unavailable",
};

/** Advice for a refusal; empty if there is none. */
function hintFor(code: ProblemCode, env: Environment): string {
  if (code === "not_found") return " Check the path in CLEW_URL.";
  if (code === "wrong_token_type") return " CLEW_TOKEN must be a service token (svc_…).";
  if (!endedTokens.has(code)) return "";
  return ` ${newToken(readCredentials(env).source)}.`;
}

const endedTokens: ReadonlySet<ProblemCode> = new Set(["token_invalid", "token_expired", "token_revoked"]);

/** An error that says that nothing was found; if a workspace was never read completely, it says that too. */
export async function withCoverage(client: Client, error: unknown): Promise<unknown> {
  const isNothing = error instanceof ReadingError && error.exitCode === exitCodes.nothing;
  if (!isNothing || error.message === "") return error;
  // Without the list of workspaces, the error is all there is to say.
  const workspaces = await client.listWorkspaces().catch(() => null);
  const partial = workspaces?.items.find(({ complete_as_of }) => complete_as_of === null);
  if (partial === undefined) return error;
  const { state, done, total } = partial.sync;
  const isRunning = state === "running" || state === "waiting";
  const progress = isRunning && total !== null ? ` (now ${done} of ${total})` : "";
  return new ReadingError("nothing", `${error.message} No sync has been complete so far${progress}.`);
}
