/**
 * What can go wrong at the provider.
 * `refused`: it said no to a code or a credential of ours · `unauthorized`: the grant is withdrawn ·
 * `not_found`: gone, or not shared · `invalid`: it calls the request faulty · `rate_limited`: wait ·
 * `unavailable`: down, slow or overloaded · `nonsense`: an answer that makes no sense ·
 * `unsupported_owner`: a workspace's bot instead of a person.
 */
export type ProviderErrorCode =
  | "refused"
  | "unauthorized"
  | "not_found"
  | "invalid"
  | "rate_limited"
  | "unavailable"
  | "nonsense"
  | "unsupported_owner";

/** A failed call to the provider. The message holds no token, code or URL query. */
export class ProviderError extends Error {
  readonly code: ProviderErrorCode;
  /** Milliseconds that the provider asked us to wait, where it did. */
  readonly retryAfter: number | null;

  constructor(
    code: ProviderErrorCode,
    message: string,
    options: { retryAfter?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "ProviderError";
    this.code = code;
    this.retryAfter = options.retryAfter ?? null;
  }
}
