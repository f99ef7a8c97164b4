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

/** A session whose tokens Clew handed out. */
export interface HeldSession extends SignedIn {
  logout: End;
}

/** All that Clew acknowledged in its lives on one database, as its callers remember it. */
export interface Ledger {
  /** The session in whose name everything is asked for; it is never ended. */
  readonly owner: SignedIn;
  readonly sessions: HeldSession[];
  readonly tokens: HeldToken[];
  /** Creations of tokens that were asked for and not answered (yet). */
  unansweredCreations: number;
  /** Nodes that Clew has served. */
  readonly nodes: Set<string>;
  /** What Clew last said of the sync: the sign-in asked for one. */
  sync: SyncState;
}

export function openLedger(owner: SignedIn): Ledger {
  return { owner, sessions: [], tokens: [], unansweredCreations: 0, nodes: new Set(), sync: "queued" };
}
