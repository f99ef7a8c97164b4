import type { Connection } from "../model/connection.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { findConnection, sealedGrant, setSyncProgress } from "../store/connections.ts";
import type { Database, Db } from "../store/database.ts";
import { nextRun } from "../store/graph-pages.ts";

/** What a run needs to know before it asks the provider anything. */
export interface Plan {
  /** The number of the run. */
  readonly number: number;
  readonly accessToken: string;
  /** Pages edited at or after this time are read again, in milliseconds since the Unix epoch. */
  readonly rereadFrom: number;
}

/** The provider rounds the time of an edit down to the minute: an edit may hide behind an earlier one. */
const overlap = 2 * 60_000;

/**
 * Begins a run, or begins anew one that was interrupted; null where the connection is gone or its grant was
 * withdrawn, so that there is nothing to read.
 */
export async function planRun(
  database: Database,
  secrets: Secrets,
  connectionId: number,
  now: number,
): Promise<Plan | null> {
  return database.transaction(async (trx) => {
    const connection = await findConnection(trx, connectionId);
    if (connection?.status !== "active") return null;
    const accessToken = await openAccessToken(trx, secrets, connectionId);
    if (accessToken === null) return null;
    await setSyncProgress(trx, connectionId, {
      state: "running",
      phase: "titles",
      done: 0,
      total: null,
      startedAt: isInterrupted(connection) ? (connection.sync.startedAt ?? now) : now,
      finishedAt: null,
      error: null,
    });
    return { number: await nextRun(trx, connectionId), accessToken, rereadFrom: rereadFrom(connection, now) };
  });
}

/**
 * A sync that goes on reads nothing twice (SYNC-6): the time at which it first began stays, and the next sync looks
 * back to before that.
 */
function rereadFrom(connection: Connection, now: number): number {
  return isInterrupted(connection) ? Number.POSITIVE_INFINITY : (connection.sync.startedAt ?? now) - overlap;
}

function isInterrupted({ sync }: Connection): boolean {
  return sync.state === "running" || sync.state === "waiting";
}

/** The connection's access token as it is now; null where the connection is gone. */
export async function openAccessToken(
  db: Db,
  secrets: Secrets,
  connectionId: number,
): Promise<string | null> {
  const grant = await sealedGrant(db, connectionId);
  if (grant === null) return null;
  const token = secrets.open(grant.accessToken, `grant:${grant.userId}:${grant.workspaceId}`);
  return Buffer.from(token).toString();
}
