import type { Selectable } from "kysely";
import type { Connection, SyncProgress } from "../model/connection.ts";
import type { Db } from "./database.ts";
import { precompiled } from "./precompiled.ts";
import type { Tables } from "./schema.ts";

/** A grant as the store keeps it, its tokens sealed. */
export interface SealedGrant {
  readonly userId: string;
  readonly workspaceId: string;
  readonly accessToken: Uint8Array;
  readonly refreshToken: Uint8Array | null;
}

/** A new or renewed grant to a workspace. */
export interface GrantedWorkspace extends SealedGrant {
  readonly name: string | null;
  readonly icon: string | null;
  readonly botId: string;
}

/**
 * Creates the user's connection to a workspace, or replaces its grant where there is one (SIGN-5): it is active
 * again and waits for a sync. The graph and `lastSyncedAt` of before stay.
 */
export async function upsertConnection(db: Db, grant: GrantedWorkspace, now: number): Promise<Connection> {
  const latest = {
    name: grant.name,
    icon: grant.icon,
    bot_id: grant.botId,
    access_token: grant.accessToken,
    refresh_token: grant.refreshToken,
    status: "active",
    connected_at: now,
    sync_state: "queued",
    sync_phase: null,
    sync_done: 0,
    sync_total: null,
    sync_error: null,
  } as const;
  const row = await db
    .insertInto("connections")
    .values({ user_id: grant.userId, workspace_id: grant.workspaceId, ...latest })
    .onConflict((conflict) => conflict.columns(["user_id", "workspace_id"]).doUpdateSet(latest))
    .returning(connectionColumns)
    .executeTakeFirstOrThrow();
  return connectionOf(row);
}

const connectionColumns = [
  "id",
  "user_id",
  "workspace_id",
  "name",
  "icon",
  "status",
  "last_synced_at",
  "published_revision",
  "sync_state",
  "sync_phase",
  "sync_done",
  "sync_total",
  "sync_started_at",
  "sync_finished_at",
  "sync_error",
] as const;

const ofUser = precompiled((db, userId: string) =>
  db.selectFrom("connections").select(connectionColumns).where("user_id", "=", userId).orderBy("id"),
);

/** The user's connections, oldest first. Part of every request, so precompiled. */
export async function connectionsOf(db: Db, userId: string): Promise<Connection[]> {
  return (await ofUser(db, userId)).map(connectionOf);
}

/** The connection, or null where there is none (any more). */
export async function findConnection(db: Db, connectionId: number): Promise<Connection | null> {
  const row = await db
    .selectFrom("connections")
    .select(connectionColumns)
    .where("id", "=", connectionId)
    .executeTakeFirst();
  return row === undefined ? null : connectionOf(row);
}

/** The grant of a connection, still sealed; null where the connection is gone. */
export async function sealedGrant(db: Db, connectionId: number): Promise<SealedGrant | null> {
  const row = await db
    .selectFrom("connections")
    .select(["user_id", "workspace_id", "access_token", "refresh_token"])
    .where("id", "=", connectionId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    userId: row.user_id,
    workspaceId: row.workspace_id,
    accessToken: new Uint8Array(row.access_token),
    refreshToken: row.refresh_token === null ? null : new Uint8Array(row.refresh_token),
  };
}

/** Writes down where a sync stands; what `progress` leaves out stays as it is. */
export async function setSyncProgress(
  db: Db,
  connectionId: number,
  progress: Partial<SyncProgress>,
): Promise<void> {
  if (Object.keys(progress).length === 0) return;
  await db
    .updateTable("connections")
    .set({
      sync_state: progress.state,
      sync_phase: progress.phase,
      sync_done: progress.done,
      sync_total: progress.total,
      sync_started_at: progress.startedAt,
      sync_finished_at: progress.finishedAt,
      sync_error: progress.error,
    })
    .where("id", "=", connectionId)
    .execute();
}

/** A sync has completed: the connection rests, and its graph is as of `now`. */
export async function finishSync(db: Db, connectionId: number, now: number): Promise<void> {
  await db
    .updateTable("connections")
    .set({
      sync_state: "idle",
      sync_phase: null,
      sync_error: null,
      sync_finished_at: now,
      last_synced_at: now,
    })
    .where("id", "=", connectionId)
    .execute();
}

/** Connections whose sync waits or was under way: what a restart takes up again. */
export async function connectionsToSync(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom("connections")
    .select("id")
    .where("sync_state", "in", ["queued", "running", "waiting"])
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Active connections whose last sync ended before this time, or that never had one, and that have none now. */
export async function connectionsDue(db: Db, endedBefore: number): Promise<number[]> {
  const rows = await db
    .selectFrom("connections")
    .select("id")
    .where("status", "=", "active")
    .where("sync_state", "in", ["idle", "failed"])
    .where((where) =>
      where.or([where("sync_finished_at", "is", null), where("sync_finished_at", "<=", endedBefore)]),
    )
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** The grant was withdrawn: only signing in again makes the connection active (SYNC-8). */
export async function setNeedsReauth(db: Db, connectionId: number): Promise<void> {
  await db
    .updateTable("connections")
    .set({ status: "needs_reauth" })
    .where("id", "=", connectionId)
    .execute();
}

/** Makes the graph as it is now the one that readers are served; returns its revision. Throws where the connection is gone. */
export async function publishRevision(db: Db, connectionId: number): Promise<number> {
  const { published_revision } = await db
    .updateTable("connections")
    .set(({ ref }) => ({ published_revision: ref("revision") }))
    .where("id", "=", connectionId)
    .returning("published_revision")
    .executeTakeFirstOrThrow(() => new Error(`Connection ${connectionId} is gone`));
  return published_revision;
}

function connectionOf(
  row: Pick<Selectable<Tables["connections"]>, (typeof connectionColumns)[number]>,
): Connection {
  return {
    id: row.id,
    userId: row.user_id,
    workspaceId: row.workspace_id,
    name: row.name,
    icon: row.icon,
    status: row.status,
    lastSyncedAt: row.last_synced_at,
    publishedRevision: row.published_revision,
    sync: {
      state: row.sync_state,
      phase: row.sync_phase,
      done: row.sync_done,
      total: row.sync_total,
      startedAt: row.sync_started_at,
      finishedAt: row.sync_finished_at,
      error: row.sync_error,
    },
  };
}
