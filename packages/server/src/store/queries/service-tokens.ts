import type { Scope } from "@clew/contract";
import { expressionBuilder, type Selectable } from "kysely";
import { type ServiceToken, statusOf, type TokenClient } from "../../model/service-token.ts";
import type { ReadHandle, RecordTransaction, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";
import { isSettled } from "./moving.ts";
import { countRows } from "./statements.ts";

/** A service token as it is created, with the SHA-256 of its raw value, which is never stored (TOK-2). */
export type NewServiceToken = Omit<
  ServiceToken,
  "id" | "revokedAt" | "inOverlap" | "lastUsedAt" | "createdByBrowser" | "client"
> & {
  readonly hash: Uint8Array;
  readonly createdByBrowser?: string | null;
  /** The program that it is given to; by default a person makes it by hand. */
  readonly client?: NewTokenClient;
};

/** The program that a new token is given to, with the hashes of its client id and of the code that it presented. */
interface NewTokenClient extends TokenClient {
  readonly idHash: Uint8Array;
  readonly codeHash: Uint8Array;
}

/** Which of a user's tokens to list. */
export interface TokenListing {
  readonly now: number;
  /** Only usable tokens if true, only the others if false; all if left out. */
  readonly isActive?: boolean | undefined;
  /** Only tokens created before this one. */
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

/** The time for which a revoked or expired token stays listed (TOK-7). */
const listedAfterEndMs = 90 * 86_400_000;

/** A condition: the token works at this time, as `statusOf` has it. */
export function isUsableToken(now: number) {
  const where = expressionBuilder<Tables, "service_tokens">();
  return where.and([
    endsAfter(now),
    where.or([where("revoked_at", "is", null), where("in_overlap", "=", 1)]),
  ]);
}

/** A condition: the token's revocation and its expiry, as far as it has them, are after this time. */
function endsAfter(time: number) {
  const where = expressionBuilder<Tables, "service_tokens">();
  return where.and([
    where.or([where("revoked_at", "is", null), where("revoked_at", ">", time)]),
    where.or([where("expires_at", "is", null), where("expires_at", ">", time)]),
  ]);
}

export const serviceTokenColumns = [
  "id",
  "user_id",
  "name",
  "prefix",
  "scopes",
  "workspace_ids",
  "expires_in_days",
  "created_at",
  "expires_at",
  "revoked_at",
  "in_overlap",
  "last_used_at",
  "created_by_browser",
  "client_name",
  "redirect_uri",
  "resource",
] as const satisfies (keyof Tables["service_tokens"])[];

export type ServiceTokenRow = Pick<
  Selectable<Tables["service_tokens"]>,
  (typeof serviceTokenColumns)[number]
>;

/** Stores a new token; its id is never reused (TOK-8). Count and insert in one transaction, to keep the limit of TOK-6. */
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
      created_by_browser: token.createdByBrowser ?? null,
      client_name: token.client?.name ?? null,
      client_hash: token.client?.idHash ?? null,
      redirect_uri: token.client?.redirectUri ?? null,
      resource: token.client?.resource ?? null,
      code_hash: token.client?.codeHash ?? null,
    })
    .returning(serviceTokenColumns)
    .executeTakeFirstOrThrow();
  return serviceTokenOf(row);
}

/** Counts the usable tokens of a user, or of all users if null (TOK-6). */
export async function countUsableTokens(db: ReadHandle, userId: string | null, now: number): Promise<number> {
  let tokens = db.selectFrom("service_tokens").where(isUsableToken(now));
  if (userId !== null) tokens = tokens.where("user_id", "=", userId);
  return countRows(tokens);
}

/** A user's tokens, newest first; revoked and expired ones for 90 days (TOK-7). */
export async function listServiceTokens(
  db: ReadHandle,
  userId: string,
  { now, isActive, beforeId, limit }: TokenListing,
): Promise<ServiceToken[]> {
  let query = db
    .selectFrom("service_tokens")
    .select(serviceTokenColumns)
    .where("user_id", "=", userId)
    .where(endsAfter(now - listedAfterEndMs));
  if (isActive === true) query = query.where(isUsableToken(now));
  if (isActive === false) query = query.where((where) => where.not(isUsableToken(now)));
  if (beforeId !== undefined) query = query.where("id", "<", beforeId);
  return (await query.orderBy("id", "desc").limit(limit).execute()).map(serviceTokenOf);
}

/** A token in any state, of this user or of any user if null; null if there is none. */
export async function findServiceToken(
  db: ReadHandle,
  userId: string | null,
  tokenId: number,
): Promise<ServiceToken | null> {
  let tokens = db.selectFrom("service_tokens").where("id", "=", tokenId);
  if (userId !== null) tokens = tokens.where("user_id", "=", userId);
  const row = await tokens.select(serviceTokenColumns).executeTakeFirst();
  return row === undefined ? null : serviceTokenOf(row);
}

/** The token of a connected app that was given for a code, in any state, by the code's SHA-256; null if there is none. */
export async function tokenOfCode(db: ReadHandle, codeHash: Uint8Array): Promise<ServiceToken | null> {
  const row = await db
    .selectFrom("service_tokens")
    .select(serviceTokenColumns)
    .where("code_hash", "=", codeHash)
    .executeTakeFirst();
  return row === undefined ? null : serviceTokenOf(row);
}

/** The token of a connected app by its SHA-256, with that of its client id; null for any other token. */
export async function tokenOfApp(
  db: ReadHandle,
  hash: Uint8Array,
): Promise<{ readonly token: ServiceToken; readonly clientHash: Uint8Array } | null> {
  const row = await db
    .selectFrom("service_tokens")
    .select(serviceTokenColumns)
    .select("client_hash")
    .where("hash", "=", hash)
    .executeTakeFirst();
  if (row === undefined || row.client_hash === null) return null;
  return { token: serviceTokenOf(row), clientHash: row.client_hash };
}

/** A user's usable tokens, newest first. */
export async function usableTokens(db: ReadHandle, userId: string, now: number): Promise<ServiceToken[]> {
  const rows = await db
    .selectFrom("service_tokens")
    .select(serviceTokenColumns)
    .where("user_id", "=", userId)
    .where(isUsableToken(now))
    .orderBy("id", "desc")
    .execute();
  return rows.map(serviceTokenOf);
}

/** Usable tokens of connected apps that have not been used since a time, of all users. */
export async function tokensUnusedSince(db: ReadHandle, since: number, now: number): Promise<ServiceToken[]> {
  const rows = await db
    .selectFrom("service_tokens")
    .select(serviceTokenColumns)
    .where("client_hash", "is not", null)
    .where(({ eb, fn }) => eb(fn.coalesce("last_used_at", "created_at"), "<", since))
    .where(isUsableToken(now))
    .where(isSettled("user_id"))
    .orderBy("id")
    .execute();
  return rows.map(serviceTokenOf);
}

/** Tokens in any state by their ids; missing ones, and those of people who are being moved, are left out. */
export async function serviceTokensById(
  db: ReadHandle,
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number, ServiceToken>> {
  const rows = await db
    .selectFrom("service_tokens")
    .select(serviceTokenColumns)
    .where("id", "in", [...ids])
    .where(isSettled("user_id"))
    .execute();
  return new Map(rows.map((row) => [row.id, serviceTokenOf(row)]));
}

/** Those of these tokens that are in this bucket, whether or not their owners are being moved. */
export async function storedTokens(db: ReadHandle, ids: readonly number[]): Promise<readonly number[]> {
  const rows = await db.selectFrom("service_tokens").select("id").where("id", "in", ids).execute();
  return rows.map(({ id }) => id);
}

/** The tokens of all users, newest first, each with its owner's email address, name or id. */
export async function listAllServiceTokens(
  db: ReadHandle,
): Promise<{ token: ServiceToken; owner: string }[]> {
  const rows = await db
    .selectFrom("service_tokens")
    .innerJoin("users", "users.id", "service_tokens.user_id")
    .select(serviceTokenColumns.map((column) => `service_tokens.${column}` as const))
    .select(({ fn }) => fn.coalesce("users.email", "users.name", "users.id").as("owner"))
    .orderBy("service_tokens.id", "desc")
    .execute();
  return rows.map(({ owner, ...row }) => ({ token: serviceTokenOf(row), owner }));
}

/** Revokes a token for good, at once (TOK-8). */
export async function setTokenRevoked(trx: WriteTransaction, tokenId: number, at: number): Promise<void> {
  await setRevoked(trx, tokenId, { revoked_at: at, in_overlap: 0 });
}

/** Revokes a token as of a later time, at which its overlap ends (TOK-9). */
export async function setTokenRevokedAfterOverlap(
  trx: WriteTransaction,
  tokenId: number,
  at: number,
): Promise<void> {
  await setRevoked(trx, tokenId, { revoked_at: at, in_overlap: 1 });
}

async function setRevoked(
  trx: WriteTransaction,
  tokenId: number,
  revocation: { readonly revoked_at: number; readonly in_overlap: 0 | 1 },
): Promise<void> {
  await trx.updateTable("service_tokens").set(revocation).where("id", "=", tokenId).execute();
}

/** Removes a workspace from all tokens of a user, revokes tokens left without any, and returns those (GRAPH-15). */
export async function removeWorkspaceFromTokens(
  trx: WriteTransaction,
  userId: string,
  workspaceId: string,
  now: number,
): Promise<ServiceToken[]> {
  const rows = await trx
    .selectFrom("service_tokens")
    .select(serviceTokenColumns)
    .where("user_id", "=", userId)
    .execute();
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
    await setTokenRevoked(trx, token.id, now);
    revoked.push(token);
  }
  return revoked;
}

/**
 * Records when tokens were last used, by token id. A time never moves backwards (TOK-10). Returns the tokens that are in this bucket,
 * without those whose owners are being moved.
 */
export async function recordTokenUse(
  trx: RecordTransaction,
  uses: ReadonlyMap<number, number>,
): Promise<readonly number[]> {
  const recorded: number[] = [];
  for (const [id, usedAt] of uses) {
    const rows = await trx
      .updateTable("service_tokens")
      .set(({ eb, ref, val }) => ({
        last_used_at: eb
          .case()
          .when("last_used_at", ">", usedAt)
          .then(ref("last_used_at"))
          .else(val(usedAt))
          .end(),
      }))
      .where("id", "=", id)
      .where(isSettled("user_id"))
      .returning("id")
      .execute();
    recorded.push(...rows.map((row) => row.id));
  }
  return recorded;
}

/** The token of a row. */
export function serviceTokenOf(row: ServiceTokenRow): ServiceToken {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    prefix: row.prefix,
    // `insertServiceToken` wrote both.
    scopes: JSON.parse(row.scopes) as Scope[],
    workspaceIds: JSON.parse(row.workspace_ids) as string[],
    createdAt: row.created_at,
    expiresInDays: row.expires_in_days,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    inOverlap: row.in_overlap === 1,
    lastUsedAt: row.last_used_at,
    createdByBrowser: row.created_by_browser,
    client: clientOf(row),
  };
}

function clientOf({ client_name, redirect_uri, resource }: ServiceTokenRow): TokenClient | null {
  if (client_name === null || redirect_uri === null || resource === null) return null;
  return { name: client_name, redirectUri: redirect_uri, resource };
}
