import type { IncomingMessage } from "node:http";
import type { Scope } from "@clew/contract";
import { ApiError } from "../model/api-error.ts";

/** What a request presents, still unverified. */
export type Credentials =
  | { readonly kind: "none" }
  | { readonly kind: "malformed" }
  | { readonly kind: "session"; readonly raw: string }
  | { readonly kind: "service-token"; readonly raw: string };

/** `Bearer` and one token (RFC 6750, section 2.1). */
const bearer = /^Bearer +([\w.~+/-]+=*)$/i;

/**
 * Reads the credentials of a request: exactly one `Authorization` header, never the URL or the body.
 * Another scheme than Bearer is as good as none (RFC 6750, section 3.1).
 */
export function readCredentials(message: IncomingMessage): Credentials {
  const { authorization } = message.headers;
  if (!authorization) return { kind: "none" };
  // Node keeps the first of several and drops the others; a proxy may have looked at another one.
  if (isRepeated(message.rawHeaders, "authorization")) return { kind: "malformed" };
  if (!/^Bearer(\s|$)/i.test(authorization)) return { kind: "none" };
  const raw = bearer.exec(authorization)?.[1];
  if (!raw) return { kind: "malformed" };
  return { kind: raw.startsWith("svc_") ? "service-token" : "session", raw };
}

/** Whether a header comes more than once among names and values in turn. */
function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let copies = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at];
    if (given?.length === name.length && given.toLowerCase() === name) copies += 1;
  }
  return copies > 1;
}

/** No credentials came along, so the challenge names no error (RFC 6750, section 3.1). */
export function unauthenticated(): ApiError {
  return new ApiError("unauthenticated", "This path needs a token: Authorization: Bearer <token>.", {
    headers: challenge({}),
  });
}

/** What is wrong with a token that does not count. */
export type TokenProblem = "token_invalid" | "token_expired" | "token_revoked";

const faultDetails: Readonly<Record<TokenProblem, string>> = {
  token_invalid: "The token is not one that this service issued.",
  token_expired: "The token has expired.",
  token_revoked: "The token was revoked, or its session is over.",
};

/** The token does not count: 401 with the challenge of RFC 6750, section 3.1. */
export function tokenRefused(fault: TokenProblem, detail = faultDetails[fault]): ApiError {
  return new ApiError(fault, detail, {
    headers: challenge({ error: "invalid_token", error_description: detail }),
  });
}

/** The service token counts, but for other operations: 403, and the challenge names every scope that is needed. */
export function insufficientScope(needed: readonly Scope[]): ApiError {
  const scopes = `the ${needed.length === 1 ? "scope" : "scopes"} ${needed.join(" and ")}`;
  return new ApiError("insufficient_scope", `This operation needs a token with ${scopes}.`, {
    headers: challenge({ error: "insufficient_scope", scope: needed.join(" ") }),
  });
}

function challenge(parameters: Readonly<Record<string, string>>): { "www-authenticate": string } {
  const list = Object.entries({ realm: "clew", ...parameters }).map(([name, value]) => `${name}="${value}"`);
  return { "www-authenticate": `Bearer ${list.join(", ")}` };
}
