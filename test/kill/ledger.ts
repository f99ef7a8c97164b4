import type { SyncState } from "@clew/contract";
import type { SignedIn } from "../support/session.ts";

/**
 * Whether a token or session has ended: it was not requested, was requested and may have happened, or was confirmed by
 * Clew.
 */
export type End = "none" | "asked" | "acknowledged";

/** A service token whose creation Clew acknowledged. */
export interface HeldToken {
  readonly id: number;
  readonly raw: string;
  revocation: End;
}

/** A session whose tokens Clew has issued. */
export interface HeldSession extends SignedIn {
  logout: End;
}

/** Everything that Clew has acknowledged on one database, across restarts. */
export interface Ledger {
  /** The session that sends every request. It is never ended. */
  readonly owner: SignedIn;
  readonly sessions: HeldSession[];
  readonly tokens: HeldToken[];
  /** Creations of tokens that were requested and not answered (yet). */
  unansweredCreations: number;
  /** Nodes that Clew has served. */
  readonly nodes: Set<string>;
  /** The last reported state of the sync that the sign-in requested. */
  sync: SyncState;
}

export function openLedger(owner: SignedIn): Ledger {
  return { owner, sessions: [], tokens: [], unansweredCreations: 0, nodes: new Set(), sync: "queued" };
}
