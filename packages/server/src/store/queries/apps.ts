import type { Scope } from "@clew/contract";
import type { Selectable } from "kysely";
import type { AppResource } from "../../model/service-token.ts";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";
import { isSettled } from "./moving.ts";
import { countChanged, countRows } from "./statements.ts";

/** A request that waits for a person's decision, by the SHA-256 of its id and of its browser's cookie (APP-4). */
export interface WaitingRequest {
  readonly requestHash: Uint8Array;
  readonly browserHash: Uint8Array;
  /** JSON. */
  readonly parameters: string;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
}

type RequestKey = Pick<WaitingRequest, "requestHash" | "browserHash">;

/** Stores a request, deletes expired ones, and keeps the latest `maxRequests` of all people. */
export async function insertAppRequest(
  trx: WriteTransaction,
  request: WaitingRequest,
  { now, maxRequests }: { readonly now: number; readonly maxRequests: number },
): Promise<void> {
  await trx.deleteFrom("app_requests").where("expires_at", "<=", now).execute();
  const tooMany = (await countRows(trx.selectFrom("app_requests"))) - maxRequests + 1;
  if (tooMany > 0) {
    const oldest = trx.selectFrom("app_requests").select("request_hash").orderBy("expires_at").limit(tooMany);
    await trx.deleteFrom("app_requests").where("request_hash", "in", oldest).execute();
  }
  const { requestHash, browserHash, parameters, expiresAt } = request;
  await trx
    .insertInto("app_requests")
    .values({ request_hash: requestHash, browser_hash: browserHash, parameters, expires_at: expiresAt })
    .execute();
}

/** The request of this id and browser; null if there is none, or it has expired. */
export async function findAppRequest(
  db: ReadHandle,
  { requestHash, browserHash }: RequestKey,
  now: number,
): Promise<Pick<WaitingRequest, "parameters" | "expiresAt"> | null> {
  const row = await db
    .selectFrom("app_requests")
    .select(["parameters", "expires_at as expiresAt"])
    .where("request_hash", "=", requestHash)
    .where("browser_hash", "=", browserHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ?? null;
}

/** Uses a request up: true exactly once. */
export async function deleteAppRequest(
  trx: WriteTransaction,
  { requestHash, browserHash }: RequestKey,
  now: number,
): Promise<boolean> {
  const used = trx
    .deleteFrom("app_requests")
    .where("request_hash", "=", requestHash)
    .where("browser_hash", "=", browserHash)
    .where("expires_at", ">", now);
  return (await countChanged(used)) === 1;
}

/** An authorization code by its SHA-256, with what it was given for (APP-4). */
export interface AppCode {
  readonly codeHash: Uint8Array;
  readonly userId: string;
  /** The session in which the person approved. */
  readonly sessionId: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  /** The PKCE challenge, S256. */
  readonly challenge: string;
  readonly resource: AppResource;
  readonly scopes: readonly Scope[];
  readonly workspaceIds: readonly string[];
  readonly expiresInDays: number;
  /** The `User-Agent` of the browser in which the person approved; null if unknown. */
  readonly createdByBrowser: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
}

/** Stores a code, and deletes expired ones. */
export async function insertAppCode(trx: WriteTransaction, code: AppCode, now: number): Promise<void> {
  await trx.deleteFrom("app_codes").where("expires_at", "<=", now).where(isSettled("user_id")).execute();
  await trx
    .insertInto("app_codes")
    .values({
      code_hash: code.codeHash,
      user_id: code.userId,
      session_id: code.sessionId,
      client_id: code.clientId,
      client_name: code.clientName,
      redirect_uri: code.redirectUri,
      challenge: code.challenge,
      resource: code.resource,
      scopes: JSON.stringify(code.scopes),
      workspace_ids: JSON.stringify(code.workspaceIds),
      expires_in_days: code.expiresInDays,
      created_by_browser: code.createdByBrowser,
      expires_at: code.expiresAt,
    })
    .execute();
}

/** Deletes a code and returns it; null if it was used already, never existed, or has been deleted. It may have expired. */
export async function takeAppCode(trx: WriteTransaction, codeHash: Uint8Array): Promise<AppCode | null> {
  const row = await trx
    .deleteFrom("app_codes")
    .where("code_hash", "=", codeHash)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : codeOf(row);
}

/** Counts the codes of a user that can be redeemed: each holds a place among the user's tokens. */
export function countLiveCodes(db: ReadHandle, userId: string, now: number): Promise<number> {
  return countRows(db.selectFrom("app_codes").where("user_id", "=", userId).where("expires_at", ">", now));
}

/** Removes a workspace from all codes of a user, and deletes codes left without any (GRAPH-15). */
export async function removeWorkspaceFromCodes(
  trx: WriteTransaction,
  userId: string,
  workspaceId: string,
): Promise<void> {
  const rows = await trx.selectFrom("app_codes").selectAll().where("user_id", "=", userId).execute();
  for (const { codeHash, workspaceIds } of rows.map(codeOf)) {
    const left = workspaceIds.filter((id) => id !== workspaceId);
    if (left.length === workspaceIds.length) continue;
    if (left.length === 0) {
      await trx.deleteFrom("app_codes").where("code_hash", "=", codeHash).execute();
      continue;
    }
    await trx
      .updateTable("app_codes")
      .set({ workspace_ids: JSON.stringify(left) })
      .where("code_hash", "=", codeHash)
      .execute();
  }
}

function codeOf(row: Selectable<Tables["app_codes"]>): AppCode {
  return {
    codeHash: row.code_hash,
    userId: row.user_id,
    sessionId: row.session_id,
    clientId: row.client_id,
    clientName: row.client_name,
    redirectUri: row.redirect_uri,
    challenge: row.challenge,
    resource: row.resource,
    // `insertAppCode` wrote both.
    scopes: JSON.parse(row.scopes) as Scope[],
    workspaceIds: JSON.parse(row.workspace_ids) as string[],
    expiresInDays: row.expires_in_days,
    createdByBrowser: row.created_by_browser,
    expiresAt: row.expires_at,
  };
}

/** A client's document as it was last read well (APP-3). */
export interface StoredDocument {
  /** JSON. */
  readonly document: string;
  /** Milliseconds since the Unix epoch. */
  readonly fetchedAt: number;
}

export async function findClientDocument(db: ReadHandle, clientId: string): Promise<StoredDocument | null> {
  const row = await db
    .selectFrom("client_documents")
    .select(["document", "fetched_at as fetchedAt"])
    .where("client_id", "=", clientId)
    .executeTakeFirst();
  return row ?? null;
}

/** Stores a client's document in place of an earlier one, and keeps the latest `maxDocuments` of all clients. */
export async function saveClientDocument(
  trx: WriteTransaction,
  clientId: string,
  { document, fetchedAt }: StoredDocument,
  maxDocuments: number,
): Promise<void> {
  await trx
    .insertInto("client_documents")
    .values({ client_id: clientId, document, fetched_at: fetchedAt })
    .onConflict((conflict) => conflict.column("client_id").doUpdateSet({ document, fetched_at: fetchedAt }))
    .execute();
  const oldest = await trx
    .selectFrom("client_documents")
    .select("fetched_at")
    .orderBy("fetched_at", "desc")
    .offset(maxDocuments)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await trx.deleteFrom("client_documents").where("fetched_at", "<=", oldest.fetched_at).execute();
}

/** Whether the person who approved a code, or the token that it gave, is being moved; null if there is neither. */
export async function ownerOfAppCode(
  db: ReadHandle,
  codeHash: Uint8Array,
): Promise<{ readonly isMoving: boolean } | null> {
  for (const table of ["app_codes", "service_tokens"] as const) {
    const owner = await db
      .selectFrom(table)
      .innerJoin("users", "users.id", `${table}.user_id`)
      .select("moving")
      .where(`${table}.code_hash`, "=", codeHash)
      .executeTakeFirst();
    if (owner !== undefined) return { isMoving: owner.moving !== null };
  }
  return null;
}
