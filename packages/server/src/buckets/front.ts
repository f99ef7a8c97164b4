import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { serviceTokenPattern } from "../auth/authenticate.ts";
import { readCredentials } from "../auth/credentials.ts";
import { keepCaller } from "../auth/found-callers.ts";
import { hashServiceToken } from "../auth/service-tokens.ts";
import { namedSession } from "../auth/session-tokens.ts";
import { type ConnectionGuard, limitResponses } from "../http/limits/connection-guard.ts";
import type { CallerKey } from "../store/port.ts";
import type { Buckets } from "./buckets.ts";

/**
 * Chooses the bucket that answers a request, by its credential alone: each bucket has the whole API. The home bucket answers requests
 * without one, and those whose credential cannot be looked up, which it refuses. What was found is kept for the gate.
 */
export class Front {
  readonly #buckets: Pick<Buckets, "locate">;
  readonly #listeners = new Map<number, RequestListener>();
  /** Guards the connections on which all requests arrive; null before there is a server. */
  guard: ConnectionGuard | null = null;

  constructor(buckets: Pick<Buckets, "locate">) {
    this.#buckets = buckets;
  }

  /** Adds a bucket that answers requests. */
  add(number: number, listener: RequestListener): void {
    this.#listeners.set(number, listener);
  }

  /** Takes over the requests of the home bucket's server, which listens. */
  takeOver(server: Server): void {
    // The type of a server's listeners does not depend on their event.
    const [home] = server.listeners("request") as RequestListener[];
    if (home === undefined) throw new Error("The server handles no requests");
    server.removeAllListeners("request");
    server.on("request", (request, response) => this.#handle(request, response, home));
  }

  /** Limits the responses of another bucket by the connections of the server that listens. */
  limitResponses(app: FastifyInstance): void {
    if (this.guard !== null) limitResponses(app, this.guard);
  }

  #handle(request: IncomingMessage, response: ServerResponse, home: RequestListener): void {
    const key = keyOf(request);
    if (key === null) return void home(request, response);
    void this.#buckets.locate(key).then(({ bucket, caller }) => {
      keepCaller(request, caller);
      const listener = this.#listeners.get(bucket) ?? home;
      listener(request, response);
    });
  }
}

/** The credential of a request, if it has the form of one. */
function keyOf(request: IncomingMessage): CallerKey | null {
  const credentials = readCredentials(request);
  switch (credentials.kind) {
    case "service-token":
      if (!serviceTokenPattern.test(credentials.raw)) return null;
      return { kind: "service-token", hash: hashServiceToken(credentials.raw) };
    case "session": {
      const sessionId = namedSession(credentials.raw);
      return sessionId === null ? null : { kind: "session", sessionId };
    }
    default:
      return null;
  }
}
