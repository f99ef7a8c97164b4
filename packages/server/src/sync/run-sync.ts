import { renewGrant } from "../connections/renew-grant.ts";
import { type Claim, JobLost } from "./jobs/lease.ts";
import { openRun, type SyncServices, writableDatabase } from "./open-run.ts";
import { crawl } from "./steps/crawl.ts";
import { fetchTexts } from "./steps/fetch-texts.ts";
import { abandonSync, type Failure, finishSync, isWithdrawal } from "./steps/finish.ts";
import { endListing, listWorkspace, loadKnownState } from "./steps/list.ts";
import { locateReferences } from "./steps/locate-references.ts";
import { placeAllNodes } from "./steps/place-nodes.ts";
import { planSync } from "./steps/plan.ts";
import { removeUnseen } from "./steps/remove-missing.ts";
import { showTitles } from "./steps/show-titles.ts";
import type { SyncRun } from "./sync-run.ts";

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

/**
 * The steps of a run between its plan and its report, in order. Titles can be searched once they are published, texts
 * follow (SYNC-2).
 */
async function runSteps(run: SyncRun): Promise<void> {
  run.progress.begin("titles");
  await loadKnownState(run);
  await listWorkspace(run);
  await crawl(run);
  await reconcile(run);
  await showTitles(run);
  await run.publisher.publish();
  try {
    await fetchTexts(run);
    await locateReferences(run);
    // Texts named pages that no listing had.
    await showTitles(run);
  } finally {
    if (!run.signal.aborted) await run.publisher.publish();
  }
  await run.progress.flush();
}

/** Makes the stored graph agree with what was listed: removes nodes that are gone, and stores where the others are. */
async function reconcile(run: SyncRun): Promise<void> {
  await removeUnseen(run);
  const { size } = run.writer.takeWritten();
  run.progress.reach("titles", size, size);
  await placeAllNodes(run);
  await endListing(run);
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
