import type { Scope } from "@clew/contract";
import type { Connection } from "./connection.ts";
import type { AppResource } from "./service-token.ts";

// All times are milliseconds since the Unix epoch.

/** A person who signed in. */
export interface User {
  readonly id: string;
  /** The name of the people among whom a source identified this person (`Provider.people`). */
  readonly provider: string;
  readonly providerUserId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly avatarUrl: string | null;
  readonly createdAt: number;
  readonly lastSignInAt: number;
}

/** A session that has neither ended nor expired. */
export interface LiveSession {
  readonly id: string;
  /** Who signed in. */
  readonly address: string | null;
  readonly userAgent: string | null;
  /** The latest refresh by another address or user agent than all before; null if there is none. */
  readonly refreshedFrom: (Origin & { readonly at: number }) | null;
  readonly createdAt: number;
  readonly lastRefreshedAt: number | null;
  /** The time at which its refresh token expires. */
  readonly refreshExpiresAt: number;
}

/** The members of all callers with credentials. */
interface CallerBase {
  readonly userId: string;
  /** The connections that the user may use, oldest first, as of the start of the request (SIGN-10). */
  readonly connections: readonly Connection[];
}

/** A session, presented by its access token. */
export interface SessionCaller extends CallerBase {
  readonly kind: "session";
  readonly sessionId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** A service token, usable at the time of the request. */
export interface ServiceTokenCaller extends CallerBase {
  readonly kind: "service-token";
  readonly tokenId: number;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly workspaceIds: readonly string[];
  readonly expiresAt: number | null;
  /** The resource that a connected app's token opens; null for a token that was made by hand, which opens all of V1. */
  readonly resource: AppResource | null;
}

/** A caller who presented valid credentials. */
export type KnownCaller = SessionCaller | ServiceTokenCaller;

/** Whether a caller has all of these scopes. Only service tokens are limited by scopes. */
export function holdsAll(caller: KnownCaller, needed: readonly Scope[]): boolean {
  return caller.kind === "session" || needed.every((scope) => caller.scopes.includes(scope));
}

/** The sender of a request; `anonymous` without credentials. */
export type Caller = { readonly kind: "anonymous" } | KnownCaller;

/** The origin of a request. It shows a person later whether the request was theirs. */
export interface Origin {
  /** An IP address; null if unknown. */
  readonly address: string | null;
  /** Enough of the `User-Agent` to recognise a browser or a program. */
  readonly userAgent: string | null;
}

/** A user who acts in one of their sessions. */
export interface Actor extends Origin {
  readonly userId: string;
  readonly sessionId: string;
}
