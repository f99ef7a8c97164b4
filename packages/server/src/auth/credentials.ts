import type { IncomingMessage } from "node:http";
import type { Scope } from "@clew/contract";
import { ApiError } from "../model/api-error.ts";

/** The unverified credentials of a request. */
export type Credentials =
  | { readonly kind: "none" }
  | { readonly kind: "malformed" }
  | { readonly kind: "session"; readonly raw: string }
  | { readonly kind: "service-token"; readonly raw: string };

/** `Bearer` and one token (RFC 6750, section 2.1). */
const bearer = /^Bearer +([\w.~+/-]+=*)$/i;

/**
 * Reads the credentials of a request: exactly one `Authorization` header, never the URL or the body.
 * Another scheme than Bearer counts as none (RFC 6750, section 3.1).
 */
export function readCredentials(message: IncomingMessage): Credentials {
  const { authorization } = message.headers;
  if (!authorization) return { kind: "none" };
  // Node keeps only the first of several; a proxy may have read another one.
  if (isRepeated(message.rawHeaders, "authorization")) return { kind: "malformed" };
  if (!/^Bearer(\s|$)/i.test(authorization)) return { kind: "none" };
  const raw = bearer.exec(authorization)?.[1];
  if (!raw) return { kind: "malformed" };
  return { kind: raw.startsWith("svc_") ? "service-token" : "session", raw };
}

/** Whether a header occurs more than once. `rawHeaders` alternates names and values. */
function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let copies = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at];
    if (header?.length === name.length && header.toLowerCase() === name) copies += 1;
  }
  return copies > 1;
}

/** 401 for a request without credentials: the challenge names no error (RFC 6750, section 3.1). */
export function unauthenticated(): ApiError {
  return new ApiError("unauthenticated", "This path needs a token: Authorization: Bearer <token>.", {
    headers: challenge({}),
  });
}

/** The reason why a token is refused. */
export type TokenProblem = "token_invalid" | "token_expired" | "token_revoked";

const refusalDetails: Readonly<Record<TokenProblem, string>> = {
  token_invalid: "The token was not issued by this service.",
  token_expired: "The token has expired.",
  token_revoked: "The token was revoked, or its session has ended.",
};

/** 401 for a token that is refused, with the challenge of RFC 6750, section 3.1. */
export function tokenRefused(code: TokenProblem, detail = refusalDetails[code]): ApiError {
  return new ApiError(code, detail, {
    headers: challenge({ error: "invalid_token", error_description: detail }),
  });
}

/** Throws 503 for the owner of a credential who is being moved to another bucket: the answer is not to be found in either of the two. */
export function requireSettled({ isMoving }: { readonly isMoving: boolean }): void {
  if (!isMoving) return;
  throw new ApiError(
    "unavailable",
    "This account is being moved to another database. Try again in a moment.",
    {
      headers: { "retry-after": "5" },
    },
  );
}

/** 401 for a user who is on none of the allow lists (SIGN-10). */
export function userNotAllowed(): ApiError {
  return tokenRefused("token_revoked", "The token's user may no longer use this service.");
}

/** 403 for a service token that lacks a scope. The challenge names every scope that is needed. */
export function insufficientScope(needed: readonly Scope[]): ApiError {
  const scopes = `the ${needed.length === 1 ? "scope" : "scopes"} ${needed.join(" and ")}`;
  return new ApiError("insufficient_scope", `This operation needs a token with ${scopes}.`, {
    headers: challenge({ error: "insufficient_scope", scope: needed.join(" ") }),
  });
}

/** 403 for a token that opens other paths. Its challenge names no error: another token is needed, not a wider one. */
export function wrongTokenType(detail: string): ApiError {
  return new ApiError("wrong_token_type", detail, { headers: challenge({}) });
}

/** A refusal whose challenge has other parameters in place of the realm; any other error as it is. */
export function withChallenge(error: Error, parameters: Readonly<Record<string, string>>): Error {
  if (!(error instanceof ApiError)) return error;
  const header = error.headers["www-authenticate"];
  if (header === undefined) return error;
  const headers = {
    ...error.headers,
    "www-authenticate": header.replace(listed({ realm }), listed(parameters)),
  };
  return new ApiError(error.code, error.message, { headers, cause: error });
}

const realm = "clew";

/** Parameters as quoted strings (RFC 9110, section 5.6.4): a URL of the request may have any character that Node reads. */
const listed = (parameters: Readonly<Record<string, string>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}="${value.replaceAll(/["\\]/g, "\\$&")}"`)
    .join(", ");

function challenge(parameters: Readonly<Record<string, string>>): { "www-authenticate": string } {
  return { "www-authenticate": `Bearer ${listed({ realm, ...parameters })}` };
}
