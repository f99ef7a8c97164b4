import { problems } from "@clew/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { Config } from "../config/config.ts";
import { enforce, type Limits } from "../http/limits/rate-limits.ts";
import { servesPeople, usableConnections } from "../model/allow-list.ts";
import { ApiError } from "../model/api-error.ts";
import type { KnownCaller, ServiceTokenCaller } from "../model/caller.ts";
import type { Clock } from "../model/runtime.ts";
import { statusOf } from "../model/service-token.ts";
import type { CallerRecord, Database } from "../store/port.ts";
import {
  readCredentials,
  requireSettled,
  tokenRefused,
  unauthenticated,
  userNotAllowed,
} from "./credentials.ts";
import { takeCaller } from "./found-callers.ts";
import { noteSecurityFacts } from "./security-log.ts";
import { hashServiceToken } from "./service-tokens.ts";
import type { Sessions } from "./sessions.ts";
import type { TokenUse } from "./token-use.ts";

export interface AuthenticationServices {
  readonly database: Pick<Database, "callers">;
  readonly sessions: Pick<Sessions, "identify" | "confirm" | "verifyAccess">;
  readonly limits: Limits;
  readonly tokenUse: Pick<TokenUse, "record">;
  readonly clock: Clock;
  readonly config: Pick<Config, "allowed">;
}

/** `svc_` and 32 characters (TOK-2). Anything else is refused without a read. */
export const serviceTokenPattern = /^svc_[A-Za-z0-9]{32}$/;

/** Tokens that are remembered for requests beyond their limit. */
const maxSeen = 1_000;

type TokenRecord = CallerRecord & { readonly kind: "service-token" };

/** Identifies the caller of a request. Both methods throw `ApiError`, a 401, for invalid credentials. */
export function createAuthentication(services: AuthenticationServices) {
  const { database, sessions, limits, tokenUse, clock } = services;
  const { allowed } = services.config;
  /** The tokens that were read last, for those who hear of requests that are refused unread. */
  const seen = new LRUCache<string, { readonly userId: string; readonly tokenId: number }>({ max: maxSeen });

  async function sessionOf(raw: string, request: FastifyRequest, reply: FastifyReply) {
    const found = takeCaller(request.raw);
    const claims = await sessions.identify(raw);
    noteSecurityFacts(request, { userId: claims.userId, sessionId: claims.sessionId });
    enforce(limits.session.take(claims.sessionId), reply);
    return sessions.confirm(claims, found);
  }

  async function serviceTokenOf(raw: string, request: FastifyRequest, reply: FastifyReply, counted: boolean) {
    if (!serviceTokenPattern.test(raw)) throw tokenRefused("token_invalid");
    const hash = hashServiceToken(raw);
    const limitKey = limitKeyOf(hash);
    const forecast = counted ? limits.token.peek(limitKey) : null;
    if (forecast?.allowed === false) {
      const known = seen.get(limitKey);
      if (known !== undefined) noteSecurityFacts(request, known);
      enforce(forecast, reply);
    }
    const record = await findToken(hash, takeCaller(request.raw));
    const facts = { userId: record.owner.id, tokenId: record.token.id };
    noteSecurityFacts(request, facts);
    seen.set(limitKey, facts);
    requireActive(record);
    if (counted) enforce(limits.token.take(limitKey), reply);
    const caller = callerOf(record);
    tokenUse.record(caller.tokenId);
    return caller;
  }

  async function findToken(hash: Buffer, found?: CallerRecord | null): Promise<TokenRecord> {
    const [record] =
      found === undefined ? await database.callers([{ kind: "service-token", hash }]) : [found];
    if (record?.kind !== "service-token" || !servesPeople(allowed, record.owner.provider))
      throw tokenRefused("token_invalid");
    requireSettled(record.owner);
    return record;
  }

  function requireActive({ token }: TokenRecord): void {
    const status = statusOf(token, clock());
    if (status !== "active") throw tokenRefused(`token_${status}`);
  }

  function callerOf({ owner, token }: TokenRecord): ServiceTokenCaller {
    const connections = usableConnections(allowed, owner);
    if (connections === null) throw userNotAllowed();
    const { id: tokenId, userId, name, prefix, scopes, workspaceIds, expiresAt } = token;
    return {
      kind: "service-token",
      userId,
      connections,
      tokenId,
      name,
      prefix,
      scopes,
      workspaceIds,
      expiresAt,
      resource: token.client?.resource ?? null,
    };
  }

  function identify(request: FastifyRequest, reply: FastifyReply, counted: boolean): Promise<KnownCaller> {
    const credentials = readCredentials(request.raw);
    switch (credentials.kind) {
      case "none":
        throw unauthenticated();
      case "malformed":
        throw tokenRefused("token_invalid");
      case "session":
        return sessionOf(credentials.raw, request, reply);
      case "service-token":
        return serviceTokenOf(credentials.raw, request, reply, counted);
    }
  }

  return {
    /**
     * Returns the caller of a request. The request is counted (LIM-1), unless its route counts the requests of service tokens
     * itself. Limits are checked before the store is read if possible, so that a refused request costs less (LIM-2). Invalid
     * credentials count for their address only.
     */
    async authenticate(request: FastifyRequest, reply: FastifyReply, counted = true): Promise<KnownCaller> {
      try {
        return await identify(request, reply, counted);
      } catch (error) {
        if (isFailedAuthentication(error)) enforce(limits.failedAuth.take(request.ip), reply, error);
        throw error;
      }
    },
    /** The caller as of now, without counting the request: a body may arrive long after its headers. */
    async confirm(request: FastifyRequest): Promise<KnownCaller> {
      const credentials = readCredentials(request.raw);
      if (credentials.kind === "session") return sessions.verifyAccess(credentials.raw);
      if (credentials.kind !== "service-token") throw unauthenticated();
      const record = await findToken(hashServiceToken(credentials.raw));
      requireActive(record);
      return callerOf(record);
    },
  };
}

const limitKeyOf = (hash: Buffer): string => hash.toString("latin1");

/** The key by which the limit of service tokens counts a request that was authenticated with one. */
export function tokenLimitKey({ raw }: FastifyRequest): string {
  const credentials = readCredentials(raw);
  if (credentials.kind !== "service-token") throw new Error("The request has no service token.");
  return limitKeyOf(hashServiceToken(credentials.raw));
}

/** Whether credentials were presented and refused. A request without credentials is no attempt. */
function isFailedAuthentication(error: unknown): boolean {
  return error instanceof ApiError && problems[error.code].status === 401 && error.code !== "unauthenticated";
}
