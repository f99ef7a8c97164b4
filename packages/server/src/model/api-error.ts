import type { Fault, ProblemCode } from "@clew/contract";

interface RefusalOptions {
  /** The faults of the input, each with its path. */
  readonly faults?: readonly Fault[];
  /** Headers of the response, for example `WWW-Authenticate` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log only: it is never sent. */
  readonly cause?: unknown;
}

/** A request that is answered with a problem from the closed list (ERR-1, ERR-2). `detail` is public. */
export class ApiError extends Error {
  readonly code: ProblemCode;
  readonly faults: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, options: RefusalOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = "ApiError";
    this.code = code;
    this.faults = options.faults ?? [];
    this.headers = options.headers ?? {};
  }
}
