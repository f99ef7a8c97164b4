import type { NamedObject } from "@clew/provider";
import { isUnderWay } from "../model/connection.ts";
import type { Clock } from "../model/runtime.ts";
import type { Database, WriteTransaction } from "../store/port.ts";
import { findConnection, setSyncProgress } from "../store/queries/connections.ts";
import { type Extent, findJob, includes, type Job, putJob, type Wish } from "../store/queries/jobs.ts";

/**
 * Jobs of a lower number run first: people wait for theirs, and a watch, a webhook or a look has noticed a change. A watch has a
 * number of its own, because what it noticed does not wait for more, as what a webhook noticed does.
 */
export const priorities = { "sign-in": 0, person: 0, watch: 1, webhook: 2, look: 2, schedule: 3 } as const;

/** A request for a sync. */
export interface SyncRequest {
  /** The origin of the request; a person by default. */
  readonly by?: keyof typeof priorities;
  /** Whether pages that the provider's search does not list are read again too. */
  readonly full?: boolean;
  /** Reads no more than the latest edits, or than these. */
  readonly only?: "edits" | readonly NamedObject[];
}

/** The syncs of an installation, whichever process or thread runs them. */
export interface Syncs {
  /**
   * Requests a sync of a connection, or joins the one that waits or runs. Resolves once the request is stored.
   *
   * @example
   * await syncs.request(connectionId, { by: "webhook" });
   */
  request(connectionId: number, request?: SyncRequest): Promise<void>;
  /**
   * Ends the sync of a connection that is removed; resolves once this process writes nothing of it any more. Another process
   * writes nothing of it either, since the job is gone.
   */
  abandon(connectionId: number): Promise<void>;
}

/** The syncs of an installation, for a process that runs none: others find the requests in the database. */
export function storedSyncs({ database, clock }: { database: Database; clock: Clock }): Syncs {
  return {
    request: (connectionId, request = {}) =>
      database.transaction((trx) => requestJob(trx, connectionId, request, clock())),
    abandon: async () => {},
  };
}

/** From a webhook to what it starts: webhooks come in bursts, and what they name is read together. */
export const webhookDelayMs = 10_000;

/** The most that a job reads by name: for more, it lists all, which costs less. */
const maxNamed = 100;

/**
 * Requests a sync of a connection (SYNC-9). If one is waiting, the request joins it and brings it forward. If one is
 * under way, another one follows it if it may miss what was requested, however many requests there are. Does nothing for
 * a connection whose grant was withdrawn.
 */
export async function requestJob(
  trx: WriteTransaction,
  connectionId: number,
  request: SyncRequest,
  now: number,
): Promise<void> {
  const connection = await findConnection(trx, connectionId);
  if (connection?.status !== "active") return;
  const job = await findJob(trx, connectionId);
  if (job !== null && (job.worker !== null || isUnderWay(connection)))
    return putJob(trx, followed(job, request));
  const dueAt = request.by === "webhook" ? now + webhookDelayMs : now;
  const wanted = { ...idleJob, ...wishOf(request), connectionId, dueAt };
  const next = job === null ? wanted : { ...job, ...united(job, wanted), dueAt: Math.min(job.dueAt, dueAt) };
  await putJob(trx, next);
  // A job for later leaves the connection idle until then. An interrupted sync keeps its state.
  const isIdle = ["idle", "failed"].includes(connection.sync.state);
  if (isIdle && next.dueAt <= now)
    await setSyncProgress(trx, connectionId, { state: "queued", phase: null, done: 0, total: null });
}

/** The state of a job that no worker has: nothing was tried, and nothing follows it. */
export const idleJob = {
  attempts: 0,
  followUp: null,
  worker: null,
  leasedUntil: null,
} as const satisfies Partial<Job>;

function wishOf({ by = "person", full = false, only }: SyncRequest): Wish {
  const priority = priorities[by];
  if (only === undefined) return { priority, extent: full ? "full" : "whole", named: [] };
  return only === "edits"
    ? { priority, extent: "edits", named: [] }
    : { priority, extent: "named", named: only };
}

/** Unites two requests: the higher priority, the wider extent, and all that either names. */
export function united(one: Wish, other: Wish): Wish {
  const priority = Math.min(one.priority, other.priority);
  const extent: Extent = includes(one.extent, other.extent) ? one.extent : other.extent;
  const named = [...new Map([...one.named, ...other.named].map((object) => [object.id, object])).values()];
  if (named.length <= maxNamed) return { priority, extent, named };
  return { priority, extent: includes(extent, "whole") ? extent : "whole", named: [] };
}

/** A job that is under way, after another request. */
function followed(job: Job, request: SyncRequest): Job {
  const wish = wishOf(request);
  const priority = Math.min(job.priority, wish.priority);
  // The schedule wants any whole sync. All others know of changes that the listing under way may have passed.
  const isMissed = request.by !== "schedule" || !includes(job.extent, wish.extent);
  if (!isMissed) return { ...job, priority };
  return { ...job, priority, followUp: job.followUp === null ? wish : united(job.followUp, wish) };
}
