import type { Problem, ProblemCode } from "./api.ts";

/** The reason why a call failed: one of the three below. */
export abstract class ClewError extends Error {}

/** Clew refused a request, or something between here and Clew did. */
export class ResponseError extends ClewError {
  override readonly name = "ResponseError";
  readonly status: number;
  /** Clew's problem document (RFC 9457); null if the response has none. */
  readonly problem: Problem | null;
  /** Milliseconds after which the request may be repeated; null if the response does not say. */
  readonly retryAfterMs: number | null;

  constructor(request: string, status: number, body: unknown, retryAfterMs: number | null = null) {
    const problem = isProblem(body) ? body : null;
    super(`${request} failed with status ${status}${problem === null ? "" : `: ${problem.detail}`}`);
    this.status = status;
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }

  /** The code from Clew's closed list; null if the response has none. */
  get code(): ProblemCode | null {
    return this.problem?.code ?? null;
  }
}

/** No whole response arrived in time: `cause` is the error of `fetch`, or says what was wrong with the response. */
export class ConnectionError extends ClewError {
  override readonly name = "ConnectionError";

  constructor(request: string, cause: unknown) {
    super(`${request} got no whole response: ${reasonOf(cause)}`, { cause });
  }
}

/** The reason why a request failed. The errors of some platforms say only `fetch failed`, and have the reason as their cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  // One that stands for several, such as a host with two addresses, has only a code.
  return error.message || ("code" in error ? String(error.code) : error.name);
}

/** An export ended before its last line: what was read of it is not the whole graph. */
export class IncompleteExportError extends ClewError {
  override readonly name = "IncompleteExportError";
}

function isProblem(body: unknown): body is Problem {
  return typeof body === "object" && body !== null && "code" in body && "request_id" in body;
}
