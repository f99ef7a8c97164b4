import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../model/clock.ts";
import { Refusal } from "../model/refusal.ts";
import { createAddressLimit } from "./address-limit.ts";
import { createRateLimit, type RateLimit, type Verdict } from "./rate-limit.ts";

/** Clew's limits (LIM-1). */
export interface Limits {
  /** By service token. */
  readonly token: RateLimit;
  /** By session. */
  readonly session: RateLimit;
  /** Sign-in, callback and refresh, by address. */
  readonly signIn: RateLimit;
  /** Credentials that do not count, by address. */
  readonly failedAuth: RateLimit;
  /** Routes that are open to everybody, by address. */
  readonly open: RateLimit;
  /** The probes of whoever watches over Clew, by address: no crowd behind the same proxy takes their share. */
  readonly health: RateLimit;
}

/** Requests a minute of each limit; 0 turns one off. The counters are this process's own. */
export function createLimits(
  quotas: Readonly<Record<"token" | "session" | "signIn" | "failedAuth" | "open", number>>,
  clock: Clock,
): Limits {
  return {
    token: createRateLimit({ name: "token", quota: quotas.token }, clock),
    session: createRateLimit({ name: "session", quota: quotas.session }, clock),
    signIn: createAddressLimit({ name: "sign-in", quota: quotas.signIn }, clock),
    failedAuth: createAddressLimit({ name: "failed-authentication", quota: quotas.failedAuth }, clock),
    open: createAddressLimit({ name: "open", quota: quotas.open }, clock),
    health: createAddressLimit({ name: "health", quota: quotas.open }, clock),
  };
}

/** Writes a limit's fields on the answer, and refuses the request where it is one too many (LIM-2). */
export function enforce(verdict: Verdict, reply: FastifyReply): void {
  reply.headers(verdict.fields);
  if (verdict.allowed) return;
  throw new Refusal("rate_limited", "Too many requests. Retry-After says in how many seconds to go on.");
}

/** A route's `onRequest` hook: at most so many requests a minute from one address, before the body is read. */
export function limitSignIn(limits: Pick<Limits, "signIn">) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    enforce(limits.signIn.take(request.ip), reply);
  };
}
