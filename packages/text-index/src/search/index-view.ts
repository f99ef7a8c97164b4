import type { StoredSegment } from "../segments/merge.ts";

/** The segments of a connection's index as one published graph sees them. */
export interface IndexView {
  /** Oldest first. */
  readonly segments: readonly StoredSegment[];
  /** Live sections of all segments. */
  readonly sectionCount: number;
  /** The sum of their lengths. */
  readonly length: number;
}

export function viewOf(segments: readonly StoredSegment[]): IndexView {
  return {
    segments,
    sectionCount: segments.reduce((sum, { live }) => sum + live.sectionCount, 0),
    length: segments.reduce((sum, { live }) => sum + live.length, 0),
  };
}
