import autocannon from "autocannon";
import { cpuSeconds } from "./cpu-time.ts";

export const operations = ["search", "node", "neighbors", "paths"] as const;
export type Operation = (typeof operations)[number];

/** What one measurement showed. Latencies are milliseconds. */
export interface Measurement {
  readonly requestsPerSecond: number;
  /** Microseconds of the server's processor time for each request; NaN if the system does not tell. */
  readonly cpuMicros: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

/** Questions of one operation that are measured together. */
export interface Row {
  readonly operation: Operation;
  /** Whether the questions repeat during a measurement. */
  readonly asked: "new" | "repeated";
  /** Asked in turn. */
  readonly urls: readonly string[];
  readonly token: string;
}

/** URLs of a server that runs. */
export interface Target {
  readonly urls: readonly string[];
  readonly token: string | null;
  readonly pid: number;
}

interface Load {
  /** Requests that are under way at a time, each on a connection of its own. */
  readonly connections: number;
  readonly seconds: number;
}

/** Of one client. To prepare more takes longer than a server waits for them. */
const maxRequests = 2000;

/** Asks for a target's URLs over and over. Throws if any answer was not 200. */
export async function measure(target: Target, { connections, seconds }: Load): Promise<Measurement> {
  const first = target.urls[0];
  if (first === undefined) throw new Error("The target has no URL");
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
    // Each begins elsewhere, so that no client asks what another has just asked.
    setupClient(client) {
      const start = Math.floor((clients * requests.length) / connections);
      client.setRequests([...requests.slice(start), ...requests.slice(0, start)].slice(0, maxRequests));
      clients += 1;
    },
  });
  const cpu = cpuSeconds(target.pid) - before;
  const wrong = result.non2xx + result.errors + result.timeouts;
  if (wrong > 0) throw new Error(`${first}: ${wrong} requests were not answered with 200`);
  return {
    requestsPerSecond: result.requests.average,
    cpuMicros: (cpu * 1e6) / result.requests.total,
    p50: result.latency.p50,
    p99: result.latency.p99,
    longest: result.latency.max,
  };
}
