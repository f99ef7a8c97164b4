import { renewGrant } from "../connections/renew-grant.ts";
import type { SyncContext } from "./context.ts";
import { type Claim, JobLost } from "./jobs/lease.ts";
import { crawl } from "./steps/crawl.ts";
import { fetchTexts } from "./steps/fetch-texts.ts";
import { abandonSync, finishSync, isWithdrawal, type RunEnd } from "./steps/finish.ts";
import { endEdits, endListing, listEdits, listWorkspace, loadKnownState, queueNamed } from "./steps/list.ts";
import { locateReferences } from "./steps/locate-references.ts";
import { nameAuthors } from "./steps/name-authors.ts";
import { openContext, type SyncServices, writableDatabase } from "./steps/open-context.ts";
import { placeAllNodes } from "./steps/place-nodes.ts";
import { planSync } from "./steps/plan.ts";
import { removeGone, removeUnseen } from "./steps/remove-missing.ts";
import { showTitles } from "./steps/show-titles.ts";

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
      log.info({ connectionId, kind: plan.kind }, "sync started");
      const context = openContext(connectionId, plan, { ...services, database }, signal);
      const end = await tryToRun(context);
      if (signal.aborted) return;
      // A grant that is refused right after it was renewed is withdrawn.
      const mayRenew = clock() - renewedAt >= minRenewalIntervalMs;
      const outcome = mayRenew ? await renewIfRefused(end, context, services) : end;
      switch (outcome.kind) {
        case "renewed":
          renewedAt = clock();
          mayResume = true;
          break;
        case "done":
        case "failed":
          if (await finishSync(claim, context, outcome, services)) return;
          // The grant that replaced the earlier one may open other pages: everything is looked at again.
          mayResume = false;
      }
    }
  } catch (error) {
    if (error instanceof JobLost) return log.info({ connectionId }, error.message);
    log.error({ connectionId, err: error }, "sync failed");
    await abandonSync(claim, error, services);
  }
}

/**
 * The steps of a run between its plan and its report, in order. Titles can be searched once they are published, texts
 * follow (SYNC-2).
 */
async function runSteps(context: SyncContext): Promise<void> {
  const { plan, progress, publisher, signal } = context;
  progress.begin("titles");
  await loadKnownState(context);
  await list(context);
  await crawl(context);
  await reconcile(context);
  await showTitles(context);
  // The few texts of edits are there soon: one new version of the graph has both.
  if (plan.kind === "edits") await publisher.publishIfDue();
  else await publisher.publish();
  try {
    await fetchTexts(context);
    await locateReferences(context);
    // Texts named pages that no listing had.
    await showTitles(context);
  } finally {
    if (!signal.aborted) await publisher.publish();
  }
  await progress.flush();
}

/** Lists what the plan says, and queues what was named. */
async function list(context: SyncContext): Promise<void> {
  const { kind, editsSince, named } = context.plan;
  if (named.length > 0) await queueNamed(context);
  if (kind !== "edits") await listWorkspace(context);
  else if (editsSince !== null) await listEdits(editsSince, context);
}

/** Makes the stored graph agree with what was listed: removes nodes that are gone, and stores where the others are. */
async function reconcile(context: SyncContext): Promise<void> {
  const listsAll = context.plan.kind !== "edits";
  // Most pages are not among the edits.
  if (listsAll) await removeUnseen(context);
  else await removeGone(context);
  const { size } = context.writer.takeWritten();
  context.progress.reach("titles", size, size);
  await placeAllNodes(context);
  if (listsAll) await nameAuthors(context);
  if (listsAll) await endListing(context);
  else await endEdits(context);
}

async function tryToRun(context: SyncContext): Promise<RunEnd> {
  try {
    await runSteps(context);
    return { kind: "done" };
  } catch (error) {
    await context.progress.flush().catch(() => {});
    if (!context.signal.aborted) context.log.error({ err: error }, "sync attempt failed");
    return { kind: "failed", error };
  }
}

/** Renews the grant if the provider refused it. Otherwise returns how the run ended, or the error of the renewal. */
async function renewIfRefused(
  end: RunEnd,
  { connectionId, plan: { tokens } }: Pick<SyncContext, "connectionId" | "plan">,
  services: SyncServices,
): Promise<RunEnd | { readonly kind: "renewed" }> {
  if (end.kind === "done" || !isWithdrawal(end.error)) return end;
  try {
    if (!(await renewGrant(services, connectionId, tokens))) return end;
  } catch (error) {
    return { kind: "failed", error };
  }
  services.log.info({ connectionId }, "a grant was renewed");
  return { kind: "renewed" };
}
