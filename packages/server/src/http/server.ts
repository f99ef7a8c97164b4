import { randomUUID } from "node:crypto";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import Fastify, { type FastifyBaseLogger, type FastifyRequest, LogController } from "fastify";
import { registerCompression } from "./compression.ts";
import { registerJsonBody } from "./json-body.ts";
import { messages } from "./messages.ts";
import { type HtmlPage, sendNotFoundPage, wantsNotFoundPage } from "./not-found-page.ts";
import { createHostCheck } from "./own-host.ts";
import { answerClientError, sendProblem } from "./problem.ts";
import { logFailure, registerRequestLog, requestLogger, type Sender } from "./request-log.ts";
import { registerResponseHeaders, responseHeaders } from "./response-headers.ts";
import { compileSerializer } from "./serialization.ts";
import { maxBodyBytes, maxHeadBytes, registerStrictRequests } from "./strict-requests.ts";
import { toApiError } from "./to-api-error.ts";
import { compileValidator } from "./validation.ts";
import { restoreMethod, routeRareMethods } from "./wrong-method.ts";

interface ServerOptions {
  readonly log: FastifyBaseLogger;
  /** The origin at which browsers reach the server. */
  readonly publicOrigin: string;
  /** The only origin whose pages may read responses. */
  readonly dashboardOrigin: string;
  /** The page for browsers at a path that does not exist; without it, a problem document. */
  readonly notFoundPage?: HtmlPage;
  /** Whether an error says that the database cannot be used now. */
  readonly isUnavailable?: (error: unknown) => boolean;
  /** Whether `X-Forwarded-*` headers from this address are trusted; none are by default. */
  readonly trustsProxy?: (address: string) => boolean;
  /** The sender of a request, for its line in the log. */
  readonly senderOf?: (request: FastifyRequest) => Sender;
  /** Milliseconds from the arrival of a request to the first byte of its response (LIM-3); for tests. */
  readonly responseTimeoutMs?: number | undefined;
}

/** Milliseconds that a request may take to arrive (LIM-3). */
const requestTimeoutMs = 15_000;

/** Milliseconds from then to the first byte of its response (LIM-3). */
export const responseTimeoutMs = 15_000;

/**
 * Milliseconds that a connection may be idle. Must be longer than a proxy's own idle timeout (60 s by default): otherwise a
 * proxy may send a request on a connection that is being closed. The margin covers delays on an overloaded machine. The
 * connection guard closes idle connections sooner if others need the room.
 */
const keepAliveTimeoutMs = 72_000;

/** An HTTP server without routes that reads strictly, bounds everything, and answers every error with a problem document. */
export function createServer(options: ServerOptions) {
  const { log, publicOrigin, dashboardOrigin, isUnavailable, notFoundPage, trustsProxy, senderOf } = options;
  const https = publicOrigin.startsWith("https:");
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: requestLogger,
    genReqId: () => randomUUID(),
    // Without proxies Fastify reads the address from the socket, and calls no function at each use.
    trustProxy: trustsProxy ?? false,
    bodyLimit: maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    handlerTimeout: options.responseTimeoutMs ?? responseTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    return503OnClosing: false,
    http: {
      maxHeaderSize: maxHeadBytes,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2_000,
      // Strict requests answer its absence with a problem document.
      requireHostHeader: false,
    },
    rewriteUrl: routeRareMethods,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeadBytes },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, https),
    // Hooks do not run for refusals of the router itself.
    frameworkErrors: (error, request, reply) => {
      restoreMethod(request.raw);
      sendProblem(request, reply.headers(responseHeaders(request.id, https)), toApiError(error));
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.addHook("onRequest", ({ raw }, _reply, done) => {
    restoreMethod(raw);
    done();
  });
  for (const message of messages) app.addSchema(message);
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  registerJsonBody(app);
  registerRequestLog(app, senderOf);
  registerResponseHeaders(app, { https, dashboardOrigin });
  registerCompression(app);
  app.setErrorHandler((error, request, reply) => {
    const apiError = toApiError(error, isUnavailable);
    logFailure(request.log, error, apiError);
    if (notFoundPage !== undefined && wantsNotFoundPage(request, apiError))
      return sendNotFoundPage(reply, notFoundPage);
    return sendProblem(request, reply, apiError);
  });
  registerStrictRequests(app, {
    ownOrigins: [publicOrigin, dashboardOrigin],
    checkHost: createHostCheck(publicOrigin),
  });
  return app;
}

/** A Fastify instance whose handlers get their types from the route's schemas. */
export type App = ReturnType<typeof createServer>;
