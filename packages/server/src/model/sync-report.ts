import type { SyncOutcome } from "@clew/contract";
import type { NodeId } from "@clew/graph";
import type { SourceReport, Unsupported } from "@clew/provider";

/** The extent of a whole sync: everything for the first time, what changed, or everything again. */
export type SyncKind = "first" | "incremental" | "full";

/** The kind of a run: a whole sync, or a reading of edits between two of them (SYNC-11), which has no report. */
export type RunKind = SyncKind | "edits";

/** The way in which a node was found: by the provider's search, as a row of a database, or through a reference. */
export type FoundBy = "search" | "rows" | "crawl";

/** A page that a sync could not read, and the reason in words for its owner. */
export interface FailedPage {
  readonly id: NodeId;
  readonly title: string;
  readonly reason: string;
}

/** The report of a sync: the nodes that it found, read and could not read. Times are milliseconds since the Unix epoch. */
export interface SyncReport {
  readonly kind: SyncKind;
  /** `incomplete` if single reads failed: the graph lacks what is listed here. `failed` if the sync ended early. */
  readonly outcome: SyncOutcome;
  readonly startedAt: number;
  readonly finishedAt: number;
  /** The reason why the sync ended early; null if it did not. */
  readonly error: string | null;
  /** Nodes that it saw, by how they were first found. */
  readonly found: Readonly<Record<FoundBy, number>>;
  /** Texts that it read, since the last restart. */
  readonly fetched: number;
  readonly removed: number;
  /** Pages whose texts could not be read, up to 1000; `failedTotal` counts all. */
  readonly failed: readonly FailedPage[];
  readonly failedTotal: number;
  /** Listings and lookups that failed, in words, up to 100. */
  readonly unanswered: readonly string[];
  /** Unsupported types that it met, up to 100, the most frequent first. */
  readonly unsupported: readonly (Unsupported & { readonly count: number })[];
  /** Parts of pages that the provider withheld because they are not shared. */
  readonly notShared: number;
  /** References to pages that were not shared. */
  readonly unresolved: number;
  /** Nodes at the root because their parents were not shared. */
  readonly orphans: number;
  /** The provider's own report on the reading; null if it says nothing. */
  readonly source: SourceReport | null;
}
