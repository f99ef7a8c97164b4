import { type AuditEvent, type FieldError, type TokenCreation, tokenLimits } from "@clew/contract";
import { hasVisibleCharacter, invisibleCharacters } from "@clew/contract/hidden-characters";
import { ApiError } from "../model/api-error.ts";
import type { AuditedEvent } from "../model/audit.ts";
import type { Actor } from "../model/caller.ts";
import type { Clock, RandomBytes } from "../model/runtime.ts";
import { type ServiceToken, statusOf } from "../model/service-token.ts";
import type { Database, ReadHandle, WriteTransaction } from "../store/port.ts";
import { countLiveCodes } from "../store/queries/apps.ts";
import { insertAudit } from "../store/queries/audit.ts";
import { connectionsOf } from "../store/queries/connections.ts";
import {
  countUsableTokens,
  findServiceToken,
  insertServiceToken,
  type NewServiceToken,
  setTokenRevoked,
  setTokenRevokedAfterOverlap,
} from "../store/queries/service-tokens.ts";
import { credentialHash, drawCredential, type OwnsCredential } from "./draw-credential.ts";
import { withLiveSession } from "./live-sessions.ts";

interface TokenServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Left out if there is one bucket alone. */
  readonly owns?: OwnsCredential | undefined;
}

/** A new token with its raw value, which is not stored. */
export interface IssuedServiceToken {
  readonly token: ServiceToken;
  readonly raw: string;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Creates a service token for a user (TOK-1 to TOK-6). `body` is the unvalidated body of the request, and `shapeErrors`
 * the errors that its schema found. Throws `ApiError` `invalid_request` with all errors of the body, or
 * `token_limit_reached`.
 */
export async function createServiceToken(
  { database, clock, random, owns }: TokenServices,
  actor: Actor,
  { body, shapeErrors }: { readonly body: TokenCreation; readonly shapeErrors: readonly FieldError[] },
): Promise<IssuedServiceToken> {
  return withLiveSession(database, actor, clock).transaction(async (trx) => {
    const { userId } = actor;
    const errors = [...shapeErrors, ...valueErrors(body, await connectedWorkspaces(trx, userId))];
    if (errors.length > 0) throw new ApiError("invalid_request", "No token was created.", { errors });
    const wanted = {
      userId,
      name: trimName(body.name),
      scopes: [...new Set(body.scopes)],
      workspaceIds: [...new Set(body.workspace_ids)],
      expiresInDays: body.expires_in_days ?? null,
      createdByBrowser: actor.userAgent,
    };
    const now = clock();
    const issued = await issue(trx, wanted, { now, random, owns, hint: "Revoke one first." });
    await insertAudit(trx, [auditEvent(actor, "token_created", issued.token, now)]);
    return issued;
  });
}

/**
 * Replaces one of the user's tokens with a new one of the same name, scopes, workspaces and lifetime. The old one ends
 * after the overlap and counts towards the limit until then (TOK-9). Throws `ApiError`: `not_found`; `conflict` if the old
 * token has ended or one of its workspaces is no longer connected; `token_limit_reached`.
 */
export async function rotateServiceToken(
  { database, clock, random, owns }: TokenServices,
  actor: Actor,
  { id, overlapHours }: { readonly id: string; readonly overlapHours: number },
): Promise<IssuedServiceToken> {
  return withLiveSession(database, actor, clock).transaction(async (trx) => {
    const now = clock();
    const old = await requireOwnToken(trx, actor.userId, id);
    const obstacle = rotationObstacle(old, now, await connectedWorkspaces(trx, actor.userId));
    if (obstacle !== null) throw new ApiError("conflict", `${obstacle} Nothing was changed.`);
    if (overlapHours === 0) await setTokenRevoked(trx, old.id, now);
    else await setTokenRevokedAfterOverlap(trx, old.id, now + overlapHours * hourMs);
    const hint = "Revoke one first, or rotate without an overlap.";
    const { userId, name, scopes, workspaceIds, expiresInDays } = old;
    const createdByBrowser = actor.userAgent;
    const wanted = { userId, name, scopes, workspaceIds, expiresInDays, createdByBrowser };
    const issued = await issue(trx, wanted, { now, random, owns, hint });
    const event = auditEvent(actor, "token_rotated", old, now);
    await insertAudit(trx, [{ ...event, successorId: issued.token.id }]);
    return issued;
  });
}

/**
 * Revokes one of the user's tokens permanently. Every request that starts after this resolves is refused, on every
 * instance. Revoking it again changes nothing (TOK-8). Throws `ApiError` `not_found`.
 */
export async function revokeServiceToken(
  { database, clock }: Pick<TokenServices, "database" | "clock">,
  actor: Actor,
  id: string,
): Promise<void> {
  await withLiveSession(database, actor, clock).transaction(async (trx) => {
    const token = await requireOwnToken(trx, actor.userId, id);
    await revoke(trx, token, auditEvent(actor, "token_revoked", token, clock()));
  });
}

/** Revokes any user's token for the operator. Returns it; null if there is no token of this id. */
export async function revokeAnyServiceToken(
  { database, clock }: Pick<TokenServices, "database" | "clock">,
  id: string,
): Promise<ServiceToken | null> {
  return database.transaction(async (trx) => {
    const token = await findById(trx, null, id);
    if (token === null) return null;
    const { userId } = token;
    await revoke(trx, token, { userId, at: clock(), event: "token_revoked", token, reason: "operator" });
    return token;
  });
}

/** Revokes a token and records it; does neither, and returns false, if the token is revoked already. */
export async function revoke(
  trx: WriteTransaction,
  token: ServiceToken,
  event: AuditedEvent,
): Promise<boolean> {
  if (statusOf(token, event.at) === "revoked") return false;
  await setTokenRevoked(trx, token.id, event.at);
  await insertAudit(trx, [event]);
  return true;
}

/**
 * Stores a new token. Counts and inserts in one transaction, to enforce the limit of TOK-6. `hint` tells the user
 * what to do if the limit is reached.
 */
export async function issue(
  trx: WriteTransaction,
  wanted: Omit<NewServiceToken, "hash" | "prefix" | "createdAt" | "expiresAt">,
  {
    now,
    random,
    owns,
    hint,
  }: Pick<TokenServices, "random" | "owns"> & { readonly now: number; readonly hint: string },
): Promise<IssuedServiceToken> {
  const { userId, expiresInDays } = wanted;
  await requirePlace(trx, userId, { now, hint });
  const raw = drawCredential(() => newServiceToken(random), owns);
  const token = await insertServiceToken(trx, {
    ...wanted,
    hash: hashServiceToken(raw),
    prefix: prefixOf(raw),
    createdAt: now,
    expiresAt: expiresInDays === null ? null : now + expiresInDays * dayMs,
  });
  return { token, raw };
}

/**
 * Throws `ApiError` `token_limit_reached` if a user's usable tokens and codes take all places (TOK-6, APP-4). `hint` tells the
 * user what to do then.
 */
export async function requirePlace(
  db: ReadHandle,
  userId: string,
  { now, hint }: { readonly now: number; readonly hint: string },
): Promise<void> {
  const { usablePerUser } = tokenLimits;
  if ((await countPlaces(db, userId, now)) < usablePerUser) return;
  const detail = `You have ${usablePerUser} usable service tokens, which is the limit. ${hint}`;
  throw new ApiError("token_limit_reached", detail);
}

/** Counts a user's usable tokens, and the codes for which a token is still to be given. */
export async function countPlaces(db: ReadHandle, userId: string, now: number): Promise<number> {
  return (await countUsableTokens(db, userId, now)) + (await countLiveCodes(db, userId, now));
}

/** Describes what a user did to a token, for the audit trail. */
export function auditEvent(
  { userId, sessionId, ...origin }: Actor,
  event: AuditEvent,
  token: ServiceToken,
  at: number,
): AuditedEvent {
  return { userId, at, event, sessionId, token, origin };
}

/** The ids of the workspaces that a user is connected to. */
export async function connectedWorkspaces(db: ReadHandle, userId: string): Promise<ReadonlySet<string>> {
  return new Set((await connectionsOf(db, userId)).map(({ workspaceId }) => workspaceId));
}

/** The reason why a token cannot be rotated; null if it can. */
function rotationObstacle(token: ServiceToken, now: number, connected: ReadonlySet<string>): string | null {
  const status = statusOf(token, now);
  if (status !== "active") return `The token is ${status}.`;
  if (token.revokedAt !== null) return "The token was rotated already and is in its overlap.";
  if (token.client !== null) return "The token belongs to a connected app, which has to be connected again.";
  const lost = token.workspaceIds.find((id) => !connected.has(id));
  return lost === undefined ? null : `You are no longer connected to the workspace ${lost}.`;
}

/** Throws `ApiError` `not_found`. */
export async function requireOwnToken(db: ReadHandle, userId: string, id: string): Promise<ServiceToken> {
  const token = await findById(db, userId, id);
  // The same answer for another user's token as for one that never existed.
  if (token === null) throw new ApiError("not_found", "You have no service token with this id.");
  return token;
}

/** Finds a token of the user, or of any user if `userId` is null, by its id as text. Refuses `07`, `7.0` and `+7`. */
async function findById(db: ReadHandle, userId: string | null, text: string): Promise<ServiceToken | null> {
  const id = Number(text);
  const isId = /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id);
  return isId ? findServiceToken(db, userId, id) : null;
}

/** The errors of those fields of a body that have the right shape. */
function valueErrors(body: unknown, connected: ReadonlySet<string>): FieldError[] {
  const { name, workspace_ids: ids }: Partial<Record<keyof TokenCreation, unknown>> = Object(body);
  return [
    ...(typeof name === "string" ? nameErrors(name) : []),
    ...(Array.isArray(ids) ? workspaceErrors(ids, connected) : []),
  ];
}

/** The name of a token as it is stored. */
export const trimName = (name: string): string => name.trim();

/** The errors of a token's name (TOK-3). Characters are Unicode code points. */
export function nameErrors(name: string): FieldError[] {
  const trimmed = trimName(name);
  const errors: string[] = [];
  if (!hasVisibleCharacter(trimmed)) errors.push("must not be blank");
  if ([...trimmed].length > tokenLimits.nameLength)
    errors.push(`must have up to ${tokenLimits.nameLength} characters`);
  const invisible = invisibleCharacters(trimmed);
  if (invisible.length > 0)
    errors.push(`must consist of visible characters, without ${invisible.join(", ")}`);
  if (!trimmed.isWellFormed()) errors.push("must not contain unpaired surrogates");
  return errors.map((message) => ({ path: "/name", message }));
}

/** The errors of the workspaces of a request for a token (TOK-3). Duplicates count once, at their first position. */
export function workspaceErrors(ids: readonly unknown[], connected: ReadonlySet<string>): FieldError[] {
  const distinct = new Set(ids);
  if (distinct.size > tokenLimits.workspaces) {
    return [{ path: "/workspace_ids", message: `must list up to ${tokenLimits.workspaces} workspaces` }];
  }
  return [...distinct]
    .filter((id) => typeof id === "string" && !connected.has(id))
    .map((id) => ({
      path: `/workspace_ids/${ids.indexOf(id)}`,
      message: "is not a workspace that you are connected to",
    }));
}

const tokenPrefix = "svc_";
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const randomLength = 32;
const visiblePrefixLength = 12;

/** Bytes from this value on are discarded: they would make some characters more likely than others. */
const firstUnevenByte = 256 - (256 % alphabet.length);

/** Draws a raw token: `svc_` and 32 characters, each equally likely (TOK-2), about 190 bits of randomness. */
export function newServiceToken(random: RandomBytes): string {
  let characters = "";
  while (characters.length < randomLength) {
    for (const byte of random(randomLength)) {
      if (byte < firstUnevenByte) characters += alphabet[byte % alphabet.length];
    }
  }
  return tokenPrefix + characters.slice(0, randomLength);
}

/** The start of a raw token, by which its owner recognises it (TOK-2). */
export const prefixOf = (rawToken: string): string => rawToken.slice(0, visiblePrefixLength);

/** The SHA-256 of a raw token, which is stored in its place (TOK-2). */
export const hashServiceToken = (rawToken: string): Buffer => credentialHash(rawToken);
