import type { ActivityOperation } from "@clew/contract";

/** One call with a service token (APP-9). */
export interface TokenCall {
  /** When it ended, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly operation: ActivityOperation;
  /** The words that were looked for, or the names of pages; null for none. */
  readonly words: string | null;
  /** The ids of the first pages of the answer. */
  readonly nodeIds: readonly string[];
  /** The number of pages of the answer. */
  readonly pages: number;
  readonly status: number;
  readonly ms: number;
}

/** Sums of calls over a span of time. */
export interface ActivitySums {
  readonly calls: number;
  readonly refused: number;
  /** Different pages. */
  readonly pages: number;
}

/** Whether a call with this status was refused: for its credentials, its scopes, or because there were too many. */
export const isRefusal = (status: number): boolean => status === 401 || status === 403 || status === 429;
