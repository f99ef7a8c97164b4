import type { FastifyRequest } from "fastify";
import { ApiError } from "../model/api-error.ts";
import { isLoopback } from "../model/loopback.ts";

/** Throws `ApiError` `misdirected_request`, a 421, if a request names another host than this one. */
export type CheckHost = (request: FastifyRequest) => void;

/**
 * Creates the check of the host that a request names (SIGN-11). A browser trusts whatever answers at a name: a site that
 * points its own name at 127.0.0.1 (DNS rebinding) could read every response that needs no credentials. So where PUBLIC_URL
 * is loopback, only loopback names are Clew's. Elsewhere other names may lead to Clew on purpose, and are all accepted.
 */
export function createHostCheck(publicOrigin: string): CheckHost {
  if (!isLoopback(new URL(publicOrigin).hostname)) return () => {};
  return ({ raw, host }) => {
    // Behind a trusted proxy `host` is X-Forwarded-Host, which a page could send to Clew as well, so Host counts too.
    const named = [raw.headers.host, host];
    if (named.every((name) => name === undefined || isLoopback(hostname(name)))) return;
    throw new ApiError(
      "misdirected_request",
      `Clew is at ${publicOrigin}, and answers requests without credentials only there. To use another host, set PUBLIC_URL.`,
    );
  };
}

/** The host of `host:port` (RFC 9110, section 7.2), with the brackets of an IPv6 address. */
function hostname(host: string): string {
  return host.replace(/:\d*$/, "");
}
