import type { Provider } from "@clew/provider";
import { openTokens } from "../../connections/grant.ts";
import { united } from "../../connections/request-sync.ts";
import { type AllowList, allowsWorkspace } from "../../model/allow-list.ts";
import { type Connection, isUnderWay } from "../../model/connection.ts";
import type { RunKind, SyncKind } from "../../model/sync-report.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { WriteTransaction } from "../../store/port.ts";
import { findConnection, setSyncProgress } from "../../store/queries/connections.ts";
import { beginCrawl, editsKnownUntil } from "../../store/queries/crawl-checkpoints.ts";
import { deleteJob, type Extent, findJob, includes, type Job, putJob } from "../../store/queries/jobs.ts";
import { editOverlapMs } from "../../store/queries/reading-list.ts";
import { findUser } from "../../store/queries/users.ts";
import type { SyncPlan } from "../context.ts";

/** Milliseconds after which a sync also reads again what the provider's search does not list (SYNC-3). */
const sweepIntervalMs = 24 * 60 * 60_000;

/**
 * Begins a run of the connection's job. Null, and the job is deleted, if there is nothing to read: the connection is
 * gone, its grant was withdrawn, or its owner may not use Clew. The kind of sync follows from what is stored, so an
 * interrupted sync is resumed as the same kind; unless `mayResume` is false, it reads no text twice.
 */
export async function planSync(
  trx: WriteTransaction,
  {
    provider,
    secrets,
    allowed,
  }: {
    readonly provider: Pick<Provider, "sortsByEdit">;
    readonly secrets: Secrets;
    readonly allowed: AllowList;
  },
  connectionId: number,
  { now, mayResume }: { now: number; mayResume: boolean },
): Promise<SyncPlan | null> {
  const connection = await findConnection(trx, connectionId);
  const job = await findJob(trx, connectionId);
  if (connection !== null && !(await isAllowed(trx, allowed, connection))) {
    // Once its owner is allowed again, the connection is due like any other idle one.
    await deleteJob(trx, connectionId);
    await setSyncProgress(trx, connectionId, { state: "idle", phase: null, waitingUntil: null });
    return null;
  }
  const tokens = connection?.status === "active" ? await openTokens(trx, secrets, connectionId) : null;
  if (connection === null || job === null || tokens === null) {
    await deleteJob(trx, connectionId);
    return null;
  }
  // An interrupted sync keeps the time at which it first began (SYNC-6). Reading edits begins anew: it is short.
  const resumedFrom =
    mayResume && isUnderWay(connection) && includes(job.extent, "whole") ? connection.sync.startedAt : null;
  const begun = resumedFrom === null ? servingAll(job) : job;
  const knownUntil = includes(begun.extent, "whole") ? null : await editsKnownUntil(trx, connectionId);
  const canListEdits = provider.sortsByEdit && knownUntil !== null;
  const kind = kindOf(connection, begun.extent, { now, canListEdits });
  const planned =
    kind === "edits"
      ? await planEdits(trx, begun, { now, knownUntil })
      : await planListing(trx, begun, { kind, startedAt: resumedFrom ?? now });
  return { ...planned, named: begun.named, tags: connection.tags, tokens };
}

type Planned = Omit<SyncPlan, "named" | "tags" | "tokens">;

/** The progress of a run that begins. */
const begins = { state: "running", phase: "titles", done: 0, total: null, waitingUntil: null } as const;

async function planListing(
  trx: WriteTransaction,
  job: Job,
  { kind, startedAt }: { kind: SyncKind; startedAt: number },
): Promise<Planned> {
  const { connectionId } = job;
  await setSyncProgress(trx, connectionId, { ...begins, startedAt, finishedAt: null, error: null });
  await putJob(trx, { ...job, extent: kind === "incremental" ? "whole" : "full" });
  const since = await beginCrawl(trx, connectionId, startedAt);
  const quietBefore = since === null ? Number.NEGATIVE_INFINITY : since - editOverlapMs;
  return { kind, editsSince: null, startedAt, quietBefore };
}

/** Times, error and outcome of the connection stay those of its last whole sync. */
async function planEdits(
  trx: WriteTransaction,
  job: Job,
  { now, knownUntil }: { now: number; knownUntil: number | null },
): Promise<Planned> {
  await setSyncProgress(trx, job.connectionId, begins);
  await putJob(trx, job);
  const since = knownUntil === null ? null : knownUntil - editOverlapMs;
  return {
    kind: "edits",
    editsSince: job.extent === "edits" ? since : null,
    startedAt: now,
    quietBefore: since ?? Number.NEGATIVE_INFINITY,
  };
}

/**
 * A job whose listing has not begun: it serves all requests until now. One that is resumed does not, since it takes what
 * its earlier runs saw for present (SYNC-7).
 */
function servingAll(job: Job): Job {
  const wish = job.followUp === null ? {} : united(job, job.followUp);
  return { ...job, ...wish, priority: job.priority, followUp: null };
}

async function isAllowed(
  trx: WriteTransaction,
  allowed: AllowList,
  connection: Connection,
): Promise<boolean> {
  const { userId, grantedEmail } = connection;
  const isKnown = allowed.anyone || grantedEmail !== null;
  const email = isKnown ? grantedEmail : ((await findUser(trx, userId))?.email ?? null);
  return allowsWorkspace(allowed, { ...connection, email });
}

function kindOf(
  { lastSyncedAt, sweptAt }: Connection,
  extent: Extent,
  { now, canListEdits }: { now: number; canListEdits: boolean },
): RunKind {
  if (lastSyncedAt === null) return "first";
  if (extent === "named" || (extent === "edits" && canListEdits)) return "edits";
  return extent === "full" || sweptAt === null || sweptAt <= now - sweepIntervalMs ? "full" : "incremental";
}
