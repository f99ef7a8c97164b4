import { ProviderError, type ProviderErrorCode } from "@clew/provider";
import type { ErrorCodec } from "@clew/threads";

/** The meaning of a `ProviderError`, as it is sent between threads. */
interface Meaning {
  readonly code: ProviderErrorCode;
  readonly reason: string | null;
}

/** Sends `ProviderError`s between the threads that read folders. */
export const providerErrors: ErrorCodec<Meaning> = {
  send: (error) => (error instanceof ProviderError ? { code: error.code, reason: error.reason } : null),
  receive: ({ code, reason }, message, { cause }) => new ProviderError(code, message, { reason, cause }),
};
