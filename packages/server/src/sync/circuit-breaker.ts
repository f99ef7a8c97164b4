import { ProviderError } from "../provider/port.ts";

/** Tells one bad page from a provider that is down. */
export interface CircuitBreaker {
  /** The provider has answered. */
  answered(): void;
  /** Something failed for good; throws its error where so many failed in a row that the provider must be down. */
  failed(error: ProviderError): void;
}

/** Each of them was tried again several times already. */
const inARow = 5;

export function createCircuitBreaker(): CircuitBreaker {
  let failures = 0;
  return {
    answered() {
      failures = 0;
    },
    failed(error) {
      const isDown = error.code === "unavailable" || error.code === "rate_limited";
      failures = isDown ? failures + 1 : 0;
      if (failures >= inARow) throw error;
    },
  };
}

/**
 * The error of a single call that failed while others may well succeed. Anything else ends the sync and is thrown:
 * a grant that was withdrawn, an abort, a fault of Clew's own.
 */
export function singleFailure(error: unknown): ProviderError {
  if (error instanceof ProviderError && error.code !== "unauthorized") return error;
  throw error;
}
