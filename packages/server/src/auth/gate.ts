import { audiences, neededScopes, type Operation, problems } from "@clew/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../config/config.ts";
import { enforce } from "../http/limits/rate-limits.ts";
import { createHostCheck } from "../http/own-host.ts";
import type { Sender } from "../http/request-log.ts";
import { ApiError } from "../model/api-error.ts";
import {
  type Actor,
  type Caller,
  holdsAll,
  type KnownCaller,
  type ServiceTokenCaller,
  type SessionCaller,
} from "../model/caller.ts";
import type { Clock } from "../model/runtime.ts";
import type { Database } from "../store/port.ts";
import { basePathOf, mcpPath, targetAfter } from "./apps/addresses.ts";
import { resourceChallenge } from "./apps/metadata.ts";
import { type AuthenticationServices, createAuthentication } from "./authenticate.ts";
import { insufficientScope, readCredentials, withChallenge, wrongTokenType } from "./credentials.ts";
import { takeCaller } from "./found-callers.ts";
import { originOf, registerSecurityLog, writeSecurityEvent } from "./security-log.ts";
import type { Sessions } from "./sessions.ts";
import type { RefusedUse, TokenUse } from "./token-use.ts";

/**
 * The callers that a route admits. A service token needs all of the scopes, or any scope if the list is empty, and those of the
 * parameters that the request has. It may not send parameters that sessions alone have.
 */
export type Access =
  | {
      readonly kind: "open";
      /**
       * The limit by address that counts its requests, by default that of all public routes; `own`: the route's own.
       */
      readonly limit?: "health" | "own";
    }
  | { readonly kind: "session" }
  | ({
      readonly kind: "service-token";
      /** `own`: the route counts its requests itself. */
      readonly limit?: "own";
      /**
       * The resource that the route is for connected apps. Without it, only tokens for all of V1 open it (APP-6). A refusal for
       * lack of credentials leads apps to the resource's metadata (APP-2).
       */
      readonly resource?: "mcp";
    } & Pick<Operation, "scopes" | "parameterScopes" | "sessionParameters">);

declare module "fastify" {
  interface FastifyContextConfig {
    /** The callers that the route admits. A route without it answers 404. */
    access?: Access;
    /** The slug of the source that the route is about; left out on routes about all sources (SIGN-7). */
    source?: string;
  }
  interface FastifyRequest {
    /** The sender of the request. The gate sets it before anything of the route runs. */
    caller: Caller;
    /** The caller as of now, for a response that takes long. Throws `ApiError`, a 401, if the credentials have ended. */
    confirmCaller(): Promise<KnownCaller>;
  }
}

interface GateServices extends AuthenticationServices {
  readonly database: AuthenticationServices["database"] & Pick<Database, "schemaFault">;
  readonly config: Pick<Config, "allowed" | "publicUrl" | "oauthClients">;
  readonly tokenUse: TokenUse;
  readonly refusedUse: RefusedUse;
}

/**
 * The one place that authenticates and authorises requests. Register it on the root instance before any route, so that
 * its hook runs before every route; an unknown path stays 404 for everyone. Closing the app writes the recorded uses of
 * service tokens, so close the database after it.
 */
export function registerGate(app: FastifyInstance, services: GateServices): void {
  const { authenticate, confirm } = createAuthentication(services);
  const { config } = services;
  const checkHost = createHostCheck(config.publicUrl.origin);
  /** A refusal of credentials as the route of a resource answers it. */
  const refusalFor = (request: FastifyRequest, error: Error): Error => {
    const { access } = request.routeOptions.config;
    if (access?.kind !== "service-token" || access.resource === undefined) return error;
    if (config.oauthClients === "off") return error;
    const rest = targetAfter(basePathOf(config) + mcpPath, request.raw.url ?? "");
    return withChallenge(error, resourceChallenge(config, request, rest));
  };
  app.decorateRequest("caller");
  app.decorateRequest("confirmCaller", async function confirmCaller(this: FastifyRequest) {
    return within(this, await confirm(this));
  });
  registerSecurityLog(app);
  app.addHook("onRequest", async (request, reply) => {
    request.caller = anonymous;
    const { access } = request.routeOptions.config;
    if (!access) throw new ApiError("not_found", "This path does not exist.");
    // It would misread what a newer program has written.
    if (services.database.schemaFault() !== null && !isProbe(access))
      throw new ApiError("unavailable", "A newer Clew has taken over. This instance has stopped serving.", {
        headers: { "retry-after": "5" },
      });
    if (access.kind === "open") {
      const { limit = "open" } = access;
      // Orchestrators probe by addresses of their own.
      if (limit !== "health") checkHost(request);
      if (limit !== "own") enforce(services.limits[limit].take(request.ip), reply);
      return;
    }
    const isCounted = access.kind === "session" || access.limit !== "own";
    const caller = await authenticate(request, reply, isCounted).catch((error) => {
      throw refusalFor(request, error);
    });
    authorize(access, caller, request);
    request.caller = within(request, caller);
  });
  // The credentials may have ended while the body arrived.
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.caller.kind === "anonymous" || request.body === undefined) return done();
    confirm(request).then(
      (caller) => {
        request.caller = within(request, caller);
        done();
      },
      (error) => done(refusalFor(request, error)),
    );
  });
  app.addHook("onError", async (request, _reply, error) => recordRefusedUse(services, request, error));
  app.addHook("onClose", async () => {
    await Promise.all([services.tokenUse.close(), services.refusedUse.close()]);
  });
}

/** Has the routes that are registered in a scope later be about one source alone (SIGN-7). */
export function limitToSource(scope: FastifyInstance, source: string): void {
  scope.addHook("onRoute", (route) => {
    route.config = { ...route.config, source };
  });
}

/** The caller with the connections to the source that the route is about, or with all of them. */
function within({ routeOptions }: FastifyRequest, caller: KnownCaller): KnownCaller {
  const { source } = routeOptions.config;
  if (source === undefined) return caller;
  return { ...caller, connections: caller.connections.filter(({ provider }) => provider === source) };
}

/** The sender of a request for its line in the log: also of credentials that were refused, if they are known. */
export function loggedSender({ caller, securityFacts, routeOptions }: FastifyRequest): Sender {
  // The gate does not run for a request that the router refuses.
  if (caller === undefined) return {};
  if (caller.kind === "session") return { user_id: caller.userId };
  if (caller.kind === "service-token") return { user_id: caller.userId, token_id: caller.tokenId };
  // On an open route the facts are about what was done, not about credentials.
  if (routeOptions.config.access?.kind === "open") return {};
  return { user_id: securityFacts.userId, token_id: securityFacts.tokenId };
}

/** The services that record a refused token. */
export interface RefusedUseServices {
  readonly refusedUse: Pick<RefusedUse, "record">;
  readonly clock: Clock;
}

/**
 * If the error refuses the request's credentials, writes it to the security log and, for a known service token, to the
 * audit trail (TOK-12).
 */
export function recordRefusedUse(
  { refusedUse, clock }: RefusedUseServices,
  request: FastifyRequest,
  error: unknown,
): void {
  // A request without credentials is no attempt to use any.
  if (!(error instanceof ApiError) || error.code === "unauthenticated") return;
  const { code: reason } = error;
  const { status } = problems[reason];
  if (status !== 401 && status !== 403) return;
  const { securityFacts } = request;
  const origin = originOf(request);
  const event = status === 401 ? "authentication_failed" : "authorization_failed";
  writeSecurityEvent(request.log, { ...securityFacts, event, outcome: "failure", reason, origin });
  const { tokenId } = securityFacts;
  if (tokenId !== undefined) refusedUse.record({ tokenId, at: clock(), reason, origin });
}

const isProbe = (access: Access) => access.kind === "open" && access.limit === "health";

const anonymous: Caller = { kind: "anonymous" };

/** Throws `ApiError` `wrong_token_type` or `insufficient_scope`. */
function authorize(
  access: Exclude<Access, { kind: "open" }>,
  caller: KnownCaller,
  { query }: FastifyRequest,
) {
  if (access.kind === "session") {
    if (caller.kind === "session") return;
    throw wrongTokenType("Service tokens are valid for the V1 API only. This path needs a session.");
  }
  if (caller.kind !== "service-token")
    throw wrongTokenType("The V1 API needs a service token, not a session.");
  if (caller.resource === "mcp" && access.resource !== "mcp")
    throw wrongTokenType("This token was given to a connected app for the MCP transport only.");
  // Not validated yet: all that counts is which parameters there are.
  const parameters = query as Readonly<Record<string, unknown>>;
  const ofSessions = access.sessionParameters?.find((name) => parameters[name] !== undefined);
  if (ofSessions !== undefined)
    throw wrongTokenType(`The parameter ${ofSessions} needs a session, at ${audiences.session}.`);
  const needed = neededScopes(access, parameters);
  if (!holdsAll(caller, needed)) throw insufficientScope(needed);
}

/** The session that called a route for sessions. */
export function requireSession({ caller }: FastifyRequest): SessionCaller {
  if (caller.kind !== "session") throw new Error("The route does not declare access for sessions.");
  return caller;
}

/** The service token that called a route for service tokens. */
export function requireServiceToken({ caller }: FastifyRequest): ServiceTokenCaller {
  if (caller.kind !== "service-token")
    throw new Error("The route does not declare access for service tokens.");
  return caller;
}

/** The user who called a route for sessions, for the audit trail. */
export function actorOf(request: FastifyRequest): Actor {
  const { userId, sessionId } = requireSession(request);
  return { userId, sessionId, ...originOf(request) };
}

/** The session that called a public route; null without a valid access token (TOK-11). */
export async function optionalSession(
  request: FastifyRequest,
  sessions: Pick<Sessions, "verifyAccess">,
): Promise<SessionCaller | null> {
  const credentials = readCredentials(request.raw);
  if (credentials.kind !== "session") return null;
  const found = takeCaller(request.raw);
  return sessions.verifyAccess(credentials.raw, found).catch((error) => {
    if (error instanceof ApiError) return null;
    throw error;
  });
}
