import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../../model/api-error.ts";
import type { Clock } from "../../model/runtime.ts";
import { createAddressLimit } from "./address-limit.ts";
import { createRateLimit, type RateLimit, type Verdict } from "./rate-limit.ts";

/** Clew's limits (LIM-1). */
export interface Limits {
  /** By service token. */
  readonly token: RateLimit;
  /** By session. */
  readonly session: RateLimit;
  /** Sign-in, callback and refreshes with a token that does not count, by address. */
  readonly signIn: RateLimit;
  /** Refreshes with a valid refresh token, by session: nobody else's requests use them up. */
  readonly refresh: RateLimit;
  /** Credentials that do not count, by address. */
  readonly failedAuth: RateLimit;
  /** Routes that are open to everybody, by address. */
  readonly open: RateLimit;
  /** The probes of whoever watches over Clew, by address: no crowd behind the same proxy takes their share. */
  readonly health: RateLimit;
}

/**
 * Requests a minute of each limit; 0 turns one off. The counters are this process's own, on a clock that nobody sets: a
 * time that jumps ahead and back would leave windows that end in days.
 */
export function createLimits(
  quotas: Readonly<Record<"token" | "session" | "signIn" | "failedAuth" | "open", number>>,
  monotonic: Clock,
): Limits {
  return {
    token: createRateLimit({ name: "token", quota: quotas.token }, monotonic),
    session: createRateLimit({ name: "session", quota: quotas.session }, monotonic),
    signIn: createAddressLimit({ name: "sign-in", quota: quotas.signIn }, monotonic),
    refresh: createRateLimit({ name: "refresh", quota: quotas.signIn }, monotonic),
    failedAuth: createAddressLimit({ name: "failed-authentication", quota: quotas.failedAuth }, monotonic),
    open: createAddressLimit({ name: "open", quota: quotas.open }, monotonic),
    health: createAddressLimit({ name: "health", quota: quotas.open }, monotonic),
  };
}

/** Writes a limit's fields on the answer, and refuses the request where it is one too many (LIM-2). */
export function enforce(verdict: Verdict, reply: FastifyReply): void {
  reply.headers(verdict.fields);
  if (verdict.allowed) return;
  throw new ApiError("rate_limited", "Too many requests. Retry-After says in how many seconds to go on.");
}

/** A route's `onRequest` hook: at most so many requests a minute from one address, before the body is read. */
export function limitSignIn(limits: Pick<Limits, "signIn">) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    enforce(limits.signIn.take(request.ip), reply);
  };
}
