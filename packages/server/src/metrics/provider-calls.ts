import { Histogram, type Registry } from "prom-client";

/** Seconds: a provider answers in tenths of them, and is given up on after many. */
const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Measures the calls of a network by their status, `failed` where there was no answer. */
export function providerCallCounter(
  registry: Registry,
): (fetch: typeof globalThis.fetch) => typeof globalThis.fetch {
  const duration = new Histogram({
    name: "clew_provider_request_duration_seconds",
    help: "Time from a call to the workspace provider to the head of its answer",
    labelNames: ["status"],
    buckets,
    registers: [registry],
  });
  return (fetch) => async (input, init) => {
    const end = duration.startTimer();
    try {
      const response = await fetch(input, init);
      end({ status: response.status });
      return response;
    } catch (error) {
      end({ status: "failed" });
      throw error;
    }
  };
}
