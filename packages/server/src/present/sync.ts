import type {
  FailedPage as FailedPageMessage,
  SyncProgress as SyncProgressMessage,
  SyncReport as SyncReportMessage,
} from "@clew/contract";
import type { SyncProgress } from "../model/connection.ts";
import type { FailedPage, SyncReport } from "../model/sync-report.ts";
import { formatOptionalTimestamp, formatTimestamp } from "./values.ts";

/** Some of the pages whose text could not be read, and how many there are in all. */
export interface FailedPages {
  readonly items: readonly FailedPage[];
  readonly total: number;
}

/** The state of a sync, and the pages that could not be read. */
export function presentSyncProgress(sync: SyncProgress, failed: FailedPages): SyncProgressMessage {
  return {
    state: sync.state,
    phase: sync.phase,
    done: sync.done,
    total: sync.total,
    started_at: formatOptionalTimestamp(sync.startedAt),
    finished_at: formatOptionalTimestamp(sync.finishedAt),
    error: sync.error,
    outcome: sync.outcome,
    waiting_until: formatOptionalTimestamp(sync.waitingUntil),
    failed: failed.items.map(presentFailedPage),
    failed_total: failed.total,
  };
}

/** The report of a sync in the contract's form. */
export function presentSyncReport(report: SyncReport): SyncReportMessage {
  return {
    kind: report.kind,
    outcome: report.outcome,
    started_at: formatTimestamp(report.startedAt),
    finished_at: formatTimestamp(report.finishedAt),
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
    source:
      report.source === null
        ? null
        : {
            dialect: report.source.dialect,
            unread: report.source.unread.map(({ type, count }) => ({ type, count })),
            named: report.source.named.map(({ path, message }) => ({ path, message })),
          },
  };
}

function presentFailedPage({ id, title, reason }: FailedPage): FailedPageMessage {
  return { node_id: id, title, reason };
}
