import { problems } from "@clew/contract";
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "../model/api-error.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether orchestrators and proxies ask the route every few seconds. Its successes are logged at `debug`. */
    isHealthCheck?: boolean;
  }
}

/**
 * The logger of a request: the trace id with which a proxy sent it, if any, is in each of its lines. A client without a proxy can
 * choose the id, which is why Clew has one of its own beside it.
 */
export function requestLogger(
  log: FastifyBaseLogger,
  bindings: Parameters<FastifyBaseLogger["child"]>[0],
  options: Parameters<FastifyBaseLogger["child"]>[1],
  { headers }: Pick<FastifyRequest["raw"], "headers">,
): FastifyBaseLogger {
  const traceId = traceIdOf(headers.traceparent);
  return log.child(traceId === null ? bindings : { ...bindings, trace_id: traceId }, options);
}

/** `version "-" trace-id "-" parent-id "-" trace-flags`. A later version may append fields. */
const traceparent =
  /^(?<version>[0-9a-f]{2})-(?<traceId>[0-9a-f]{32})-(?<parentId>[0-9a-f]{16})-[0-9a-f]{2}(?<rest>-.*)?$/;

/**
 * The trace id of a `traceparent` header; null if it is missing, malformed or sent twice, which Node joins by a comma.
 * https://www.w3.org/TR/trace-context/#traceparent-header-field-values
 */
export function traceIdOf(header: string | readonly string[] | undefined): string | null {
  if (typeof header !== "string") return null;
  const { version, traceId, parentId, rest } = traceparent.exec(header)?.groups ?? {};
  if (traceId === undefined || version === "ff") return null;
  if (version === "00" && rest !== undefined) return null;
  const isZero = (id: string | undefined) => id === undefined || /^0+$/.test(id);
  return isZero(traceId) || isZero(parentId) ? null : traceId;
}

/** Ids of the sender of a request: who it was, and with which service token. */
export interface Sender {
  readonly user_id?: string | undefined;
  readonly token_id?: number | undefined;
}

/**
 * Logs a line for each response, without the query, headers and bodies: those contain codes, states, tokens and search texts.
 * The path is that of the route, without the ids of pages.
 */
export function registerRequestLog(
  app: FastifyInstance,
  senderOf: (request: FastifyRequest) => Sender = () => ({}),
): void {
  app.addHook("onResponse", (request, reply, done) => {
    const { url: route = "unknown", config } = request.routeOptions;
    const { statusCode: status, elapsedTime } = reply;
    const level = config?.isHealthCheck && status < 400 ? "debug" : "info";
    request.log[level](
      { method: request.method, route, status, ms: Math.round(elapsedTime), ...senderOf(request) },
      "request completed",
    );
    done();
  });
}

/**
 * Logs why a request was answered with a status of 500 or more. A refusal that only asks to come again, as that of a full queue, is a
 * warning without a stack: nothing is broken, and there may be thousands in a second.
 */
export function logFailure(log: FastifyBaseLogger, thrown: unknown, { code }: ApiError): void {
  if (problems[code].status < 500) return;
  const isForNow =
    thrown instanceof ApiError && thrown.cause === undefined && thrown.headers["retry-after"] !== undefined;
  if (isForNow) log.warn({ reason: thrown.message }, "refused a request for now");
  else log.error({ err: thrown }, "a request failed");
}
