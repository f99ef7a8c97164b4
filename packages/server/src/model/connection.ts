import type { SyncOutcome, SyncPhase, SyncState } from "@clew/contract";

/** One user's access to one workspace, and when Clew last read it. */
export interface Connection {
  /** Clew's own key of the connection; never leaves the server. */
  readonly id: number;
  readonly userId: string;
  /** The slug of its source. */
  readonly provider: string;
  /**
   * The e-mail address of the person who gave the grant, if that is not the owner of the account, to which they added it while
   * signed in; empty if that person has none.
   */
  readonly grantedEmail: string | null;
  /** The provider's id of the workspace. */
  readonly workspaceId: string;
  readonly name: string | null;
  readonly icon: string | null;
  readonly status: "active" | "needs_reauth";
  /** The time since which the grant is known to be withdrawn, in milliseconds since the Unix epoch. */
  readonly withdrawnAt: number | null;
  /** The end of the last sync, complete or not, in milliseconds since the Unix epoch. */
  readonly lastSyncedAt: number | null;
  /** The time at which the last complete sync began to list, in milliseconds since the Unix epoch. */
  readonly completeAsOf: number | null;
  /** The time at which the last reading of edits that missed nothing began to list, in milliseconds since the Unix epoch. */
  readonly editsAsOf: number | null;
  /** The end of the last sweep, in milliseconds since the Unix epoch. */
  readonly sweptAt: number | null;
  /** Whether its tags are nodes (SRC-4). */
  readonly tags: boolean;
  /** Grows with every published change: graphs older than it are rebuilt from the store. */
  readonly publishedRevision: number;
  readonly sync: SyncProgress;
}

/** The state of a connection's sync. Times are milliseconds since the Unix epoch. */
export interface SyncProgress {
  readonly state: SyncState;
  readonly phase: SyncPhase | null;
  readonly done: number;
  /** null while the titles phase still discovers pages. */
  readonly total: number | null;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly error: string | null;
  /** Of the last sync that ended; null before the first. */
  readonly outcome: SyncOutcome | null;
  /** Until when the sync waits for the provider's rate limit; null if it does not wait. */
  readonly waitingUntil: number | null;
}

/** Whether a sync has begun and not ended. If no worker has its job, it was interrupted. */
export function isUnderWay({ sync: { state } }: Connection): boolean {
  return state === "running" || state === "waiting";
}
