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
  /** When it was revoked, or will be if it was rotated with an overlap. */
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

/** The status of a token at a time. A revoked token stays revoked, even if it has expired as well. */
export function statusOf(
  { revokedAt, expiresAt }: Pick<ServiceToken, "revokedAt" | "expiresAt">,
  now: number,
): ServiceTokenMessage["status"] {
  if (revokedAt !== null && revokedAt <= now) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "active";
}
