import { ProviderError } from "@clew/provider";

/** Calls to the provider that one run has under way at a time. */
export const maxConcurrentCalls = 4;

/**
 * Calls `work` for every item, at most `concurrency` at a time. After a failure no other item is started, and the error is
 * thrown once the calls under way have ended.
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const remaining = items.values();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const item of remaining) {
      await work(item).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failures.length > 0) throw failures[0];
}

/**
 * Yields a list of the provider's, and lists it again, once, if it breaks in the middle: entries may then come twice. If
 * it breaks again, calls `onBroken` and ends. Throws what fails before the first entry.
 */
export async function* retryListOnce<T>(
  list: () => AsyncIterable<T>,
  onBroken: (error: ProviderError) => void,
): AsyncGenerator<T> {
  let hasBegun = false;
  for (const isLast of [false, true]) {
    try {
      for await (const entry of list()) {
        hasBegun = true;
        yield entry;
      }
      return;
    } catch (error) {
      if (!hasBegun) throw error;
      const failure = singleFailure(error);
      if (isLast) onBroken(failure);
    }
  }
}

/** Tells a single bad page from a provider that is down. */
export class CircuitBreaker {
  #failures = 0;

  succeeded(): void {
    this.#failures = 0;
  }

  /** Throws the error if enough calls failed in a row for the provider to be down. */
  failed(error: ProviderError): void {
    const isDown = error.code === "unavailable" || error.code === "rate_limited";
    this.#failures = isDown ? this.#failures + 1 : 0;
    if (this.#failures >= maxFailuresInARow) throw error;
  }
}

/** Each failed call was retried several times already. */
const maxFailuresInARow = 5;

/**
 * The error of a single call that failed while others may well succeed. Anything else ends the sync and is thrown: a
 * withdrawn grant, an abort, a bug.
 */
export function singleFailure(error: unknown): ProviderError {
  if (error instanceof ProviderError && error.code !== "unauthorized") return error;
  throw error;
}
