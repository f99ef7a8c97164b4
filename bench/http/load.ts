import autocannon from "autocannon";

/** What one measurement of a route showed. Times are milliseconds. */
export interface Measurement {
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
}

export interface Target {
  readonly name: string;
  /** Each is asked for in turn, so that no answer is always the same. */
  readonly urls: readonly string[];
  readonly token: string | null;
}

/** Keeps `connections` requests under way for `seconds`. Throws where any answer was not 200. */
export async function measure(target: Target, connections: number, seconds: number): Promise<Measurement> {
  const first = target.urls[0];
  if (first === undefined) throw new Error(`${target.name} has no URL`);
  const headers = target.token === null ? {} : { authorization: `Bearer ${target.token}` };
  const result = await autocannon({
    url: new URL(first).origin,
    connections,
    duration: seconds,
    requests: target.urls.map((url) => {
      const { pathname, search } = new URL(url);
      return { method: "GET" as const, path: pathname + search, headers };
    }),
  });
  const wrong = result.non2xx + result.errors + result.timeouts;
  if (wrong > 0) throw new Error(`${target.name}: ${wrong} requests were not answered with 200`);
  return {
    requestsPerSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}
