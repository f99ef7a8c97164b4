/** Why a call to the provider failed. */
export type ProviderErrorCode =
  | "refused" // the provider rejected an authorization code or Clew's own credentials
  | "unauthorized" // the grant was withdrawn
  | "not_found" // gone, or not shared
  | "invalid" // the provider calls the request wrong
  | "rate_limited" // too many requests
  | "unavailable" // down, slow or overloaded
  | "malformed" // an answer that Clew cannot interpret
  | "unsupported_owner"; // the grant belongs to a workspace instead of a person

/**
 * A failed call to the provider. The message is logged and shown: it holds no token, code, text or URL query.
 *
 * @example
 * throw new ProviderError("rate_limited", "The provider answered 429", { retryAfter: 30_000 });
 */
export class ProviderError extends Error {
  readonly code: ProviderErrorCode;
  /** Milliseconds that the provider asked Clew to wait; null if it did not. */
  readonly retryAfter: number | null;
  /** The reason of a failed sync in words for its person; null for the sentence of the code. */
  readonly reason: string | null;

  constructor(
    code: ProviderErrorCode,
    message: string,
    options: { retryAfter?: number | null; reason?: string | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "ProviderError";
    this.code = code;
    this.retryAfter = options.retryAfter ?? null;
    this.reason = options.reason ?? null;
  }
}
