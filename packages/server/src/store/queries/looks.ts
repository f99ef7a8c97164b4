import type { ContentState } from "@clew/contract";
import type { NodeId } from "@clew/graph";
import type { ReadHandle } from "../port.ts";
import type { SealedGrant } from "./connections.ts";
import { checkpointTimes, knownUntil } from "./crawl-checkpoints.ts";
import { precompiled } from "./precompiled.ts";
import { liveConnections, type Owned } from "./removed-connections.ts";
import { nodeIdOf, nodeKey, nodesOf } from "./statements.ts";

/* The queries of looks for edits (SYNC-11). They run once a minute for each connection, so they read little. */

/** A connection that some instance looks at, unless it is at rest. */
export interface SharedConnection {
  readonly id: number;
  /** The slug of its source. */
  readonly provider: string;
  readonly workspaceId: string;
  /** Of the person who gave the grant. */
  readonly email: string | null;
  /** Whether its grant was withdrawn. */
  readonly isWithdrawn: boolean;
}

/** The connections to these sources, oldest first. */
export async function connectionsToShare(
  db: ReadHandle,
  providers: readonly string[],
): Promise<SharedConnection[]> {
  const rows = await db
    .selectFrom("connections")
    .innerJoin("users", "users.id", "connections.user_id")
    .select(["connections.id", "connections.provider", "connections.workspace_id as workspaceId", "status"])
    .select(({ fn }) => fn.coalesce("connections.granted_email", "users.email").as("email"))
    .where("connections.provider", "in", providers)
    .where("users.moving", "is", null)
    .orderBy("connections.id")
    .execute();
  return rows.map(({ status, ...row }) => ({ ...row, isWithdrawn: status !== "active" }));
}

/** A connection before a look. Times are milliseconds since the Unix epoch. */
export interface LookedAt extends SealedGrant {
  /** The slug of its source. */
  readonly provider: string;
  readonly storedBytes: number;
  /** When its job may start; null if none waits or runs. */
  readonly dueAt: number | null;
  /** The worker that has its job. */
  readonly worker: string | null;
  /** The time by the provider's clock until which all edits are known; null before the first listing. */
  readonly knownUntil: number | null;
}

const lookedAt = precompiled((db, connectionId: number) =>
  liveConnections(db)
    .leftJoin("sync_jobs", "sync_jobs.connection_id", "connections.id")
    .leftJoin("crawl_checkpoints", "crawl_checkpoints.connection_id", "connections.id")
    .select([
      "provider",
      "user_id as userId",
      "workspace_id as workspaceId",
      "access_token as accessToken",
      "refresh_token as refreshToken",
      "status",
      "stored_bytes as storedBytes",
      "due_at as dueAt",
      "worker",
    ])
    .select(checkpointTimes)
    .$narrowType<Owned>()
    .where("connections.id", "=", connectionId),
);

/** The connection; null if it is gone or its grant was withdrawn. */
export async function findLookedAt(db: ReadHandle, connectionId: number): Promise<LookedAt | null> {
  const [row] = await lookedAt(db, connectionId);
  return row?.status === "active" ? { ...row, knownUntil: knownUntil(row) } : null;
}

/** A node as a look compares it with what is listed. */
export interface KnownEdit {
  readonly updatedAt: number;
  readonly contentState: ContentState;
}

/** Those of these nodes that are stored. */
export async function knownEdits(
  db: ReadHandle,
  connectionId: number,
  ids: readonly NodeId[],
): Promise<ReadonlyMap<NodeId, KnownEdit>> {
  if (ids.length === 0) return new Map();
  const rows = await nodesOf(db, connectionId)
    .select(["id", "updated_at", "content_state"])
    .where("id", "in", ids.map(nodeKey))
    .execute();
  return new Map(
    rows.map((row) => [
      nodeIdOf(row.id),
      {
        updatedAt: row.updated_at,
        contentState: row.content_state,
      },
    ]),
  );
}
