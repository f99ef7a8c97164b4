import autocannon from "autocannon";
import { cpuSeconds } from "../process-usage.ts";

export const operations = ["search", "node", "neighbors", "paths"] as const;
export type Operation = (typeof operations)[number];

/** The result of one measurement. Latencies are in milliseconds. */
export interface Measurement {
  readonly requestsPerSecond: number;
  /** Bytes of an answer with its headers, as they are sent. */
  readonly bytes: number;
  /** The server's processor time per request in microseconds; NaN if the system does not report it. */
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
  /** The `Accept-Encoding` of the questions; none if it is missing. */
  readonly encoding?: string;
  /** Asked in turn. */
  readonly urls: readonly string[];
  readonly token: string;
}

/** URLs of a server that runs. */
export interface Target {
  readonly urls: readonly string[];
  readonly token: string | null;
  readonly encoding?: string | undefined;
  readonly pid: number;
}

interface Load {
  /** Number of concurrent requests, each on its own connection. */
  readonly connections: number;
  readonly seconds: number;
}

/** Maximum number of requests of one client. Preparing more takes longer than a server waits for them. */
const maxRequests = 2000;

/** Requests a target's URLs repeatedly. Throws if a response was not 200. */
export async function measure(target: Target, { connections, seconds }: Load): Promise<Measurement> {
  const first = target.urls[0];
  if (first === undefined) throw new Error("The target has no URL");
  const headers = {
    ...(target.token === null ? {} : { authorization: `Bearer ${target.token}` }),
    ...(target.encoding === undefined ? {} : { "accept-encoding": target.encoding }),
  };
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
    // Each client begins at a different URL, so none repeats what another has just asked.
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
    bytes: result.throughput.total / result.requests.total,
    cpuMicros: (cpu * 1e6) / result.requests.total,
    p50: result.latency.p50,
    p99: result.latency.p99,
    longest: result.latency.max,
  };
}
