import type { SyncOutcome } from "@clew/contract";
import {
  ProviderError,
  type ProviderErrorCode,
  type SourceReport,
  type WorkspaceReader,
} from "@clew/provider";
import { openTokens } from "../../connections/grant.ts";
import { idleJob, priorities, webhookDelayMs } from "../../connections/request-sync.ts";
import type { RunKind, SyncKind } from "../../model/sync-report.ts";
import type { Database, WriteTransaction } from "../../store/port.ts";
import {
  setNeedsReauth,
  setSwept,
  setSyncProgress,
  finishEdits as storeFinishedEdits,
  finishSync as storeFinishedSync,
} from "../../store/queries/connections.ts";
import { recordEdits } from "../../store/queries/crawl-checkpoints.ts";
import { deleteJob, findJob, type Job, putJob, type Wish } from "../../store/queries/jobs.ts";
import { nextRereading } from "../../store/queries/reading-list.ts";
import { insertSyncReport } from "../../store/queries/sync-reports.ts";
import type { StateToRead, SyncContext } from "../context.ts";
import type { Claim } from "../jobs/lease.ts";
import { StorageLimitReached } from "../storage-limits.ts";
import type { EndedSync, SyncServices } from "./open-context.ts";

/** The end of a run's steps. */
export type RunEnd = { readonly kind: "done" } | { readonly kind: "failed"; readonly error: unknown };

type FinishContext = StateToRead & Pick<SyncContext, "plan" | "report" | "reader">;

type FinishServices = Pick<
  SyncServices,
  "database" | "secrets" | "clock" | "log" | "looks" | "secondLookAfter" | "onEnded"
>;

/**
 * Stores the outcome of a run and what follows it. False, with nothing stored, if the grant was replaced meanwhile: the
 * connection is then to be read again. One transaction decides, so that a sign-in or request comes before or after it.
 */
export async function finishSync(
  { connectionId, worker }: Claim,
  context: FinishContext,
  end: RunEnd,
  services: FinishServices,
): Promise<boolean> {
  const { plan } = context;
  const { database, secrets, clock, log, onEnded } = services;
  const now = clock();
  const ending = { connectionId, now, end };
  const store = await (plan.kind === "edits"
    ? endOfEdits(ending, context)
    : endOfSync(ending, plan.kind, context, database));
  const ended = await database.transaction(async (trx) => {
    const job = await findJob(trx, connectionId);
    const current = await openTokens(trx, secrets, connectionId);
    if (job === null || current === null) return "sync ended: its connection is gone";
    if (job.worker !== worker) return "sync ended: another worker has taken it over";
    if (current.accessToken !== plan.tokens.accessToken) return null;
    const outcome = await store(trx);
    if (end.kind === "failed") {
      await endEarly(trx, job, { kind: plan.kind, error: end.error, now });
      return { outcome };
    }
    const rereadAt = services.looks ? await rereadingDue(trx, context, ending) : null;
    await endJob(trx, job, { kind: plan.kind, now, secondLookAfter: services.secondLookAfter, rereadAt });
    return { outcome };
  });
  if (ended === null) return false;
  if (typeof ended === "string") log.info({ connectionId }, ended);
  else {
    const [level, message] =
      end.kind === "failed" ? (["warn", "sync failed"] as const) : (["info", "sync completed"] as const);
    log[level]({ connectionId, kind: plan.kind }, message);
    onEnded?.({ kind: plan.kind, outcome: ended.outcome });
  }
  return true;
}

/** The end of a run of a connection. */
interface Ending {
  readonly connectionId: number;
  readonly now: number;
  readonly end: RunEnd;
}

/** Stores the end of a run, and returns its outcome. */
type StoreEnd = (trx: WriteTransaction) => Promise<EndedSync["outcome"]>;

async function endOfSync(
  { connectionId, now, end }: Ending,
  kind: SyncKind,
  { plan: { startedAt }, report, state, reader }: FinishContext,
  { read }: Pick<Database, "read">,
): Promise<StoreEnd> {
  const error = end.kind === "failed" ? reasonOf(end.error) : null;
  const source = await sourceReportOf(reader);
  // Counting a large graph takes a while, so it happens outside the transaction.
  const closed = await report.close(read, { kind, startedAt, finishedAt: now, error, source });
  return async (trx) => {
    await insertSyncReport(trx, connectionId, { ...closed, outcome: outcomeOf(end, closed.outcome) });
    // A full sync that did not list everything is followed by another one.
    const isSwept = end.kind === "done" && state.isListingComplete;
    if (kind !== "incremental") await setSwept(trx, connectionId, isSwept ? now : null);
    const isComplete = closed.outcome === "complete";
    if (end.kind === "done") await storeFinishedSync(trx, connectionId, { startedAt, now, isComplete });
    return countedOutcome(end, closed.outcome);
  };
}

/** Most files that a report names. */
const maxNamedFiles = 100;

/** The report of the provider on the reading; null if it says nothing, or cannot be asked any more. */
async function sourceReportOf(reader: Pick<WorkspaceReader, "report">): Promise<SourceReport | null> {
  const source = await reader.report?.().catch(() => null);
  if (source === null || source === undefined) return null;
  return { ...source, named: source.named.slice(0, maxNamedFiles) };
}

/** Of edits no report is stored: the next whole sync counts what is still missing. */
async function endOfEdits(
  { connectionId, end }: Ending,
  { plan: { startedAt }, report, state }: FinishContext,
): Promise<StoreEnd> {
  const { editsListedAt } = state;
  const isComplete = report.hasMissedNothing();
  return async (trx) => {
    if (end.kind === "failed") return countedOutcome(end, "failed");
    const hasListedAll = isComplete && editsListedAt !== null;
    if (hasListedAll) await recordEdits(trx, connectionId, editsListedAt);
    await storeFinishedEdits(trx, connectionId, hasListedAll ? startedAt : null);
    return isComplete ? "complete" : "incomplete";
  };
}

/** When texts are to be read again that were read soon after their edit, by Clew's clock; null for never. */
async function rereadingDue(
  trx: WriteTransaction,
  { reader }: Pick<SyncContext, "reader">,
  { connectionId, now }: Ending,
): Promise<number | null> {
  if (!reader.roundsEditTimes) return null;
  const providerNow = reader.time();
  const next = await nextRereading(trx, connectionId, providerNow);
  return next === null ? null : now + Math.max(0, next - providerNow);
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
  { kind, error, now }: { kind: RunKind; error: unknown; now: number },
): Promise<void> {
  const { connectionId } = job;
  if (kind === "edits" && !isWithdrawal(error) && !(error instanceof StorageLimitReached)) {
    // The next look finds the same edits.
    await storeFinishedEdits(trx, connectionId, null);
    return endJob(trx, job, { kind, now, secondLookAfter: null, rereadAt: null });
  }
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
  else await endJob(trx, job, { kind, now, secondLookAfter: null, rereadAt: null });
}

/** The run that ends a job. */
interface EndedRun extends Pick<SyncServices, "secondLookAfter"> {
  readonly kind: RunKind;
  readonly now: number;
  /** When texts are to be read again that were read soon after their edit; null for never. */
  readonly rereadAt: number | null;
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

function followingJob(
  { followUp }: Job,
  { kind, now, secondLookAfter, rereadAt }: EndedRun,
): (Wish & Pick<Job, "dueAt">) | null {
  if (followUp !== null)
    return { ...followUp, dueAt: followUp.priority === priorities.webhook ? now + webhookDelayMs : now };
  if (kind === "first" && secondLookAfter !== null)
    return { priority: priorities.schedule, extent: "full", named: [], dueAt: now + secondLookAfter };
  if (rereadAt !== null) return { priority: priorities.look, extent: "edits", named: [], dueAt: rereadAt };
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
    ? (error.reason ?? reasons[error.code])
    : "Something went wrong inside Clew; its log says more.";
}

/** Whether the provider has withdrawn the grant. */
export function isWithdrawal(error: unknown): boolean {
  return error instanceof ProviderError && error.code === "unauthorized";
}
