import type { SyncEvent, SyncEventName } from "@clew/contract";
import type { SyncReport } from "../../../model/sync-report.ts";
import { presentSyncProgress, presentSyncReport } from "../../../present/sync.ts";
import type { SyncStatus } from "./sync-status.ts";

/** Words what is news to one listener: the next event as text, null where there is none. */
export type SyncEventFormatter = (status: SyncStatus) => Promise<string | null>;

/**
 * An event's id is the time of the end of a sync that was told of last. So whoever comes back with it hears of an end
 * that they missed, and whoever reads slowly hears of the end although the events before it fell out.
 * `latestReport` is asked for at each end.
 */
export function createSyncEventFormatter(
  lastEventId: string | null,
  latestReport: (connectionId: number) => Promise<SyncReport | null>,
): SyncEventFormatter {
  let toldEnd = lastEventId !== null && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : null;
  let told: string | null = null;
  return async ({ connection: { id, sync }, failed }) => {
    const progress = presentSyncProgress(sync, failed);
    const news = JSON.stringify(progress);
    if (news === told) return null;
    told = news;
    const end = sync.finishedAt ?? 0;
    const hasEnded = toldEnd !== null && toldEnd !== end;
    toldEnd = end;
    if (!hasEnded) return eventOf("progress", end, { sync: progress, report: null });
    const report = await latestReport(id);
    const hasFailed = sync.state === "failed" || report?.outcome === "failed";
    const outcome = { sync: progress, report: report && presentSyncReport(report) };
    return eventOf(hasFailed ? "failed" : "completed", end, outcome);
  };
}

/** As the HTML Living Standard has it, section 9.2.6. */
function eventOf(name: SyncEventName, id: number, data: SyncEvent): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
