import { isIP } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { ApiError } from "../../model/api-error.ts";
import type { Clock, ObserveCache } from "../../model/runtime.ts";

/**
 * Clew's limits (LIM-1). `quotas` has the requests per minute of each; 0 turns it off. Each process counts separately. The
 * clock must be monotonic: if the time jumped ahead and back, windows would end days later.
 */
export function createLimits(
  quotas: Readonly<Record<"token" | "session" | "signIn" | "failedAuth" | "open", number>>,
  monotonic: Clock,
  observeCache?: ObserveCache,
) {
  const byCaller = (name: string, quota: number) => createRateLimit({ name, quota }, monotonic, observeCache);
  const byAddress = (name: string, quota: number) =>
    createAddressLimit({ name, quota }, monotonic, observeCache);
  return {
    /** By service token. */
    token: byCaller("token", quotas.token),
    /** By session. */
    session: byCaller("session", quotas.session),
    /** Sign-in, callback and refreshes with an invalid token, by address. */
    signIn: byAddress("sign-in", quotas.signIn),
    /** Refreshes with a valid refresh token, by session, so that other clients of an address cannot use them up. */
    refresh: byCaller("refresh", quotas.signIn),
    /** Invalid credentials, by address. */
    failedAuth: byAddress("failed-authentication", quotas.failedAuth),
    /** Routes without authentication, by address. */
    open: byAddress("open", quotas.open),
    /** Health probes, by address: other traffic through the same proxy does not use them up. */
    health: byAddress("health", quotas.open),
  };
}

export type Limits = Readonly<ReturnType<typeof createLimits>>;

/** Adds a limit's header fields to the response, and refuses the request if it is one too many, as `refusalOf` does. */
export function enforce(verdict: Verdict, reply: FastifyReply, cause?: unknown): void {
  const refusal = refusalOf(verdict, reply, cause);
  if (refusal !== null) throw refusal;
}

/**
 * Adds a limit's header fields to the response (LIM-2). Returns the refusal of a request that is one too many: it closes the
 * connection, so that requests that were sent with it cost nothing more. `cause` is the error for which the request was
 * counted, if any.
 */
export function refusalOf(verdict: Verdict, reply: FastifyReply, cause?: unknown): ApiError | null {
  reply.headers(verdict.fields);
  if (verdict.allowed) return null;
  reply.header("connection", "close");
  // Agents see the text but not the headers.
  const seconds = Number(verdict.fields["retry-after"]);
  const wait = seconds === 1 ? "1 second" : `${seconds} seconds`;
  return new ApiError("rate_limited", `Too many requests. Wait ${wait}, then try again.`, { cause });
}

/** A route's `onRequest` hook, so before the body is read: counts a request for the sign-in limit of its address. */
export function limitSignIn(limits: Pick<Limits, "signIn">) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    enforce(limits.signIn.take(request.ip), reply);
  };
}

/** Whether a request is within a limit. */
export interface Verdict {
  readonly allowed: boolean;
  /** The response's header fields; empty if the limit is off. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Counts the requests of each key: a caller or an address. */
export interface RateLimit {
  /** Counts a request of this key, unless it is one too many. */
  take(key: string): Verdict;
  /** The verdict that `take` would give, without counting a request. */
  peek(key: string): Verdict;
}

interface Policy {
  /** Its name in the header fields. */
  readonly name: string;
  /** Requests per minute; 0 turns the limit off. */
  readonly quota: number;
}

interface Window {
  readonly endsAt: number;
  used: number;
}

const windowMs = 60_000;

/** Keys that are counted at the same time, about 10 MB. With more, those used longest ago start over. */
const maxKeys = 50_000;

/** A limit of requests in windows of one minute. A key's window begins with its first request. */
export function createRateLimit(
  { name, quota }: Policy,
  clock: Clock,
  observeCache: ObserveCache = () => {},
): RateLimit {
  if (quota === 0) return { take: () => unlimited, peek: () => unlimited };
  // By size, because a cache with `max` allocates its memory at once.
  const windows = new LRUCache<string, Window>({ maxSize: maxKeys, sizeCalculation: () => 1 });
  observeCache({ name: `rate_limit_${name.replaceAll("-", "_")}`, entries: () => windows.size });

  function count(key: string, requests: 0 | 1): Verdict {
    const now = clock();
    const known = windows.peek(key);
    const window = known && known.endsAt > now ? known : { endsAt: now + windowMs, used: 0 };
    const allowed = window.used < quota;
    if (allowed && requests > 0) {
      window.used += requests;
      windows.set(key, window);
    }
    const seconds = Math.ceil((window.endsAt - now) / 1000);
    const fields = {
      "ratelimit-policy": `"${name}";q=${quota};w=${windowMs / 1000}`,
      ratelimit: `"${name}";r=${quota - window.used};t=${seconds}`,
    };
    return { allowed, fields: allowed ? fields : { ...fields, "retry-after": String(seconds) } };
  }

  return { take: (key) => count(key, 1), peek: (key) => count(key, 0) };
}

const unlimited: Verdict = { allowed: true, fields: {} };

/** The quota of a /48 as a multiple of that of one /64. */
const siteFactor = 4;

/**
 * A limit by address. An IPv6 address counts for its /64 and, with a larger quota, for its /48: an attacker with a /48
 * has 65 536 networks to choose from, but an office with one for each floor must still be served.
 */
export function createAddressLimit(
  policy: Policy,
  clock: Clock,
  observeCache?: ObserveCache,
): Pick<RateLimit, "take"> {
  const networks = createRateLimit(policy, clock, observeCache);
  const sitePolicy = { name: `${policy.name}-site`, quota: policy.quota * siteFactor };
  const sites = createRateLimit(sitePolicy, clock, observeCache);
  return {
    take(address) {
      const { network, site } = keysOf(address);
      const ofSite = site === null ? unlimited : sites.peek(site);
      if (!ofSite.allowed) return ofSite;
      const verdict = networks.take(network);
      if (verdict.allowed && site !== null) sites.take(site);
      return verdict;
    },
  };
}

/**
 * The key that an address is counted by: an IPv4 address itself, the /64 of an IPv6 address, since one household has
 * that many to choose from. Everything else that a proxy passes on has one key.
 */
export function addressKey(address: string): string {
  return keysOf(address).network;
}

/** The keys of an address: its network and, for IPv6, the /48, which is the most that one site gets (RFC 6177). */
function keysOf(address: string): { readonly network: string; readonly site: string | null } {
  const version = isIP(address);
  // Node decides what an address is: the library takes `1` and `0x7f.1` for some too, and refuses zones such as `eth0.1`.
  if (version === 0) return { network: "unknown", site: null };
  if (version === 4) return { network: address, site: null };
  const [withoutZone = ""] = address.split("%", 1);
  const parsed = ipaddr.process(withoutZone);
  if (parsed instanceof ipaddr.IPv4) return { network: parsed.toString(), site: null };
  const { parts } = parsed;
  const prefix = (groups: number) =>
    parts
      .slice(0, groups)
      .map((group) => group.toString(16))
      .join(":");
  return { network: `${prefix(4)}::/64`, site: `${prefix(3)}::/48` };
}
