import { requestJob, type Syncs } from "../connections/request-sync.ts";
import { connectionsDue } from "../store/queries/connections.ts";
import { connectionsWithPagesElsewhere, requeueAllTexts } from "../store/queries/reading-list.ts";
import type { SyncServices } from "./steps/open-context.ts";

interface ScheduleServices extends Pick<SyncServices, "database" | "allowed" | "clock"> {
  readonly sync: Pick<Syncs, "request">;
  /** Milliseconds from the end of a connection's sync to the next one; 0 for no schedule. */
  readonly intervalMs: number;
}

/** Requests the syncs that are due, so that graphs stay fresh (SYNC-9). To be repeated. */
export async function requestDueSyncs(services: ScheduleServices): Promise<void> {
  const { database, allowed, sync, clock, intervalMs } = services;
  if (intervalMs === 0) return;
  const search = { allowed, endedBefore: clock() - intervalMs };
  const due = await connectionsDue(database.read, search);
  for (const id of due) await sync.request(id, { by: "schedule" });
}

/**
 * Requests full syncs of workspaces whose pages were read while the demo was at another address, because PUBLIC_URL has
 * changed since, or the version was an earlier one: no edit would show that, and their links would lead nowhere (SIGN-11).
 */
export async function requestSyncsOfMovedPages(
  { database, clock }: Pick<ScheduleServices, "database" | "clock">,
  { slug, baseUrl }: { readonly slug: string; readonly baseUrl: string },
): Promise<void> {
  await database.transaction(async (trx) => {
    for (const id of await connectionsWithPagesElsewhere(trx, slug, baseUrl)) {
      await requeueAllTexts(trx, id);
      await requestJob(trx, id, { by: "schedule", full: true }, clock());
    }
  });
}
