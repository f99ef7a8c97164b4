import type { Scope } from "@clew/contract";

/** A session, presented by its access token. Times are milliseconds since the Unix epoch. */
export interface SessionCaller {
  readonly kind: "session";
  readonly userId: string;
  readonly sessionId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** A service token, usable at the time of the request. */
export interface ServiceTokenCaller {
  readonly kind: "service-token";
  readonly userId: string;
  readonly tokenId: number;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly workspaceIds: readonly string[];
  readonly expiresAt: number | null;
}

/** Who is asking. */
export type Caller = { readonly kind: "nobody" } | SessionCaller | ServiceTokenCaller;
