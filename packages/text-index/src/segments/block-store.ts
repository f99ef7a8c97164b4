/** The key of a block: its first term in UTF-8, and the number of the part if one term's postings take several. */
export interface BlockKey {
  readonly term: Uint8Array;
  readonly part: number;
}

/** A block as it was found. */
export interface FoundBlock extends BlockKey {
  readonly postings: Uint8Array;
}

/** A block as it is written. */
export interface Block extends FoundBlock {
  /** The rows of positions of its postings. Rows are numbered from 0 through all blocks of the segment. */
  readonly rows: readonly Uint8Array[];
}

/** A term of a segment. */
export interface TermLookup {
  readonly segment: number;
  readonly term: Uint8Array;
}

/** The blocks of a term with `first <= part <= last`, where `first` is above 0. */
export interface PartRange extends TermLookup {
  readonly first: number;
  readonly last: number;
}

/** Blocks of one segment with part 0 and `after < term < before`, in order, at most `limit`. */
export interface BlockRange {
  readonly segment: number;
  readonly after: Uint8Array;
  readonly before: Uint8Array;
  readonly limit: number;
}

/**
 * Blocks of one segment with part 0: the last one whose term is not above `from`, then all up to `to`, in order, at most
 * `limit` in all.
 */
export interface CoveringRange {
  readonly segment: number;
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly limit: number;
}

/** A row of positions. */
export interface RowKey {
  readonly segment: number;
  readonly row: number;
}

/**
 * The store of the blocks of all segments. Keys compare by the bytes of the term, then by part. A call may read for several
 * segments at once; results are in the order of the requests. Blocks never change once they are written.
 */
export interface BlockStore {
  /** Finds, for each term, the last block with part 0 whose term is not above it. Null if there is none. */
  lookup(keys: readonly TermLookup[]): Promise<readonly (FoundBlock | null)[]>;
  ranges(ranges: readonly BlockRange[]): Promise<readonly (readonly FoundBlock[])[]>;
  covering(ranges: readonly CoveringRange[]): Promise<readonly (readonly FoundBlock[])[]>;
  parts(ranges: readonly PartRange[]): Promise<readonly (readonly FoundBlock[])[]>;
  /** Rows of positions; null for one that there is not. */
  rows(keys: readonly RowKey[]): Promise<readonly (Uint8Array | null)[]>;
  /** All blocks of a segment in the order of their keys, for merging. */
  scan(segment: number): AsyncIterable<FoundBlock>;
  /** All rows of positions of a segment, in order. */
  scanRows(segment: number): AsyncIterable<Uint8Array>;
}
