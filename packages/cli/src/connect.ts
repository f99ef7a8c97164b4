import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import {
  ClewError,
  type Client,
  type ClientOptions,
  createClient,
  type ProblemCode,
  ResponseError,
} from "@clew/client";
import { exitCodes } from "./exit-codes.ts";

/** The environment, in the form of `process.env`. */
type Environment = Readonly<Record<string, string | undefined>>;

/** The parts of the process that the reading commands use (OPS-7). They know nothing of an installation. */
export interface ReadingContext {
  readonly env: Environment;
  readonly fetch: typeof globalThis.fetch;
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Writes a line to standard error. */
  readonly warn: (line: string) => void;
  /** In place of the client's own waits, for tests. */
  readonly waits?: Pick<ClientOptions, "sleep" | "timeoutMs">;
}

/** Why a reading command ends without a result. */
type ReadingFailure = Exclude<keyof typeof exitCodes, "failed">;

/** A reading command failed, or found nothing. The message is complete; empty if there is nothing to say. */
export class ReadingError extends Error {
  override readonly name = "ReadingError";
  readonly exitCode: number;

  constructor(kind: ReadingFailure, message: string) {
    super(message);
    this.exitCode = exitCodes[kind];
  }
}

/** The address of Clew, and the token to read it with. Neither is ever an argument, which other users of the machine could see. */
export function readCredentials(env: Environment): { readonly url: URL; readonly token: string } {
  const url = URL.parse(env.CLEW_URL ?? "");
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ReadingError(
      "usage",
      "CLEW_URL must be the address of Clew, for example https://clew.example.org.",
    );
  if (url.username !== "" || url.password !== "")
    throw new ReadingError("usage", "CLEW_URL must not have a user or a password: CLEW_TOKEN is enough.");
  const token = (env.CLEW_TOKEN || readTokenFile(env.CLEW_TOKEN_FILE)).trim();
  if (token === "")
    throw new ReadingError(
      "usage",
      "CLEW_TOKEN must be a service token (svc_…), or CLEW_TOKEN_FILE the path of a file that holds one.",
    );
  // A header could not carry it, and its error would show it.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new ReadingError("usage", "The token has characters that no token has.");
  return { url, token };
}

function readTokenFile(path: string | undefined): string {
  if (path === undefined || path === "") return "";
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new ReadingError("usage", `CLEW_TOKEN_FILE names ${path}, which cannot be read.`);
  }
}

export function openClient({ env, fetch, waits = {} }: ReadingContext): Client {
  return createClient({ ...readCredentials(env), ...waits, fetch });
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
  return new ReadingError(kind, `${detail}${faults}${hints[code] ?? ""}`);
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

const newToken = " Create a new token in the dashboard, and set CLEW_TOKEN to it.";

/** Advice for a refusal. */
const hints: Partial<Record<ProblemCode, string>> = {
  token_invalid: newToken,
  token_expired: newToken,
  token_revoked: newToken,
  wrong_token_type: " CLEW_TOKEN must be a service token (svc_…).",
  not_found: " Check the path in CLEW_URL.",
};

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
