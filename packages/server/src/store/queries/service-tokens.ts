import type { Scope } from "@clew/contract";
import type { ExpressionBuilder, Selectable } from "kysely";
import { type ServiceToken, statusOf } from "../../model/service-token.ts";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";

/** A service token as it is created. Times are milliseconds since the Unix epoch. */
export interface NewServiceToken {
  readonly userId: string;
  readonly name: string;
  /** SHA-256 of the raw token, which is never stored (TOK-2). */
  readonly hash: Uint8Array;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly workspaceIds: readonly string[];
  readonly expiresInDays: number | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export interface TokenListing {
  readonly now: number;
  /** Usable tokens alone, or the others alone; both where it is left out. */
  readonly isActive?: boolean | undefined;
  /** Only tokens made before this one. */
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

/** How long a token that is revoked or expired stays listed, in milliseconds (TOK-7). */
const listedAfterEnd = 90 * 86_400_000;

/**
 * Stores a new token under an id that was never used before (TOK-8). To hold the limit of TOK-6, count and insert in
 * one transaction.
 */
export async function insertServiceToken(
  trx: WriteTransaction,
  token: NewServiceToken,
): Promise<ServiceToken> {
  const row = await trx
    .insertInto("service_tokens")
    .values({
      user_id: token.userId,
      name: token.name,
      hash: token.hash,
      prefix: token.prefix,
      scopes: JSON.stringify(token.scopes),
      workspace_ids: JSON.stringify(token.workspaceIds),
      expires_in_days: token.expiresInDays,
      created_at: token.createdAt,
      expires_at: token.expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return serviceTokenOf(row);
}

/** How many tokens of the user are neither revoked nor expired (TOK-6); of everybody's where no user is named. */
export async function countUsableTokens(db: ReadHandle, userId: string | null, now: number): Promise<number> {
  let tokens = db.selectFrom("service_tokens").where((where) => isUsable(where, now));
  if (userId !== null) tokens = tokens.where("user_id", "=", userId);
  const { usable } = await tokens
    .select(({ fn }) => fn.countAll<number | string | bigint>().as("usable"))
    .executeTakeFirstOrThrow();
  return Number(usable);
}

/** The user's tokens, newest first; one that is revoked or expired stays for 90 days (TOK-7). */
export async function listServiceTokens(
  db: ReadHandle,
  userId: string,
  { now, isActive, beforeId, limit }: TokenListing,
): Promise<ServiceToken[]> {
  const oldestEnd = now - listedAfterEnd;
  let query = db
    .selectFrom("service_tokens")
    .selectAll()
    .where("user_id", "=", userId)
    .where((where) => where.or([where("revoked_at", "is", null), where("revoked_at", ">", oldestEnd)]))
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", oldestEnd)]));
  if (isActive === true) query = query.where((where) => isUsable(where, now));
  if (isActive === false) query = query.where((where) => where.not(isUsable(where, now)));
  if (beforeId !== undefined) query = query.where("id", "<", beforeId);
  return (await query.orderBy("id", "desc").limit(limit).execute()).map(serviceTokenOf);
}

/** A token of the user in whatever state it is, of anybody's where no user is named; null where there is no such token. */
export async function findServiceToken(
  db: ReadHandle,
  userId: string | null,
  tokenId: number,
): Promise<ServiceToken | null> {
  let tokens = db.selectFrom("service_tokens").where("id", "=", tokenId);
  if (userId !== null) tokens = tokens.where("user_id", "=", userId);
  const row = await tokens.selectAll().executeTakeFirst();
  return row === undefined ? null : serviceTokenOf(row);
}

/** Tokens by their ids, in whatever state they are; those that do not exist are left out. */
export async function serviceTokensById(
  db: ReadHandle,
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number, ServiceToken>> {
  const rows = await db
    .selectFrom("service_tokens")
    .selectAll()
    .where("id", "in", [...ids])
    .execute();
  return new Map(rows.map((row) => [row.id, serviceTokenOf(row)]));
}

/** Everybody's tokens, newest first, each with what its owner is known by. */
export async function listAllServiceTokens(
  db: ReadHandle,
): Promise<{ token: ServiceToken; owner: string }[]> {
  const rows = await db
    .selectFrom("service_tokens")
    .innerJoin("users", "users.id", "service_tokens.user_id")
    .selectAll("service_tokens")
    .select(({ fn }) => fn.coalesce("users.email", "users.name", "users.id").as("owner"))
    .orderBy("service_tokens.id", "desc")
    .execute();
  return rows.map(({ owner, ...row }) => ({ token: serviceTokenOf(row), owner }));
}

/** Revokes a token for good, as of a time that may be still to come (TOK-8, TOK-9). */
export async function stopServiceToken(trx: WriteTransaction, tokenId: number, at: number): Promise<void> {
  await trx.updateTable("service_tokens").set({ revoked_at: at }).where("id", "=", tokenId).execute();
}

/**
 * Takes a workspace out of all the user's tokens for good; a token that is left with none is revoked (GRAPH-15).
 * Returns those that were revoked by it.
 */
export async function withdrawWorkspace(
  trx: WriteTransaction,
  userId: string,
  workspaceId: string,
  now: number,
): Promise<ServiceToken[]> {
  const rows = await trx.selectFrom("service_tokens").selectAll().where("user_id", "=", userId).execute();
  const revoked: ServiceToken[] = [];
  for (const token of rows.map(serviceTokenOf)) {
    const left = token.workspaceIds.filter((id) => id !== workspaceId);
    if (left.length === token.workspaceIds.length) continue;
    await trx
      .updateTable("service_tokens")
      .set({ workspace_ids: JSON.stringify(left) })
      .where("id", "=", token.id)
      .execute();
    if (left.length > 0 || statusOf(token, now) === "revoked") continue;
    await stopServiceToken(trx, token.id, now);
    revoked.push(token);
  }
  return revoked;
}

/** Writes down when tokens were last used: token id → time. A time never moves backwards (TOK-10). */
export async function recordTokenUse(
  trx: WriteTransaction,
  uses: ReadonlyMap<number, number>,
): Promise<void> {
  for (const [id, usedAt] of uses) {
    await trx
      .updateTable("service_tokens")
      .set({ last_used_at: usedAt })
      .where("id", "=", id)
      .where((where) => where.or([where("last_used_at", "is", null), where("last_used_at", "<", usedAt)]))
      .execute();
  }
}

function isUsable(where: ExpressionBuilder<Tables, "service_tokens">, now: number) {
  return where.and([
    where.or([where("revoked_at", "is", null), where("revoked_at", ">", now)]),
    where.or([where("expires_at", "is", null), where("expires_at", ">", now)]),
  ]);
}

/** The token of a row. */
export function serviceTokenOf(row: Selectable<Tables["service_tokens"]>): ServiceToken {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    prefix: row.prefix,
    // Both were written by `insertServiceToken`.
    scopes: JSON.parse(row.scopes) as Scope[],
    workspaceIds: JSON.parse(row.workspace_ids) as string[],
    createdAt: row.created_at,
    expiresInDays: row.expires_in_days,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}
