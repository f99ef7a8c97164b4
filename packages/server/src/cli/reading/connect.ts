import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { ClewError, type Client, createClient, ResponseError } from "@clew/client";
import type { Environment } from "../../config/read-settings.ts";

/** What the reading commands use of the process (OPS-7). They know nothing of an installation. */
export interface ReadingContext {
  readonly env: Environment;
  readonly fetch: typeof globalThis.fetch;
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Writes a line to standard error. */
  readonly warn: (line: string) => void;
}

/** Exit codes of the reading commands (OPS-7); 0: found. */
export const exitCodes = { nothing: 1, usage: 2, refused: 3, unavailable: 4 } as const;

/** A reading command failed, or found nothing. The message is complete; empty if there is nothing to say. */
export class ReadingError extends Error {
  override readonly name = "ReadingError";
  readonly exitCode: number;

  constructor(kind: keyof typeof exitCodes, message: string) {
    super(message);
    this.exitCode = exitCodes[kind];
  }
}

/** Where Clew is, and the token to read it with. Neither is ever an argument, which other users of the machine could see. */
export function readCredentials(env: Environment): { readonly url: URL; readonly token: string } {
  const url = URL.parse(env.CLEW_URL ?? "");
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ReadingError(
      "usage",
      "CLEW_URL must be the address of Clew, for example https://clew.example.org.",
    );
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

export function openClient({ env, fetch }: ReadingContext): Client {
  return createClient({ ...readCredentials(env), fetch });
}

/** The error of a command as its user sees it; anything else unchanged. */
export function readingError(error: unknown): unknown {
  if (!(error instanceof ClewError)) return error;
  if (!(error instanceof ResponseError)) return new ReadingError("unavailable", `${error.message}.`);
  const { status, problem } = error;
  const faults = (problem?.errors ?? []).map(({ path, message }) => ` ${path} ${message}.`).join("");
  const message = `${problem?.detail ?? error.message}${faults}${hints[problem?.code ?? ""] ?? ""}`;
  if (problem === null || status === 429 || status >= 500) return new ReadingError("unavailable", message);
  if (status === 404) return new ReadingError("nothing", message);
  return new ReadingError(status === 400 ? "usage" : "refused", message);
}

const newToken = " Create a new token in the dashboard, and set CLEW_TOKEN to it.";

/** What to do about a refusal. */
const hints: Readonly<Record<string, string>> = {
  token_invalid: newToken,
  token_expired: newToken,
  token_revoked: newToken,
  wrong_token_type: " CLEW_TOKEN must be a service token (svc_…).",
};
