import type { SyncOutcome } from "@clew/contract";
import type { FastifyBaseLogger } from "fastify";
import { openTokens } from "../connections/grant.ts";
import type { Clock } from "../model/runtime.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Database, WriteTransaction } from "../store/port.ts";
import { finishSync, setNeedsReauth, setSwept, setSyncProgress } from "../store/queries/connections.ts";
import { deleteJob, findJob, type Job } from "../store/queries/jobs.ts";
import { insertSyncReport } from "../store/queries/sync-reports.ts";
import { isWithdrawal, reasonOf } from "./failure.ts";
import { endJob } from "./jobs/end.ts";
import type { Claim } from "./jobs/lease.ts";
import type { Plan } from "./plan.ts";
import type { ReportCollector } from "./report.ts";
import { StorageLimitReached } from "./storage-limits.ts";

interface Parts {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  /** Milliseconds from a first sync to a look at what the provider's search did not list yet; null for none. */
  readonly secondLookAfter: number | null;
}

/** What a run failed with. */
export interface Failure {
  readonly error: unknown;
}

/** A run that came to its end. */
interface EndedRun {
  readonly plan: Plan;
  readonly failure: Failure | null;
  readonly report: Pick<ReportCollector, "close">;
  /** Whether everything that the run listed was listed to its end. */
  readonly isListingWhole: boolean;
}

/**
 * Writes down how a run ended. False, and nothing is written, where its grant was replaced meanwhile: what the run has
 * to say, the next one says better. All is decided in one transaction, so that no sign-in and no request falls in
 * between.
 */
export async function settle(
  { connectionId, worker }: Claim,
  { plan, failure, report, isListingWhole }: EndedRun,
  { database, secrets, clock, log, secondLookAfter }: Parts,
): Promise<boolean> {
  const error = failure === null ? null : reasonOf(failure.error);
  const now = clock();
  // Counting takes its time with a large graph: it keeps nobody from writing.
  const closed = await report.close(database.read, { finishedAt: now, error });
  const outcome = await database.transaction(async (trx) => {
    const job = await findJob(trx, connectionId);
    const current = await openTokens(trx, secrets, connectionId);
    if (job === null || current === null) return "a sync has ended: its connection is gone";
    if (job.worker !== worker) return "a sync has ended: another worker goes on with it";
    if (current.accessToken !== plan.tokens.accessToken) return null;
    await insertSyncReport(trx, connectionId, { ...closed, outcome: outcomeOf(failure, closed.outcome) });
    // One that was to list everything and did not is followed by another of its kind.
    const isSwept = failure === null && isListingWhole;
    if (plan.kind !== "incremental") await setSwept(trx, connectionId, isSwept ? now : null);
    if (failure !== null) return fail(trx, job, { plan, failure, now });
    await finishSync(trx, connectionId, { now, isComplete: closed.outcome === "complete" });
    await endJob(trx, job, { kind: plan.kind, hasCompleted: true, now, secondLookAfter });
    return "a sync has completed";
  });
  if (outcome !== null) log.info({ connectionId }, outcome);
  return outcome !== null;
}

async function fail(
  trx: WriteTransaction,
  job: Job,
  { plan: { kind }, failure: { error }, now }: { plan: Plan; failure: Failure; now: number },
): Promise<string> {
  const { connectionId } = job;
  if (isWithdrawal(error)) await setNeedsReauth(trx, connectionId, now);
  await setEndedEarly(trx, connectionId, error, now);
  if (isWithdrawal(error)) await deleteJob(trx, connectionId);
  else await endJob(trx, job, { kind, hasCompleted: false, now, secondLookAfter: null });
  return "a sync has failed";
}

/** Writes down that a sync could not even begin, or not be settled. */
export async function giveUp({ connectionId, worker }: Claim, error: unknown, parts: Parts): Promise<void> {
  await parts.database.transaction(async (trx) => {
    const job = await findJob(trx, connectionId);
    if (job?.worker !== worker) return;
    const now = parts.clock();
    await setEndedEarly(trx, connectionId, error, now);
    await endJob(trx, job, { kind: "incremental", hasCompleted: false, now, secondLookAfter: null });
  });
}

/** A sync that reached a limit has read what there was room for. */
function outcomeOf(failure: Failure | null, otherwise: SyncOutcome): SyncOutcome {
  return failure?.error instanceof StorageLimitReached ? "incomplete" : otherwise;
}

function setEndedEarly(
  trx: WriteTransaction,
  connectionId: number,
  error: unknown,
  now: number,
): Promise<void> {
  const outcome = outcomeOf({ error }, "failed");
  return setSyncProgress(trx, connectionId, {
    state: outcome === "failed" ? "failed" : "idle",
    finishedAt: now,
    error: reasonOf(error),
    outcome,
    waitingUntil: null,
  });
}
