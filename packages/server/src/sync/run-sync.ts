import type { FastifyBaseLogger } from "fastify";
import { renewGrant } from "../connections/renew-grant.ts";
import type { Graphs } from "../graph-cache/graphs.ts";
import type { AllowList } from "../model/allow-list.ts";
import type { Clock } from "../model/runtime.ts";
import type { Provider } from "../provider/port.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Database } from "../store/port.ts";
import { editOverlapMs } from "../store/queries/reading-list.ts";
import { type Claim, fenced, JobLost } from "./jobs/lease.ts";
import type { Turns } from "./jobs/turns.ts";
import { createProgress, createPublisher } from "./progress.ts";
import { createCircuitBreaker } from "./provider-calls.ts";
import { createReport } from "./report.ts";
import { SyncState } from "./state.ts";
import { crawl } from "./steps/crawl.ts";
import { closeListing, fetchTexts } from "./steps/fetch-texts.ts";
import { abandonSync, type Failure, finishSync, isWithdrawal } from "./steps/finish.ts";
import { endListing, listWorkspace } from "./steps/list.ts";
import { loadKnownState } from "./steps/load.ts";
import { placeAllNodes } from "./steps/place-nodes.ts";
import { planSync, type SyncPlan } from "./steps/plan.ts";
import { removeUnseen } from "./steps/remove-missing.ts";
import { createNodeWriter } from "./steps/write-nodes.ts";
import { limited, type StorageLimits } from "./storage-limits.ts";
import type { SyncContext, SyncRun } from "./sync-run.ts";
import { WorkQueue } from "./work-queue.ts";

export interface SyncServices {
  readonly database: Database;
  readonly provider: Provider;
  readonly secrets: Secrets;
  /** Who may use Clew: other people's workspaces are not read (SIGN-10). */
  readonly allowed: AllowList;
  readonly graphs: Pick<Graphs, "publish">;
  /** How much may be stored; no limits when left out. */
  readonly storage?: StorageLimits | undefined;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  /** Milliseconds from a first sync to a full one, for what the provider's search did not list yet; null for none. */
  readonly secondLookAfter: number | null;
  readonly turns: Turns;
  /** Called with the estimated bytes that the sync holds. */
  readonly onHeld: (bytes: number) => void;
}

/** Milliseconds in which a connection's grant is renewed once at most. */
const minRenewalIntervalMs = 60_000;

/**
 * Syncs a connection: plan, run the steps, finish. Runs again if the provider no longer accepted the grant and it could
 * be renewed, or if the grant was replaced meanwhile: the new one may open other pages. The outcome is stored with the
 * connection. Once the signal is aborted the sync stops and stays marked as running. Throws only if the database fails.
 */
export async function syncConnection(
  claim: Claim,
  services: SyncServices,
  signal: AbortSignal,
): Promise<void> {
  const { connectionId } = claim;
  const { clock, log } = services;
  const database = writableDatabase(claim, services);
  let renewedAt = Number.NEGATIVE_INFINITY;
  let mayResume = true;
  try {
    for (;;) {
      const at = { now: clock(), mayResume };
      const plan = await database.transaction((trx) => planSync(trx, services, connectionId, at));
      if (plan === null) return;
      log.info({ connectionId, run: plan.run, kind: plan.kind }, "a sync has begun");
      const run = openRun(connectionId, plan, { ...services, database }, signal);
      let end: Failure | "renewed" | null = await tryToRun(run);
      if (signal.aborted) return;
      // A grant that is refused right after it was renewed is withdrawn.
      const mayRenew = clock() - renewedAt >= minRenewalIntervalMs;
      if (end !== null && mayRenew && isWithdrawal(end.error)) end = await tryToRenew(run, end, services);
      // A grant that was replaced meanwhile may open other pages: everything is looked at again.
      mayResume = end === "renewed";
      if (end === "renewed") renewedAt = clock();
      else if (await finishSync(claim, { run, failure: end }, services)) return;
    }
  } catch (error) {
    if (error instanceof JobLost) return log.info({ connectionId }, error.message);
    log.error({ connectionId, err: error }, "a sync has failed");
    await abandonSync(claim, error, services);
  }
}

/** The steps of a run, in order. Titles can be searched once they are published, texts follow (SYNC-2). */
async function runSteps(run: SyncRun): Promise<void> {
  run.progress.begin("titles", null);
  await loadKnownState(run);
  await listWorkspace(run);
  for (const id of run.state.dataSourceIds()) run.queue.listRows(id);
  await crawl(run);
  await removeUnseen(run);
  const { size } = run.writer.takeWritten();
  run.progress.reach("titles", size, size);
  await placeAllNodes(run);
  await endListing(run);
  await run.publisher.publish();

  try {
    await fetchTexts(run);
    await closeListing(run);
  } finally {
    if (!run.signal.aborted) await run.publisher.publish();
  }
  await run.progress.flush();
}

/** Returns what the run failed with; null if it did not. */
async function tryToRun(run: SyncRun): Promise<Failure | null> {
  try {
    await runSteps(run);
    return null;
  } catch (error) {
    await run.progress.flush().catch(() => {});
    if (!run.signal.aborted) run.log.error({ err: error }, "a run of a sync has failed");
    return { error };
  }
}

/** Renews the grant that the provider refused. Else returns what the run failed with, or what renewing failed with. */
async function tryToRenew(
  { connectionId, plan: { tokens } }: SyncRun,
  failure: Failure,
  services: SyncServices,
): Promise<Failure | "renewed"> {
  try {
    if (!(await renewGrant(services, connectionId, tokens))) return failure;
  } catch (error) {
    return { error };
  }
  services.log.info({ connectionId }, "a grant was renewed");
  return "renewed";
}

function openRun(connectionId: number, plan: SyncPlan, services: SyncServices, signal: AbortSignal): SyncRun {
  const { provider, graphs, clock, log } = services;
  const { kind, run, firstRun, startedAt, changesKnownSince, tokens } = plan;
  const quietBefore =
    changesKnownSince === null ? Number.NEGATIVE_INFINITY : changesKnownSince - editOverlapMs;
  const state = new SyncState({ isFull: kind === "full", firstRun, quietBefore });
  const database = inTurns(services, state);
  const progress = createProgress(database, connectionId, clock);
  const context: SyncContext = {
    connectionId,
    plan,
    database,
    reader: provider.reader(tokens.accessToken, (until) => progress.wait(until)),
    breaker: createCircuitBreaker(),
    state,
    queue: new WorkQueue(state),
    report: createReport(connectionId, { kind, startedAt }),
    progress,
    publisher: createPublisher(graphs, connectionId, clock),
    log: log.child({ connectionId, run }),
    clock,
    signal,
  };
  const onWritten = (count: number) => progress.reach("titles", count, null);
  return { ...context, writer: createNodeWriter(context, onWritten) };
}

/** The database, as long as this worker has the job and the connection keeps to its storage limits. */
function writableDatabase(claim: Claim, { database, storage }: SyncServices): Database {
  const writable = fenced(database, claim);
  return storage === undefined ? writable : limited(writable, claim.connectionId, storage);
}

/** The database, with writes that take turns with those of other syncs and report the memory that the run holds. */
function inTurns({ database, turns, onHeld }: SyncServices, state: SyncState): Database {
  return {
    ...database,
    transaction: async (work) => {
      const result = await turns.take(state, () => database.transaction(work));
      onHeld(state.heldBytes());
      return result;
    },
  };
}
