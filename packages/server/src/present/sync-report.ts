import type { SyncReport as SyncReportMessage } from "@clew/contract";
import type { SyncReport } from "../model/sync-report.ts";
import { presentFailedPage } from "./failed-page.ts";
import { presentTimestamp } from "./timestamp.ts";

/** What a sync found and read, and what it could not. */
export function presentSyncReport(report: SyncReport): SyncReportMessage {
  return {
    kind: report.kind,
    outcome: report.outcome,
    started_at: presentTimestamp(report.startedAt),
    finished_at: presentTimestamp(report.finishedAt),
    error: report.error,
    found: { ...report.found },
    fetched: report.fetched,
    removed: report.removed,
    failed: report.failed.map(presentFailedPage),
    failed_total: report.failedTotal,
    unanswered: [...report.unanswered],
    unsupported: report.unsupported.map(({ kind, type, count }) => ({ kind, type, count })),
    not_shared: report.notShared,
    unresolved: report.unresolved,
    orphans: report.orphans,
  };
}
