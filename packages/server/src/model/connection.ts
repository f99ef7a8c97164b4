import type { SyncOutcome, SyncPhase, SyncState } from "@clew/contract";

/** One user's grant to one workspace, and how fresh what Clew read through it is. */
export interface Connection {
  /** Clew's own key of the connection; never leaves the server. */
  readonly id: number;
  readonly userId: string;
  /** The provider's id of the workspace. */
  readonly workspaceId: string;
  readonly name: string | null;
  readonly icon: string | null;
  readonly status: "active" | "needs_reauth";
  /** Since when the grant is known to be withdrawn, in milliseconds since the Unix epoch. */
  readonly withdrawnAt: number | null;
  /** When a sync last ran to its end, complete or not, in milliseconds since the Unix epoch. */
  readonly lastSyncedAt: number | null;
  /** When the last complete sync ended, in milliseconds since the Unix epoch. */
  readonly completeAsOf: number | null;
  /** When a sync last read also what the provider's search does not list, in milliseconds since the Unix epoch. */
  readonly sweptAt: number | null;
  /** Grows with every published change: graphs older than it are rebuilt from the store. */
  readonly publishedRevision: number;
  readonly sync: SyncProgress;
}

/** Where a connection's sync stands. Times are milliseconds since the Unix epoch. */
export interface SyncProgress {
  readonly state: SyncState;
  readonly phase: SyncPhase | null;
  readonly done: number;
  /** null while the titles phase still discovers pages. */
  readonly total: number | null;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly error: string | null;
  /** Of the last sync that ended; null where none has. */
  readonly outcome: SyncOutcome | null;
  /** Until when the provider's limit makes the sync wait; null while it does not. */
  readonly waitingUntil: number | null;
}
