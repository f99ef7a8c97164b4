import type { Scope } from "@clew/contract";

/** A service token without its raw value. Times are milliseconds since the Unix epoch. */
export interface ServiceToken {
  readonly id: number;
  readonly userId: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly workspaceIds: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}
