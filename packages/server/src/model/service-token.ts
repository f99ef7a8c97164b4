import type { Scope, ServiceToken as ServiceTokenMessage } from "@clew/contract";

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
