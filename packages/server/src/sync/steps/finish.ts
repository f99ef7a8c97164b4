import type { SyncOutcome } from "@clew/contract";
import { ProviderError, type ProviderErrorCode } from "@clew/provider";
import { openTokens } from "../../connections/grant.ts";
import { idleJob, priorities, webhookDueAt } from "../../connections/request-sync.ts";
import type { SyncKind } from "../../model/sync-report.ts";
import type { WriteTransaction } from "../../store/port.ts";
import {
  setNeedsReauth,
  setSwept,
  setSyncProgress,
  finishSync as storeFinishedSync,
} from "../../store/queries/connections.ts";
import { deleteJob, findJob, type Job, putJob } from "../../store/queries/jobs.ts";
import { insertSyncReport } from "../../store/queries/sync-reports.ts";
import type { StateToRead, SyncContext } from "../context.ts";
import type { Claim } from "../jobs/lease.ts";
import { StorageLimitReached } from "../storage-limits.ts";
import type { EndedSync, SyncServices } from "./open-context.ts";

/** The end of a run's steps. */
export type RunEnd = { readonly kind: "done" } | { readonly kind: "failed"; readonly error: unknown };

/**
 * Stores the outcome of a run and what follows it. False, with nothing stored, if the grant was replaced meanwhile: the
 * connection is then to be read again. One transaction decides, so that a sign-in or request comes before or after it.
 */
export async function finishSync(
  { connectionId, worker }: Claim,
  { plan, report, state }: StateToRead & Pick<SyncContext, "plan" | "report">,
  end: RunEnd,
  {
    database,
    secrets,
    clock,
    log,
    secondLookAfter,
    onEnded,
  }: Pick<SyncServices, "database" | "secrets" | "clock" | "log" | "secondLookAfter" | "onEnded">,
): Promise<boolean> {
  const error = end.kind === "failed" ? reasonOf(end.error) : null;
  const now = clock();
  // Counting a large graph takes a while, so it happens outside the transaction.
  const closed = await report.close(database.read, { finishedAt: now, error });
  const ended = await database.transaction(async (trx) => {
    const job = await findJob(trx, connectionId);
    const current = await openTokens(trx, secrets, connectionId);
    if (job === null || current === null) return "sync ended: its connection is gone";
    if (job.worker !== worker) return "sync ended: another worker has taken it over";
    if (current.accessToken !== plan.tokens.accessToken) return null;
    await insertSyncReport(trx, connectionId, { ...closed, outcome: outcomeOf(end, closed.outcome) });
    // A full sync that did not list everything is followed by another one.
    const isSwept = end.kind === "done" && state.isListingComplete;
    if (plan.kind !== "incremental") await setSwept(trx, connectionId, isSwept ? now : null);
    if (end.kind === "failed") {
      await endEarly(trx, job, { kind: plan.kind, error: end.error, now });
      return "sync failed";
    }
    const isComplete = closed.outcome === "complete";
    await storeFinishedSync(trx, connectionId, { startedAt: plan.startedAt, now, isComplete });
    await endJob(trx, job, { kind: plan.kind, now, secondLookAfter });
    return "sync completed";
  });
  if (ended === null) return false;
  log[ended === "sync failed" ? "warn" : "info"]({ connectionId }, ended);
  if (ended === "sync failed" || ended === "sync completed")
    onEnded?.({ kind: plan.kind, outcome: countedOutcome(end, closed.outcome) });
  return true;
}

/** Stores that a sync could not begin, or that its outcome could not be stored. */
export async function abandonSync(
  { connectionId, worker }: Claim,
  error: unknown,
  { database, clock, onEnded }: Pick<SyncServices, "database" | "clock" | "onEnded">,
): Promise<void> {
  const kind = "incremental";
  await database.transaction(async (trx) => {
    const job = await findJob(trx, connectionId);
    if (job?.worker === worker) await endEarly(trx, job, { kind, error, now: clock() });
  });
  onEnded?.({ kind, outcome: countedOutcome({ kind: "failed", error }, "failed") });
}

/** A sync that reached a storage limit has read what there was room for. */
function outcomeOf(end: RunEnd, otherwise: SyncOutcome): SyncOutcome {
  return end.kind === "failed" && end.error instanceof StorageLimitReached ? "incomplete" : otherwise;
}

function countedOutcome(end: RunEnd, otherwise: SyncOutcome): EndedSync["outcome"] {
  return end.kind === "failed" && isWithdrawal(end.error) ? "withdrawn" : outcomeOf(end, otherwise);
}

async function endEarly(
  trx: WriteTransaction,
  job: Job,
  { kind, error, now }: { kind: SyncKind; error: unknown; now: number },
): Promise<void> {
  const { connectionId } = job;
  if (isWithdrawal(error)) await setNeedsReauth(trx, connectionId, now);
  const outcome = outcomeOf({ kind: "failed", error }, "failed");
  await setSyncProgress(trx, connectionId, {
    state: outcome === "failed" ? "failed" : "idle",
    finishedAt: now,
    error: reasonOf(error),
    outcome,
    waitingUntil: null,
  });
  if (isWithdrawal(error)) await deleteJob(trx, connectionId);
  else await endJob(trx, job, { kind, now, secondLookAfter: null });
}

/** The run that ends a job. */
interface EndedRun extends Pick<SyncServices, "secondLookAfter"> {
  readonly kind: SyncKind;
  readonly now: number;
}

/**
 * Deletes a job, or turns it into the one that follows. In the transaction that ends the sync, so that a request made
 * meanwhile either is served here or finds the connection idle.
 */
export async function endJob(trx: WriteTransaction, job: Job, run: EndedRun): Promise<void> {
  const next = followingJob(job, run);
  if (next === null) return deleteJob(trx, job.connectionId);
  await putJob(trx, { ...idleJob, connectionId: job.connectionId, ...next });
  const queued = { state: "queued", phase: null, done: 0, total: null } as const;
  if (next.dueAt <= run.now) await setSyncProgress(trx, job.connectionId, queued);
}

function followingJob(job: Job, run: EndedRun): Pick<Job, "priority" | "full" | "dueAt"> | null {
  const { kind, now } = run;
  if (job.followUpPriority !== null) {
    const dueAt = job.followUpPriority === priorities.webhook ? webhookDueAt(now, now) : now;
    return { priority: job.followUpPriority, full: job.followUpFull, dueAt };
  }
  if (kind === "first" && run.secondLookAfter !== null)
    return { priority: priorities.schedule, full: true, dueAt: now + run.secondLookAfter };
  return null;
}

const reasons: Readonly<Record<ProviderErrorCode, string>> = {
  unauthorized: "The provider no longer accepts Clew's access. Sign in again to renew it.",
  refused: "The provider does not let Clew read this workspace.",
  not_found: "The provider does not know this workspace any more.",
  invalid: "The provider does not accept Clew's requests.",
  rate_limited: "The provider's rate limit did not let Clew through.",
  unavailable: "The provider could not be reached.",
  malformed: "Clew could not read the provider's answers.",
  unsupported_owner: "The grant belongs to a workspace instead of a person.",
};

/** Why a sync failed, for the person whose workspace it is. The details go to the log. */
function reasonOf(error: unknown): string {
  if (error instanceof StorageLimitReached) return error.message;
  return error instanceof ProviderError
    ? reasons[error.code]
    : "Something went wrong inside Clew; its log says more.";
}

/** Whether the provider has withdrawn the grant. */
export function isWithdrawal(error: unknown): boolean {
  return error instanceof ProviderError && error.code === "unauthorized";
}
