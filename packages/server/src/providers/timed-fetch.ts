/** A call to the provider that was answered, or failed. */
export interface ProviderCall {
  /** The status of the answer; `failed` without one. */
  readonly status: number | "failed";
  /** Seconds until the head of the answer. */
  readonly seconds: number;
}

/** Returns a `fetch` that measures its calls; `fetch` itself if nobody receives them. */
export function timedFetch(
  fetch: typeof globalThis.fetch,
  onCall: ((call: ProviderCall) => void) | undefined,
): typeof globalThis.fetch {
  if (onCall === undefined) return fetch;
  return async (input, init) => {
    const began = performance.now();
    const report = (status: ProviderCall["status"]) =>
      onCall({ status, seconds: (performance.now() - began) / 1000 });
    try {
      const response = await fetch(input, init);
      report(response.status);
      return response;
    } catch (error) {
      report("failed");
      throw error;
    }
  };
}
