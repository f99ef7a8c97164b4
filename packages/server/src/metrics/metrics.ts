import { once } from "node:events";
import { createServer } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { App } from "../http/server.ts";
import { toApiError } from "../http/to-api-error.ts";
import type { ProviderCall } from "../providers/timed-fetch.ts";
import type { JobReport, QueryThreads } from "../queries/query-threads.ts";
import type { Database } from "../store/port.ts";
import type { EndedSync } from "../sync/steps/open-context.ts";
import { type StateSources, stateGauges } from "./state-gauges.ts";

interface ServeOptions {
  readonly host: string;
  readonly port: number;
  /** Receives what prevents the metrics from being rendered. */
  readonly onError: (error: unknown) => void;
}

/** Seconds: from responses out of memory up to the timeout (LIM-3). */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Seconds: a provider responds within tenths of a second, and calls time out after many seconds. */
const providerBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Seconds: from a connection that is free up to the longest wait. */
const poolWaitBuckets = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 3];

/** Seconds: from jobs on small graphs up to the deadline of a job. */
const jobBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 6];

/**
 * Metrics of one process for Prometheus (OPS-2), with those of Node and of the process itself. No value or label
 * identifies a person, a page or a secret.
 */
export function createMetrics() {
  const registry = new Registry();
  let refresh = async () => {};
  collectDefaultMetrics({ register: registry });
  return {
    /** Measures every response of a server. Call it before routes are registered. */
    observeRequests: (app: App, isUnavailable: Database["isUnavailable"]) =>
      observeRequests(registry, app, isUnavailable),
    /** Measures a call to the provider. */
    observeProviderCall: providerCallMeter(registry),
    /** Measures a job of the query threads that has ended. */
    observeJob: jobMeter(registry),
    /** Adds gauges of the jobs that wait and run. */
    observeJobCounts: (counts: QueryThreads["counts"]) => jobGauges(registry, counts),
    /** Measures in milliseconds how long a caller waited for a connection to PostgreSQL, with or without getting one. */
    observePoolWait: poolWaitMeter(registry),
    /** Counts a sync that has ended. */
    observeSync: syncCounter(registry),
    /** Adds gauges of the store and the caches, read each time that the metrics are rendered. */
    observeState(sources: StateSources): void {
      refresh = stateGauges(registry, sources);
    },
    /** Serves the metrics on a separate port, until `close`. */
    serve: (options: ServeOptions) =>
      serveMetrics(async () => {
        await refresh();
        return { type: registry.contentType, text: await registry.metrics() };
      }, options),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Measures responses by route, method and status, those of tools for agents also by tool, and counts refusals by code.
 * Routes, unlike paths, contain no ids.
 */
function observeRequests(registry: Registry, app: App, isUnavailable: Database["isUnavailable"]): void {
  const duration = new Histogram({
    name: "clew_http_request_duration_seconds",
    help: "Time from the head of a request to the end of its response",
    labelNames: ["method", "route", "status", "tool"],
    buckets: requestBuckets,
    registers: [registry],
  });
  const refusals = new Counter({
    name: "clew_http_refusals_total",
    help: "Refused requests, by the code of the problem",
    labelNames: ["code"],
    registers: [registry],
  });
  app.addHook("onError", (_request, _reply, error, done) => {
    refusals.inc({ code: toApiError(error, isUnavailable).code });
    done();
  });
  app.addHook("onResponse", ({ method, routeOptions, tool }, { statusCode, elapsedTime }, done) => {
    const route = routeOptions.url ?? "unknown";
    duration.observe({ method, route, status: statusCode, ...(tool && { tool }) }, elapsedTime / 1000);
    done();
  });
}

/** Measures calls by the status of the response; `failed` without one. */
function providerCallMeter(registry: Registry): (call: ProviderCall) => void {
  const duration = new Histogram({
    name: "clew_provider_request_duration_seconds",
    help: "Time from a call to the workspace provider to the head of its response",
    labelNames: ["status"],
    buckets: providerBuckets,
    registers: [registry],
  });
  return ({ status, seconds }) => duration.observe({ status }, seconds);
}

/** Measures how long jobs run, and counts those that are refused. */
function jobMeter(registry: Registry): (report: JobReport) => void {
  const duration = new Histogram({
    name: "clew_query_job_duration_seconds",
    help: "Time that a job ran in a query thread",
    labelNames: ["job", "outcome"],
    buckets: jobBuckets,
    registers: [registry],
  });
  const refused = new Counter({
    name: "clew_query_jobs_refused_total",
    help: "Jobs that got no query thread in time",
    labelNames: ["job"],
    registers: [registry],
  });
  return ({ name: job, outcome, ms }) => {
    if (outcome === "refused") refused.inc({ job });
    else duration.observe({ job, outcome }, ms / 1000);
  };
}

function poolWaitMeter(registry: Registry): (ms: number) => void {
  const duration = new Histogram({
    name: "clew_db_pool_wait_seconds",
    help: "Time that callers waited for a connection to PostgreSQL, with or without getting one",
    buckets: poolWaitBuckets,
    registers: [registry],
  });
  return (ms) => duration.observe(ms / 1000);
}

const syncKinds: readonly EndedSync["kind"][] = ["first", "incremental", "full"];
const syncOutcomes: readonly EndedSync["outcome"][] = ["complete", "incomplete", "failed", "withdrawn"];

function syncCounter(registry: Registry): (sync: EndedSync) => void {
  const ended = new Counter({
    name: "clew_syncs_total",
    help: "Syncs that have ended; withdrawn: the provider no longer accepts the grant",
    labelNames: ["kind", "outcome"],
    registers: [registry],
  });
  // The increase of a counter shows only from its second sample on.
  for (const kind of syncKinds) for (const outcome of syncOutcomes) ended.inc({ kind, outcome }, 0);
  return ({ kind, outcome }) => ended.inc({ kind, outcome });
}

function jobGauges(registry: Registry, counts: QueryThreads["counts"]): void {
  new Gauge({
    name: "clew_query_jobs",
    help: "Jobs that wait for a query thread, and jobs that run",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const { waiting, running } = counts();
      this.set({ state: "waiting" }, waiting);
      this.set({ state: "running" }, running);
    },
  });
}

/** Serves `/metrics` on a port of its own (OPS-2): clients that can reach that port need no credentials. */
async function serveMetrics(
  /** The metrics as text, and the media type of that text. */
  render: () => Promise<{ readonly type: string; readonly text: string }>,
  { host, port, onError }: ServeOptions,
): Promise<{ close(): Promise<void> }> {
  const server = createServer(async ({ method, url }, response) => {
    if (url !== "/metrics") return void response.writeHead(404).end();
    if (method !== "GET" && method !== "HEAD")
      return void response.writeHead(405, { allow: "GET, HEAD" }).end();
    try {
      const { type, text } = await render();
      response.writeHead(200, { "content-type": type, "cache-control": "no-store" }).end(text);
    } catch (error) {
      onError(error);
      response.writeHead(500).end();
    }
  });
  server.listen(port, host);
  await once(server, "listening");
  return {
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
