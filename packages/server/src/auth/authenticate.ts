import { problems } from "@clew/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../config/config.ts";
import { enforce, type Limits } from "../http/limits/rate-limits.ts";
import { ApiError } from "../model/api-error.ts";
import type { ServiceTokenCaller, SessionCaller } from "../model/caller.ts";
import type { Clock } from "../model/runtime.ts";
import { type ServiceToken, statusOf } from "../model/service-token.ts";
import type { Provider } from "../provider/port.ts";
import type { Database } from "../store/port.ts";
import { findTokenByHash } from "../store/queries/service-tokens.ts";
import { requireAllowedUser } from "./allowed-user.ts";
import { readCredentials, tokenRefused, unauthenticated } from "./credentials.ts";
import { noteSecurityFacts } from "./security-log.ts";
import { hashServiceToken } from "./service-tokens.ts";
import type { Sessions } from "./sessions.ts";
import type { TokenUse } from "./token-use.ts";

/** What it takes to know who is asking. */
export interface AuthenticationServices {
  readonly database: Database;
  readonly sessions: Pick<Sessions, "identify" | "confirm" | "verifyAccess">;
  readonly limits: Limits;
  readonly tokenUse: Pick<TokenUse, "record">;
  readonly clock: Clock;
  /** Whose users may come in: those of another provider are out of reach while this one is set up (SIGN-11). */
  readonly provider: Pick<Provider, "slug">;
  readonly config: Pick<Config, "allowed">;
}

/** `svc_` and 32 characters (TOK-2): anything else is refused without asking the store. */
const serviceTokenPattern = /^svc_[A-Za-z0-9]{32}$/;

/** Finds out who sends a request. Both refuse with 401 credentials that do not count. */
export interface Authentication {
  /**
   * Says who sends a request, and counts it (LIM-1). Each limit is asked before the store where that can be, so
   * that a request too many is the cheaper one (LIM-2). Made-up credentials count for their address alone.
   */
  authenticate(request: FastifyRequest, reply: FastifyReply): Promise<SessionCaller | ServiceTokenCaller>;
  /** Says who sends a request as of now, without counting it: a body may arrive long after its headers. */
  confirm(request: FastifyRequest): Promise<SessionCaller | ServiceTokenCaller>;
}

export function createAuthentication(parts: AuthenticationServices): Authentication {
  const { database, sessions, limits, tokenUse, clock, provider } = parts;
  const { allowed } = parts.config;

  async function sessionOf(
    raw: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<SessionCaller> {
    const caller = await sessions.identify(raw);
    noteSecurityFacts(request, { userId: caller.userId, sessionId: caller.sessionId });
    enforce(limits.session.take(caller.sessionId), reply);
    await sessions.confirm(caller);
    return caller;
  }

  async function serviceTokenOf(
    raw: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<ServiceTokenCaller> {
    if (!serviceTokenPattern.test(raw)) throw tokenRefused("token_invalid");
    const hash = hashServiceToken(raw).toString("base64");
    const forecast = limits.token.peek(hash);
    if (!forecast.allowed) enforce(forecast, reply);
    const token = await tokenOfHash(hash);
    if (token !== null) noteSecurityFacts(request, { userId: token.userId, tokenId: token.id });
    const caller = callerOf(token);
    enforce(limits.token.take(hash), reply);
    await requireAllowedUser(database, allowed, caller.userId);
    tokenUse.record(caller.tokenId);
    return caller;
  }

  async function tokenOfHash(hash: string): Promise<ServiceToken | null> {
    await database.memory.refresh();
    return database.memory.remember(`service token ${hash}`, () =>
      findTokenByHash(database.read, Buffer.from(hash, "base64"), provider.slug),
    );
  }

  function callerOf(token: ServiceToken | null): ServiceTokenCaller {
    if (!token) throw tokenRefused("token_invalid");
    const status = statusOf(token, clock());
    if (status !== "active") throw tokenRefused(`token_${status}`);
    const { id: tokenId, userId, name, prefix, scopes, workspaceIds, expiresAt } = token;
    return { kind: "service-token", userId, tokenId, name, prefix, scopes, workspaceIds, expiresAt };
  }

  function identify(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<SessionCaller | ServiceTokenCaller> {
    const credentials = readCredentials(request.raw);
    switch (credentials.kind) {
      case "none":
        throw unauthenticated();
      case "malformed":
        throw tokenRefused("token_invalid");
      case "session":
        return sessionOf(credentials.raw, request, reply);
      case "service-token":
        return serviceTokenOf(credentials.raw, request, reply);
    }
  }

  return {
    async authenticate(request, reply) {
      try {
        return await identify(request, reply);
      } catch (error) {
        if (isFailedAuthentication(error)) enforce(limits.failedAuth.take(request.ip), reply);
        throw error;
      }
    },
    async confirm(request) {
      const credentials = readCredentials(request.raw);
      if (credentials.kind === "session") return sessions.verifyAccess(credentials.raw);
      if (credentials.kind !== "service-token") throw unauthenticated();
      const caller = callerOf(await tokenOfHash(hashServiceToken(credentials.raw).toString("base64")));
      await requireAllowedUser(database, allowed, caller.userId);
      return caller;
    },
  };
}

/** Credentials were presented and do not count. Presenting none is no attempt. */
function isFailedAuthentication(error: unknown): boolean {
  return error instanceof ApiError && problems[error.code].status === 401 && error.code !== "unauthenticated";
}
