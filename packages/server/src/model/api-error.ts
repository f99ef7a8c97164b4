import type { FieldError, ProblemCode } from "@clew/contract";

interface ApiErrorOptions {
  /** The errors of single fields or parameters of the request. */
  readonly errors?: readonly FieldError[];
  /** Headers of the response, for example `WWW-Authenticate` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log only: it is never sent. */
  readonly cause?: unknown;
}

/** A request that is answered with a problem from the closed list (ERR-1, ERR-2). `detail` is public. */
export class ApiError extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, options: ApiErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = "ApiError";
    this.code = code;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
  }
}

/** The refusal of a cursor whose list cannot go on. `change` is what happened: `The texts have changed`. */
export function expired(change: string): ApiError {
  return new ApiError("cursor_expired", `${change} since this list began: start over.`);
}
