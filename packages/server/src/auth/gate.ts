import { problems, type Scope } from "@clew/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { enforce } from "../http/limits/limits.ts";
import { ApiError } from "../model/api-error.ts";
import type { Caller, ServiceTokenCaller, SessionCaller } from "../model/caller.ts";
import type { Clock } from "../model/runtime.ts";
import type { ServiceToken } from "../model/service-token.ts";
import { type AuthenticationParts, createAuthentication } from "./authenticate.ts";
import { insufficientScope, readCredentials } from "./credentials.ts";
import { originOf } from "./origin.ts";
import type { RefusedUse } from "./refused-use.ts";
import { registerSecurityLog, writeSecurityEvent } from "./security-log.ts";
import type { Sessions } from "./sessions.ts";
import type { TokenUse } from "./token-use.ts";

/** Whom a route is for. A service token needs every one of the scopes, or any scope where there is none. */
export type Access =
  | {
      readonly kind: "open";
      /** Which limit by address counts its requests, if not that of all open routes; `own`: one that the route asks itself. */
      readonly limit?: "health" | "own";
    }
  | { readonly kind: "session" }
  | { readonly kind: "service-token"; readonly scopes: readonly Scope[] };

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whom the route is for; a route that does not say so is closed. */
    access?: Access;
  }
  interface FastifyRequest {
    /** Who is asking: set by the gate before anything of the route runs. */
    caller: Caller;
    /** The service token that was presented, whether or not it opens anything; null where none is known. */
    knownToken: ServiceToken | null;
  }
}

interface Parts extends AuthenticationParts {
  readonly tokenUse: TokenUse;
  readonly refusedUse: RefusedUse;
}

/**
 * The one place that says who is asking and what that opens. Call it on the root instance before any route is
 * registered: its hook then stands before every route, and a path that has none stays 404 for everybody.
 * Closing the app writes the last uses of service tokens, and those that were refused: close the database after it.
 */
export function registerGate(app: FastifyInstance, parts: Parts): void {
  const { authenticate, confirm } = createAuthentication(parts);
  app.decorateRequest("caller");
  app.decorateRequest("knownToken", null);
  registerSecurityLog(app);
  app.addHook("onRequest", async (request, reply) => {
    request.caller = anonymous;
    const { access } = request.routeOptions.config;
    if (!access) throw new ApiError("not_found", "There is nothing at this path.");
    if (access.kind === "open") {
      const { limit = "open" } = access;
      if (limit !== "own") enforce(parts.limits[limit].take(request.ip), reply);
      return;
    }
    const caller = await authenticate(request, reply);
    refuseUnless(access, caller);
    request.caller = caller;
  });
  // Credentials may have ended while the body was on its way.
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.caller.kind === "nobody" || request.body === undefined) return done();
    confirm(request).then((caller) => {
      request.caller = caller;
      done();
    }, done);
  });
  app.addHook("onError", async (request, _reply, error) => recordRefusedUse(parts, request, error));
  app.addHook("onClose", async () => {
    await Promise.all([parts.tokenUse.close(), parts.refusedUse.close()]);
  });
}

/** What it takes to write down that a token was refused. */
export interface RefusedUseServices {
  readonly refusedUse: Pick<RefusedUse, "record">;
  readonly clock: Clock;
}

/**
 * Tells the security log that credentials were refused, where that is what went wrong, and writes it down where they are a
 * known service token (TOK-12).
 */
export function recordRefusedUse(
  { refusedUse, clock }: RefusedUseServices,
  request: FastifyRequest,
  error: unknown,
): void {
  // Whoever presents nothing has not tried anything.
  if (!isRefusedUse(error) || error.code === "unauthenticated") return;
  const { knownToken: token, securityFacts } = request;
  const origin = originOf(request);
  const { code: reason } = error;
  const event = problems[reason].status === 401 ? "authentication_failed" : "authorization_failed";
  writeSecurityEvent(request.log, { ...securityFacts, event, outcome: "failure", reason, origin });
  if (token === null) return;
  refusedUse.record({ userId: token.userId, at: clock(), event: "token_refused", token, reason, origin });
}

/** A token does not count, or not for this: what else a request lacks is not the token's. */
function isRefusedUse(error: unknown): error is ApiError {
  return error instanceof ApiError && [401, 403].includes(problems[error.code].status);
}

const anonymous: Caller = { kind: "nobody" };

function refuseUnless(access: Exclude<Access, { kind: "open" }>, caller: SessionCaller | ServiceTokenCaller) {
  if (access.kind === "session") {
    if (caller.kind === "session") return;
    throw new ApiError(
      "wrong_token_type",
      "A service token opens the V1 API only. This path needs a session.",
    );
  }
  if (caller.kind !== "service-token") {
    throw new ApiError("wrong_token_type", "The V1 API is opened by a service token, not by a session.");
  }
  if (!holdsAll(caller, access.scopes)) throw insufficientScope(access.scopes);
}

/** Whether a service token has every scope that is needed. */
export function holdsAll({ scopes }: Pick<ServiceTokenCaller, "scopes">, needed: readonly Scope[]): boolean {
  return needed.every((scope) => scopes.includes(scope));
}

/** The session that a route for sessions was called with. */
export function requireSession({ caller }: FastifyRequest): SessionCaller {
  if (caller.kind !== "session") throw new Error("The route does not declare access for sessions.");
  return caller;
}

/** The service token that a route for service tokens was called with. */
export function requireServiceToken({ caller }: FastifyRequest): ServiceTokenCaller {
  if (caller.kind !== "service-token")
    throw new Error("The route does not declare access for service tokens.");
  return caller;
}

/** The session of a request to an open route: null for anything but an access token that counts (TOK-11). */
export async function optionalSession(
  request: FastifyRequest,
  sessions: Pick<Sessions, "verifyAccess">,
): Promise<SessionCaller | null> {
  const credentials = readCredentials(request.raw);
  if (credentials.kind !== "session") return null;
  try {
    return await sessions.verifyAccess(credentials.raw);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
