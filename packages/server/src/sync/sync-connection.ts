import type { FastifyBaseLogger } from "fastify";
import { renewGrant } from "../connections/renew-grant.ts";
import type { Graphs } from "../graph-cache/graphs.ts";
import type { AllowList } from "../model/allow-list.ts";
import type { Clock } from "../model/runtime.ts";
import type { Provider } from "../provider/port.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Database, WriteTransaction } from "../store/port.ts";
import { createCircuitBreaker } from "./circuit-breaker.ts";
import { readContentsPhase } from "./contents.ts";
import { isWithdrawal } from "./failure.ts";
import { heldBytes } from "./held-bytes.ts";
import { type Claim, fenced, JobLost } from "./jobs/lease.ts";
import type { Turns } from "./jobs/turns.ts";
import { type Plan, planRun } from "./plan.ts";
import { createProgress } from "./progress.ts";
import { createPublisher } from "./publisher.ts";
import { createReport, type ReportCollector } from "./report.ts";
import { type Failure, giveUp, settle } from "./settle.ts";
import { createSyncState, type SyncState } from "./state.ts";
import { limited, type StorageLimits } from "./storage-limits.ts";
import type { SyncRun } from "./sync-run.ts";
import { readTitlesPhase } from "./titles.ts";

/** What syncing takes. */
export interface SyncParts {
  readonly database: Database;
  readonly provider: Provider;
  readonly secrets: Secrets;
  /** Who may use Clew: nobody else's workspaces are read (SIGN-10). */
  readonly allowed: AllowList;
  readonly graphs: Pick<Graphs, "publish">;
  /** How much may be stored; without limit where it is left out. */
  readonly storage?: StorageLimits | undefined;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  /** Milliseconds from a first sync to a look at what the provider's search did not list yet; null for none. */
  readonly secondLookAfter: number | null;
  readonly turns: Turns;
  /** Told of how many bytes the sync holds, as they are estimated. */
  readonly onHeld: (bytes: number) => void;
}

/** Milliseconds in which the same connection's grant is renewed once at most. */
const renewalPause = 60_000;

/**
 * Reads everything that a connection opens into the store, and once more where its grant was replaced meanwhile: the
 * new one may open other pages. Where the provider no longer accepts the grant and it can be renewed, the sync goes on.
 * However that ends, the connection says so. Once the signal is aborted it stops and leaves the connection as one whose
 * sync is under way. Throws only where the database fails.
 */
export async function syncConnection(claim: Claim, parts: SyncParts, signal: AbortSignal): Promise<void> {
  const { connectionId } = claim;
  const { clock, log } = parts;
  const writable = fenced(parts.database, claim);
  const database = parts.storage ? limited(writable, connectionId, parts.storage) : writable;
  let renewedAt = Number.NEGATIVE_INFINITY;

  /** What a run failed with in the end; "renewed" where another one can go on. */
  const renewed = async (failure: Failure, { tokens }: Plan): Promise<Failure | "renewed"> => {
    // A grant that is refused as soon as it was renewed is withdrawn all the same.
    if (!isWithdrawal(failure.error) || clock() - renewedAt < renewalPause) return failure;
    try {
      if (!(await renewGrant(parts, connectionId, tokens))) return failure;
    } catch (error) {
      return { error };
    }
    log.info({ connectionId }, "a grant was renewed");
    renewedAt = clock();
    return "renewed";
  };

  try {
    let goesOn = true;
    for (let isSettled = false; !isSettled; ) {
      const begin = (trx: WriteTransaction) => planRun(trx, parts, connectionId, { now: clock(), goesOn });
      const plan: Plan | null = await database.transaction(begin);
      if (plan === null) return;
      log.info({ connectionId, run: plan.number, kind: plan.kind }, "a sync has begun");
      const { kind, startedAt } = plan;
      const report = createReport(connectionId, { kind, startedAt });
      const state = createSyncState();
      const failure = await run(plan, { report, state }, connectionId, { ...parts, database }, signal);
      if (signal.aborted) return;
      const end = failure === null ? null : await renewed(failure, plan);
      // Another grant may open other pages, so what was read with the one before is to be looked at again.
      goesOn = end === "renewed";
      if (end === "renewed") continue;
      const isListingWhole = state.isSearchWhole && state.areRowsWhole;
      isSettled = await settle(claim, { plan, failure: end, report, isListingWhole }, parts);
    }
  } catch (error) {
    if (error instanceof JobLost) return log.info({ connectionId }, error.message);
    log.error({ connectionId, err: error }, "a sync has failed");
    await giveUp(claim, error, parts);
  }
}

/** Runs to the end; returns what it failed with, null where it did not. */
async function run(
  { number, kind, startedAt, tokens }: Plan,
  { report, state }: { report: ReportCollector; state: SyncState },
  connectionId: number,
  { provider, graphs, clock, log, ...parts }: SyncParts,
  signal: AbortSignal,
): Promise<Failure | null> {
  const database = inTurns(parts, state);
  const progress = createProgress(database, connectionId, clock);
  const publisher = createPublisher(graphs, connectionId, clock);
  const reader = provider.reader(tokens.accessToken, (until) => progress.wait(until));
  const shared = { connectionId, database, reader, progress, publisher, signal, clock };
  const current: SyncRun = {
    ...shared,
    number,
    kind,
    startedAt,
    report,
    state,
    breaker: createCircuitBreaker(),
    log: log.child({ connectionId, run: number }),
  };
  try {
    await readTitlesPhase(current);
    await readContentsPhase(current).finally(() => signal.aborted || publisher.publish());
    await progress.settle();
    return null;
  } catch (error) {
    await progress.settle().catch(() => {});
    if (!signal.aborted) current.log.error({ err: error }, "a run of a sync has failed");
    return { error };
  }
}

/** The database for a run: each write has its turn among those of other syncs, and tells what the run holds by then. */
function inTurns(
  { database, turns, onHeld }: Pick<SyncParts, "database" | "turns" | "onHeld">,
  state: SyncState,
): Database {
  return {
    ...database,
    transaction: async (work) => {
      const result = await turns.take(state, () => database.transaction(work));
      onHeld(heldBytes(state));
      return result;
    },
  };
}
