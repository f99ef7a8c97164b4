import type { SyncProgress as SyncProgressMessage } from "@clew/contract";
import type { SyncProgress } from "../model/connection.ts";
import type { FailedPage } from "../model/sync-report.ts";
import { presentFailedPage } from "./failed-page.ts";
import { presentOptionalTimestamp } from "./timestamp.ts";

/** Pages whose text could not be read: some of them, and how many there are. */
export interface FailedPages {
  readonly items: readonly FailedPage[];
  readonly total: number;
}

/** Where a sync stands, and what could not be read. */
export function presentSyncProgress(sync: SyncProgress, failed: FailedPages): SyncProgressMessage {
  return {
    state: sync.state,
    phase: sync.phase,
    done: sync.done,
    total: sync.total,
    started_at: presentOptionalTimestamp(sync.startedAt),
    finished_at: presentOptionalTimestamp(sync.finishedAt),
    error: sync.error,
    outcome: sync.outcome,
    waiting_until: presentOptionalTimestamp(sync.waitingUntil),
    failed: failed.items.map(presentFailedPage),
    failed_total: failed.total,
  };
}
