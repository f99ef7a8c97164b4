import autocannon from "autocannon";
import { cpuSeconds } from "./cpu-time.ts";

/** What one measurement of a route showed. Latencies are milliseconds. */
export interface Measurement {
  readonly requestsPerSecond: number;
  /** Microseconds of processor time that the server took for a request; NaN where the system does not tell. */
  readonly cpuMicros: number;
  readonly p50: number;
  readonly p99: number;
}

/** What to ask for, and as whom. */
export interface Route {
  readonly name: string;
  /** Each is asked for in turn, so that no answer is always the same. */
  readonly urls: readonly string[];
  readonly token: string | null;
}

/** A route of a server that runs. */
export interface Target extends Route {
  readonly pid: number;
}

/** How a target is asked for. */
interface Load {
  /** Requests that are under way at a time, each on a connection of its own. */
  readonly connections: number;
  readonly seconds: number;
}

/** Asks for a target over and over. Throws where any answer was not 200. */
export async function measure(target: Target, { connections, seconds }: Load): Promise<Measurement> {
  const first = target.urls[0];
  if (first === undefined) throw new Error(`${target.name} has no URL`);
  const headers = target.token === null ? {} : { authorization: `Bearer ${target.token}` };
  const requests = target.urls.map((url) => {
    const { pathname, search } = new URL(url);
    return { method: "GET" as const, path: pathname + search, headers };
  });
  let clients = 0;
  const before = cpuSeconds(target.pid);
  const result = await autocannon({
    url: new URL(first).origin,
    connections,
    duration: seconds,
    // Each begins elsewhere, so that what one asks another has not just asked.
    setupClient(client) {
      const start = Math.floor((clients * requests.length) / connections);
      client.setRequests([...requests.slice(start), ...requests.slice(0, start)]);
      clients += 1;
    },
  });
  const cpu = cpuSeconds(target.pid) - before;
  const wrong = result.non2xx + result.errors + result.timeouts;
  if (wrong > 0) throw new Error(`${target.name}: ${wrong} requests were not answered with 200`);
  return {
    requestsPerSecond: result.requests.average,
    cpuMicros: (cpu * 1e6) / result.requests.total,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}
