import { type StoredSegment, segmentBytes } from "@clew/text-index";

/** The text index of a connection as one published graph sees it. Its columns are in shared memory. */
export interface TextSnapshot {
  /** The index that the segments are in. */
  readonly storeId: string;
  /** The changes of the connection's graph up to this revision can be found. */
  readonly revision: number;
  /** The share of texts that can be found, 0–1. */
  readonly indexed: number;
  /** Oldest first. */
  readonly segments: readonly StoredSegment[];
}

/** Of a graph without a text index. */
export const noSnapshot: TextSnapshot = { storeId: "", revision: 0, indexed: 0, segments: [] };

/** Bytes of a snapshot's columns. */
export function snapshotBytes({ segments }: TextSnapshot): number {
  return segments.reduce((sum, { pages, live }) => sum + segmentBytes(pages) + live.nodeOf.byteLength, 0);
}
