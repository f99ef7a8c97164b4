import { Counter, Histogram, type Registry } from "prom-client";
import { refusalOf } from "../http/api-error-of.ts";
import type { App } from "../http/server.ts";

/** Seconds: from what is answered from memory to what is cut off (LIM-3). */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Measures answers by route, method and status, and counts refusals by their code. Paths have ids in them: routes have none. */
export function observeRequests(
  registry: Registry,
  app: App,
  isUnavailable: (error: unknown) => boolean,
): void {
  const duration = new Histogram({
    name: "clew_http_request_duration_seconds",
    help: "Time from a request's head to the end of its answer",
    labelNames: ["method", "route", "status"],
    buckets,
    registers: [registry],
  });
  const refusals = new Counter({
    name: "clew_http_refusals_total",
    help: "Requests that were refused, by the code of the problem",
    labelNames: ["code"],
    registers: [registry],
  });
  app.addHook("onError", (_request, _reply, error, done) => {
    refusals.inc({ code: refusalOf(error, isUnavailable).code });
    done();
  });
  app.addHook("onResponse", ({ method, routeOptions }, { statusCode, elapsedTime }, done) => {
    const route = routeOptions.url ?? "unknown";
    duration.observe({ method, route, status: statusCode }, elapsedTime / 1000);
    done();
  });
}
