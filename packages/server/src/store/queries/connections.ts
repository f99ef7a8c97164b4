import { expressionBuilder, sql } from "kysely";
import { type AllowList, allowsWorkspace } from "../../model/allow-list.ts";
import type { Connection, SyncProgress } from "../../model/connection.ts";
import type { ReadHandle, RecordTransaction, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";
import { isSettled } from "./moving.ts";
import { precompiled, precompiledLists } from "./precompiled.ts";
import { isLive, liveConnections, type Owned } from "./removed-connections.ts";
import { batches, updateConnection } from "./statements.ts";

/** A grant with its tokens sealed. */
export interface SealedGrant {
  readonly userId: string;
  readonly workspaceId: string;
  readonly accessToken: Uint8Array;
  readonly refreshToken: Uint8Array | null;
}

/** A new or renewed grant to a workspace. */
interface GrantedWorkspace extends SealedGrant, Pick<Connection, "provider"> {
  /** Left out if the user gave the grant. */
  readonly grantedEmail?: Connection["grantedEmail"];
  readonly name: string | null;
  readonly icon: string | null;
  readonly grantId: string;
}

/** Creates a connection, or replaces its grant (SIGN-5): it is active and waits for a sync. An earlier graph stays. */
export async function upsertConnection(
  trx: WriteTransaction,
  grant: GrantedWorkspace,
  now: number,
): Promise<Connection> {
  const latest = {
    provider: grant.provider,
    granted_email: grant.grantedEmail ?? null,
    name: grant.name,
    icon: grant.icon,
    bot_id: grant.grantId,
    access_token: grant.accessToken,
    refresh_token: grant.refreshToken,
    status: "active",
    withdrawn_at: null,
    connected_at: now,
    sync_state: "queued",
    sync_phase: null,
    sync_done: 0,
    sync_total: null,
    sync_error: null,
    sync_waiting_until: null,
  } as const;
  const row = await trx
    .insertInto("connections")
    .values({ user_id: grant.userId, workspace_id: grant.workspaceId, ...latest })
    .onConflict((conflict) => conflict.columns(["user_id", "workspace_id"]).doUpdateSet(latest))
    .returning(connectionColumns)
    .$narrowType<Owned>()
    .executeTakeFirstOrThrow();
  return connectionOf(row);
}

/** The columns of a connection that are read. */
export const connectionColumns = [
  "connections.id",
  "connections.user_id as userId",
  "connections.provider",
  "connections.granted_email as grantedEmail",
  "connections.workspace_id as workspaceId",
  "connections.name",
  "connections.icon",
  "connections.status",
  "connections.withdrawn_at as withdrawnAt",
  "connections.last_synced_at as lastSyncedAt",
  "connections.complete_as_of as completeAsOf",
  "connections.edits_as_of as editsAsOf",
  "connections.swept_at as sweptAt",
  "connections.published_revision as publishedRevision",
  "connections.tags as hasTags",
  "connections.sync_state as state",
  "connections.sync_phase as phase",
  "connections.sync_done as done",
  "connections.sync_total as total",
  "connections.sync_started_at as startedAt",
  "connections.sync_finished_at as finishedAt",
  "connections.sync_error as error",
  "connections.sync_outcome as outcome",
  "connections.sync_waiting_until as waitingUntil",
] as const;

const ofUser = precompiled((db, userId: string) =>
  db
    .selectFrom("connections")
    .select(connectionColumns)
    .$narrowType<Owned>()
    .where("user_id", "=", userId)
    .orderBy("id"),
);

/** The user's connections, oldest first. */
export async function connectionsOf(db: ReadHandle, userId: string): Promise<Connection[]> {
  return (await ofUser(db, userId)).map(connectionOf);
}

export async function findConnection(db: ReadHandle, connectionId: number): Promise<Connection | null> {
  const row = await liveConnections(db)
    .select(connectionColumns)
    .$narrowType<Owned>()
    .where("id", "=", connectionId)
    .executeTakeFirst();
  return row === undefined ? null : connectionOf(row);
}

export async function connectionIds(db: ReadHandle): Promise<number[]> {
  const rows = await liveConnections(db).select("id").orderBy("id").execute();
  return rows.map(({ id }) => id);
}

/** The graph that was last published of a connection. */
interface Publication {
  readonly id: number;
  readonly revision: number;
  /** Milliseconds since the Unix epoch; null if that is not known. */
  readonly publishedAt: number | null;
}

/** The publications of all connections, or of those that were published after a time. */
export function publicationsSince(db: ReadHandle, after: number | null): Promise<Publication[]> {
  return liveConnections(db)
    .select(["id", "published_revision as revision", "published_at as publishedAt"])
    .$if(after !== null, (all) => all.where("published_at", ">", after))
    .execute();
}

const liveAmong = precompiledLists((db, ids: readonly number[]) =>
  liveConnections(db).select("id").where("id", "in", ids),
);

/** Those of these connections that are there. */
export async function liveIds(db: ReadHandle, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (const some of batches(ids, 1000)) for (const { id } of await liveAmong(db, some)) found.add(id);
  return found;
}

/** Null if the connection is gone, or if its grant was given up with a lost key. */
export async function sealedGrant(db: ReadHandle, connectionId: number): Promise<SealedGrant | null> {
  const grant = await liveConnections(db)
    .select(grantColumns)
    .$narrowType<Owned>()
    .where("id", "=", connectionId)
    .executeTakeFirst();
  return grant === undefined || isGivenUp(grant) ? null : grant;
}

/** Whether a grant was given up with a lost key: it has no tokens. */
export const isGivenUp = ({ accessToken }: Pick<SealedGrant, "accessToken">): boolean =>
  accessToken.length === 0;

/** The grants of connections with an id above `after`, in order. */
export function sealedGrantsAfter(
  db: ReadHandle,
  after: number,
  limit: number,
): Promise<(SealedGrant & { readonly id: number })[]> {
  return liveConnections(db)
    .select(["id", ...grantColumns])
    .$narrowType<Owned>()
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}

const grantColumns = [
  "user_id as userId",
  "workspace_id as workspaceId",
  "access_token as accessToken",
  "refresh_token as refreshToken",
] as const;

/** Replaces the tokens of a grant; nothing else changes. */
export async function replaceSealedTokens(
  trx: WriteTransaction,
  connectionId: number,
  { accessToken, refreshToken }: Pick<SealedGrant, "accessToken" | "refreshToken">,
): Promise<void> {
  await updateConnection(trx, connectionId)
    .set({ access_token: accessToken, refresh_token: refreshToken })
    .execute();
}

const bytesOf = precompiled((db, connectionId: number) =>
  db.selectFrom("connections").select("stored_bytes").where("id", "=", connectionId),
);

/** The number of bytes that the connection stores; 0 if it is gone. */
export async function storedBytesOf(db: ReadHandle, connectionId: number): Promise<number> {
  const [row] = await bytesOf(db, connectionId);
  return row?.stored_bytes ?? 0;
}

/** Updates the progress of a sync; what is left out stays. */
export async function setSyncProgress(
  trx: WriteTransaction,
  connectionId: number,
  progress: Partial<SyncProgress>,
): Promise<void> {
  if (Object.keys(progress).length === 0) return;
  await updateConnection(trx, connectionId)
    .set({
      sync_state: progress.state,
      sync_phase: progress.phase,
      sync_done: progress.done,
      sync_total: progress.total,
      sync_started_at: progress.startedAt,
      sync_finished_at: progress.finishedAt,
      sync_error: progress.error,
      sync_outcome: progress.outcome,
      sync_waiting_until: progress.waitingUntil,
    })
    .execute();
}

/** Ends a sync: the connection is idle. The graph of a complete sync has what was listed from `startedAt` on. */
export async function finishSync(
  trx: WriteTransaction,
  connectionId: number,
  { startedAt, now, isComplete }: { startedAt: number; now: number; isComplete: boolean },
): Promise<void> {
  await updateConnection(trx, connectionId)
    .set({
      sync_state: "idle",
      sync_phase: null,
      sync_error: null,
      sync_waiting_until: null,
      sync_finished_at: now,
      sync_outcome: isComplete ? "complete" : "incomplete",
      last_synced_at: now,
      complete_as_of: isComplete ? startedAt : undefined,
    })
    .execute();
}

/**
 * Ends a reading of edits: the connection is as the last whole sync left it. `startedAt` is when the reading began to list;
 * null if it missed something.
 */
export async function finishEdits(
  trx: WriteTransaction,
  connectionId: number,
  startedAt: number | null,
): Promise<void> {
  await updateConnection(trx, connectionId)
    .set(({ eb, ref, val }) => ({
      sync_state: eb
        .case()
        .when("sync_outcome", "=", "failed")
        .then(val<SyncProgress["state"]>("failed"))
        .else(val<SyncProgress["state"]>("idle"))
        .end(),
      sync_phase: null,
      sync_waiting_until: null,
      edits_as_of: startedAt ?? ref("edits_as_of"),
    }))
    .execute();
}

/** Sets whether the tags of a connection are nodes. The next sync makes its graph agree. */
export async function setTags(trx: WriteTransaction, connectionId: number, tags: boolean): Promise<void> {
  await updateConnection(trx, connectionId)
    .set({ tags: tags ? 1 : 0 })
    .execute();
}

/** Sets when a sync last read what the provider's search does not list; null makes the next one do it. */
export async function setSwept(
  trx: WriteTransaction,
  connectionId: number,
  sweptAt: number | null,
): Promise<void> {
  await updateConnection(trx, connectionId).set({ swept_at: sweptAt }).execute();
}

/**
 * The e-mail address of the person who gave the grant of each connection in `connections`. Not a join, which SQLite would begin with
 * the users.
 */
const grantedByEmail = () => {
  const { fn, selectFrom } = expressionBuilder<Tables, "connections">();
  const owner = selectFrom("users").select("email").whereRef("users.id", "=", "connections.user_id");
  return fn.coalesce("connections.granted_email", owner);
};

/** Active connections to served sources without a sync now, and whose last one ended by `endedBefore` if there was one. */
export async function connectionsDue(
  db: ReadHandle,
  { allowed, endedBefore }: { allowed: AllowList; endedBefore: number },
): Promise<number[]> {
  const endedAt = sql<number>`coalesce(sync_finished_at, 0)`;
  const rows = await db
    .selectFrom("connections")
    .select(["id", "provider", "workspace_id as workspaceId", grantedByEmail().as("email")])
    // The conditions of the index, without parameters, so that each plan can use it.
    .where(sql<boolean>`status = 'active' and sync_state in ('idle', 'failed')`)
    .where(endedAt, "<=", endedBefore)
    .where(isSettled("user_id"))
    .orderBy(endedAt)
    .orderBy("id")
    .execute();
  return rows.filter((row) => allowsWorkspace(allowed, row)).map(({ id }) => id);
}

/** A connection that may need the operator's attention. */
interface StaleConnection {
  /** The slug of its source. */
  readonly provider: string;
  readonly workspaceId: string;
  readonly email: string | null;
  readonly connectedAt: number;
  /** null if it was never synced. */
  readonly lastSyncedAt: number | null;
}

/** Active connections that were never synced, or last by `endedBefore` if it is given. */
export function staleConnections(
  db: ReadHandle,
  { endedBefore }: { readonly endedBefore: number | null },
): Promise<StaleConnection[]> {
  return activeConnections(db)
    .select(["connected_at as connectedAt", "last_synced_at as lastSyncedAt"])
    .where((where) =>
      where.or([
        where("last_synced_at", "is", null),
        ...(endedBefore === null ? [] : [where("last_synced_at", "<", endedBefore)]),
      ]),
    )
    .execute();
}

/** Active connections to a workspace of a source, of the users who may use it, oldest first. */
export async function connectionsOfWorkspace(
  db: ReadHandle,
  { provider, workspaceId, allowed }: { provider: string; workspaceId: string; allowed: AllowList },
): Promise<number[]> {
  const rows = await activeConnections(db)
    .where("connections.provider", "=", provider)
    .where("workspace_id", "=", workspaceId)
    .execute();
  return rows.filter((row) => allowsWorkspace(allowed, row)).map(({ id }) => id);
}

/** The active connections, oldest first, with what an allow list decides by. */
function activeConnections(db: ReadHandle) {
  return db
    .selectFrom("connections")
    .innerJoin("users", "users.id", "connections.user_id")
    .select(["connections.id", "connections.provider", "connections.workspace_id as workspaceId"])
    .select(grantedByEmail().as("email"))
    .where("status", "=", "active")
    .orderBy("connections.id");
}

/** Marks a grant as withdrawn: only a new sign-in makes the connection active again (SYNC-8). The first time stays. */
export async function setNeedsReauth(
  trx: WriteTransaction,
  connectionId: number,
  now: number,
): Promise<void> {
  await updateConnection(trx, connectionId)
    .set(({ fn, val }) => ({ status: "needs_reauth", withdrawn_at: fn.coalesce("withdrawn_at", val(now)) }))
    .execute();
}

/** Connections whose grant was withdrawn by this time. */
export async function withdrawnConnections(db: ReadHandle, withdrawnBy: number): Promise<Connection[]> {
  const rows = await liveConnections(db)
    .select(connectionColumns)
    .$narrowType<Owned>()
    .where("withdrawn_at", "<=", withdrawnBy)
    .where(isSettled("user_id"))
    .orderBy("withdrawn_at")
    .orderBy("id")
    .execute();
  return rows.map(connectionOf);
}

/** Publishes the stored graph; returns its revision. Throws if the connection is gone. */
export async function publishRevision(
  trx: RecordTransaction,
  connectionId: number,
  now: number,
): Promise<number> {
  const { published_revision } = await updateConnection(trx, connectionId)
    .set(({ ref }) => ({ published_revision: ref("revision"), published_at: now }))
    .where(isLive)
    .returning("published_revision")
    .executeTakeFirstOrThrow(() => new Error(`Connection ${connectionId} is gone`));
  return published_revision;
}

/** The connection of a row with `connectionColumns`. */
export function connectionOf({
  hasTags,
  ...row
}: Omit<Connection, "sync" | "tags"> & SyncProgress & { readonly hasTags: number }): Connection {
  const { state, phase, done, total, startedAt, finishedAt, error, outcome, waitingUntil, ...connection } =
    row;
  const sync = { state, phase, done, total, startedAt, finishedAt, error, outcome, waitingUntil };
  return { ...connection, tags: hasTags === 1, sync };
}
