import type { SyncOutcome } from "@clew/contract";
import type { NodeId } from "@clew/graph";

/** How much a sync looks at: everything for the first time, what changed, or everything again. */
export type SyncKind = "first" | "incremental" | "full";

/** What told of a node: the provider's search, the rows of a database, or something that names it. */
export type FoundBy = "search" | "rows" | "crawl";

/** A page that a sync could not read, and why, in words for the person whose it is. */
export interface FailedPage {
  readonly id: NodeId;
  readonly title: string;
  readonly reason: string;
}

/** Something that is new to Clew, or that the provider itself cannot show: its kind, and its type in the provider's words. */
export interface Unsupported {
  readonly kind: "object" | "parent" | "property" | "block";
  readonly type: string;
}

/** What a sync found and read, and what it could not. Times are milliseconds since the Unix epoch. */
export interface SyncReport {
  readonly kind: SyncKind;
  /** `incomplete` where something failed alone: the graph lacks what is listed here. `failed` where the sync ended early. */
  readonly outcome: SyncOutcome;
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Why the sync ended early. */
  readonly error: string | null;
  /** Nodes that it saw, by what told of them first. */
  readonly found: Readonly<Record<FoundBy, number>>;
  /** Texts that it read; where a restart interrupted it, those since then. */
  readonly fetched: number;
  readonly removed: number;
  /** Pages whose texts are not as they should be, at most a thousand of them; `failedTotal` counts all. */
  readonly failed: readonly FailedPage[];
  readonly failedTotal: number;
  /** Listings and look-ups that could not be made, in words, at most a hundred. */
  readonly unanswered: readonly string[];
  /** What it met that is not supported, at most a hundred types, the most frequent first. */
  readonly unsupported: readonly (Unsupported & { readonly count: number })[];
  /** Parts of pages that the provider did not give, since they are not shared. */
  readonly notShared: number;
  /** References to pages that were not shared. */
  readonly unresolved: number;
  /** Nodes that stand at the root because what they hang below was not shared. */
  readonly orphans: number;
}
