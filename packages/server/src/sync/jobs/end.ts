import { hintDueAt, priorities } from "../../connections/request-sync.ts";
import type { SyncKind } from "../../model/sync-report.ts";
import type { WriteTransaction } from "../../store/port.ts";
import { setSyncProgress } from "../../store/queries/connections.ts";
import { deleteJob, type Job, putJob } from "../../store/queries/jobs.ts";

/** A run that came to its end. */
interface EndedRun {
  readonly kind: SyncKind;
  readonly hasCompleted: boolean;
  readonly now: number;
  /** Milliseconds until a look at what the provider's search did not list yet at the first; null for none. */
  readonly secondLookAfter: number | null;
}

/**
 * Ends a job, or turns it into the one that follows. It belongs into the transaction that ends the sync: whoever asks
 * is then either heard here or finds the connection at rest, and never falls in between.
 */
export async function endJob(trx: WriteTransaction, job: Job, run: EndedRun): Promise<void> {
  const next = following(job, run);
  if (next === null) return deleteJob(trx, job.connectionId);
  const rest = { attempts: 0, askedAgain: null, worker: null, leasedUntil: null };
  await putJob(trx, { connectionId: job.connectionId, ...rest, ...next });
  if (next.dueAt <= run.now)
    await setSyncProgress(trx, job.connectionId, { state: "queued", phase: null, done: 0, total: null });
}

function following(job: Job, run: EndedRun): Pick<Job, "priority" | "full" | "dueAt"> | null {
  const { kind, now } = run;
  if (job.askedAgain !== null) {
    const dueAt = job.askedAgain === priorities.webhook ? hintDueAt(now, now) : now;
    return { priority: job.askedAgain, full: kind === "incremental" && job.full, dueAt };
  }
  if (kind === "first" && run.hasCompleted && run.secondLookAfter !== null)
    return { priority: priorities.schedule, full: true, dueAt: now + run.secondLookAfter };
  return null;
}
