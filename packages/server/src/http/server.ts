import { randomUUID } from "node:crypto";
import { type Named, problems } from "@clew/contract";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import Fastify, { type FastifyBaseLogger, LogController } from "fastify";
import { ApiError } from "../model/api-error.ts";
import { refusalOf } from "./api-error-of.ts";
import { answerClientError } from "./client-error.ts";
import { registerCors } from "./cors.ts";
import { registerJsonBody } from "./json-body.ts";
import { registerOwnOrigins } from "./own-origins.ts";
import { sendProblem } from "./problem.ts";
import { registerQueryEncoding } from "./query-encoding.ts";
import { registerRequestLog } from "./request-log.ts";
import { registerResponseHeaders, responseHeaders } from "./response-headers.ts";
import { maximumBody, maximumHead, registerSizeLimits } from "./size-limits.ts";
import { validatorCompiler } from "./validation.ts";
import { registerWellFormedRequests } from "./well-formed.ts";

interface ServerOptions {
  /** The messages that routes may refer to by name. */
  readonly schemas: readonly Named[];
  readonly log: FastifyBaseLogger;
  /** How browsers reach the server. */
  readonly publicOrigin: string;
  /** The only origin whose pages may read answers. */
  readonly dashboardOrigin: string;
  /** Whether an error says that the database cannot be used now. */
  readonly isUnavailable?: (error: unknown) => boolean;
  /** Whether the `X-Forwarded-*` headers that come from this address are believed; nobody's where it is left out. */
  readonly trustsProxy?: (address: string) => boolean;
}

/** Milliseconds that a request may take: to arrive, and from then to the first byte of its answer (LIM-3). */
const requestTimeout = 15_000;

function instantiate({ log, publicOrigin, trustsProxy }: ServerOptions) {
  const https = publicOrigin.startsWith("https:");
  return Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // Without proxies Fastify reads the address off the socket, and asks nothing at each use of it.
    trustProxy: trustsProxy ?? false,
    bodyLimit: maximumBody,
    requestTimeout,
    handlerTimeout: requestTimeout,
    keepAliveTimeout: 5_000,
    return503OnClosing: false,
    http: {
      maxHeaderSize: maximumHead,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2_000,
      // Its absence is answered with a problem document.
      requireHostHeader: false,
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maximumHead },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, { https }),
    // What the router itself refuses reaches no hook.
    frameworkErrors: (error, request, reply) =>
      sendProblem(request, reply.headers(responseHeaders(request.id, { https })), refusalOf(error)),
  }).withTypeProvider<TypeBoxTypeProvider>();
}

/** A Fastify instance whose handlers get their types from the route's schemas. */
export type App = ReturnType<typeof instantiate>;

/** An HTTP server without routes that reads strictly, bounds everything, and answers every fault as a problem. */
export function createServer(options: ServerOptions): App {
  const app = instantiate(options);
  for (const schema of options.schemas) app.addSchema(schema);
  app.setValidatorCompiler(validatorCompiler(options.schemas));
  registerJsonBody(app);
  registerRequestLog(app);
  registerResponseHeaders(app, { https: options.publicOrigin.startsWith("https:") });
  registerErrorHandler(app, options.isUnavailable);
  registerCors(app, options.dashboardOrigin);
  registerWellFormedRequests(app);
  registerSizeLimits(app);
  registerQueryEncoding(app);
  refuseUnknownPaths(app);
  registerOwnOrigins(app, [options.publicOrigin, options.dashboardOrigin]);
  return app;
}

function registerErrorHandler(app: App, isUnavailable: ServerOptions["isUnavailable"]): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error, isUnavailable);
    if (problems[refusal.code].status >= 500) request.log.error({ err: error }, "a request failed");
    return sendProblem(request, reply, refusal);
  });
}

function refuseUnknownPaths(app: App): void {
  // Before a body is read or anybody is asked who they are: an unknown path is 404 and nothing else (ERR-2).
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.is404) throw new ApiError("not_found", "There is nothing at this path.");
    done();
  });
}
