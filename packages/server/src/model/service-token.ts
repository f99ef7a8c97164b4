import type { Scope, ServiceToken as ServiceTokenMessage } from "@clew/contract";

/**
 * The resource that a connected app's token opens: the MCP transport, or all of V1 with what is below it (APP-6).
 */
export type AppResource = "mcp" | "v1";

/** The program that a token was given to through its redirect URI (APP-7). */
export interface TokenClient {
  /** The name that the program gives itself. */
  readonly name: string;
  readonly redirectUri: string;
  readonly resource: AppResource;
}

/**
 * The place that a redirect URI leads to, for people: a host without its port, or the scheme of a program with its colon.
 */
export function hostOfRedirect(redirectUri: string): string {
  const { protocol, hostname } = new URL(redirectUri);
  return protocol === "https:" || protocol === "http:" ? hostname : protocol;
}

/** The path of a resource below PUBLIC_URL. */
const resourcePaths = { mcp: "/api/v1/mcp", v1: "/api/v1" } as const;

/** The URL of a resource (RFC 8707). */
export function resourceUrl(publicUrl: URL, resource: AppResource): string {
  return publicUrl.href.replace(/\/$/, "") + resourcePaths[resource];
}

/** A service token without its raw value. Times are milliseconds since the Unix epoch. */
export interface ServiceToken {
  readonly id: number;
  readonly userId: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly workspaceIds: readonly string[];
  readonly createdAt: number;
  readonly expiresInDays: number | null;
  readonly expiresAt: number | null;
  /** The time at which it was revoked, or will be if it was rotated with an overlap. */
  readonly revokedAt: number | null;
  /** Whether it works until then, as a rotated token does; otherwise it is revoked, whatever the time. */
  readonly inOverlap: boolean;
  readonly lastUsedAt: number | null;
  /** The `User-Agent` of the request that created it; null if unknown. */
  readonly createdByBrowser: string | null;
  /** Null if a person made it by hand. */
  readonly client: TokenClient | null;
}

/**
 * The status of a token at a time. A revoked token stays revoked, even if it has expired as well. A revocation does not
 * depend on the time: the clock of the instance that is asked may be slower than that of the one that revoked.
 */
export function statusOf(
  { revokedAt, inOverlap, expiresAt }: Pick<ServiceToken, "revokedAt" | "inOverlap" | "expiresAt">,
  now: number,
): ServiceTokenMessage["status"] {
  if (revokedAt !== null && (!inOverlap || revokedAt <= now)) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "active";
}
