import { type GrantTokens, openTokens } from "../connections/grant.ts";
import type { AllowList } from "../model/allow-list.ts";
import type { Connection } from "../model/connection.ts";
import type { SyncKind } from "../model/sync-report.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { WriteTransaction } from "../store/port.ts";
import { allowedConnections } from "../store/queries/allowed-connections.ts";
import { findConnection, setSyncProgress } from "../store/queries/connections.ts";
import { nextRun } from "../store/queries/graph-pages.ts";
import { deleteJob, findJob, type Job, putJob } from "../store/queries/jobs.ts";

/** What a run needs to know before it asks the provider anything. */
export interface Plan {
  /** The number of the run. */
  readonly number: number;
  readonly kind: SyncKind;
  /** When the sync began, also where a run before this one was interrupted, in milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly tokens: GrantTokens;
}

/** Milliseconds after which also what the provider's search does not list is read again (SYNC-3). */
const sweepInterval = 24 * 60 * 60_000;

interface PlanParts {
  readonly secrets: Secrets;
  /** Who may use Clew: nobody else's workspaces are read (SIGN-10). */
  readonly allowed: AllowList;
}

/**
 * Begins a run of the connection's job; null, and the job is over, where the connection is gone, its grant was
 * withdrawn, or its owner may not use Clew, so that there is nothing to read. What kind of run it is follows from what is stored, so an interrupted one
 * is begun anew as what it was; `goesOn` says whether it is still the same sync, which reads no text twice.
 */
export async function planRun(
  trx: WriteTransaction,
  { secrets, allowed }: PlanParts,
  connectionId: number,
  { now, goesOn }: { now: number; goesOn: boolean },
): Promise<Plan | null> {
  const connection = await findConnection(trx, connectionId);
  const job = await findJob(trx, connectionId);
  if (connection !== null && !(await isAllowed(trx, allowed, connection))) {
    // Back on the list the connection is due, as any other that rests.
    await deleteJob(trx, connectionId);
    await setSyncProgress(trx, connectionId, { state: "idle", phase: null, waitingUntil: null });
    return null;
  }
  const tokens = connection?.status === "active" ? await openTokens(trx, secrets, connectionId) : null;
  if (connection === null || job === null || tokens === null) {
    await deleteJob(trx, connectionId);
    return null;
  }
  const kind = kindOf(connection, job, now);
  const startedAt = goesOn && isInterrupted(connection) ? (connection.sync.startedAt ?? now) : now;
  await setSyncProgress(trx, connectionId, {
    state: "running",
    phase: "titles",
    done: 0,
    total: null,
    startedAt,
    finishedAt: null,
    error: null,
    waitingUntil: null,
  });
  // Whoever asked until now is heard by this run.
  await putJob(trx, { ...job, full: kind !== "incremental", askedAgain: null });
  return { number: await nextRun(trx, connectionId), kind, startedAt, tokens };
}

async function isAllowed(
  trx: WriteTransaction,
  allowed: AllowList,
  { id, userId }: Connection,
): Promise<boolean> {
  const connections = await allowedConnections(trx, allowed, userId);
  return connections?.some((each) => each.id === id) ?? false;
}

function kindOf({ lastSyncedAt, sweptAt }: Connection, { full }: Job, now: number): SyncKind {
  if (lastSyncedAt === null) return "first";
  return full || sweptAt === null || sweptAt <= now - sweepInterval ? "full" : "incremental";
}

/** A sync that goes on reads nothing twice (SYNC-6): the time at which it first began stays. */
function isInterrupted({ sync }: Connection): boolean {
  return sync.state === "running" || sync.state === "waiting";
}
