/** The key of a block: its first term in UTF-8, and the number of the part if one term's postings take several. */
export interface BlockKey {
  readonly term: Uint8Array;
  readonly part: number;
}

/** A row of a segment. `positions` is read for phrases alone, so it is best stored behind `postings`. */
export interface Block extends BlockKey {
  readonly postings: Uint8Array;
  readonly positions: Uint8Array;
}

/** A block as it was found. `positions` is null if it was not asked for. */
export interface FoundBlock extends BlockKey {
  readonly postings: Uint8Array;
  readonly positions: Uint8Array | null;
}

export interface BlockLookup extends BlockKey {
  readonly segment: number;
}

/** Blocks of one segment with part 0 and `after < term < before`, in order, at most `limit`. */
export interface BlockRange {
  readonly segment: number;
  readonly after: Uint8Array;
  readonly before: Uint8Array;
  readonly limit: number;
}

/**
 * Where the blocks of all segments are. Keys compare by the bytes of the term, then by part. A call may read for several
 * segments at once; results are in the order of the requests. Blocks never change once they are written.
 */
export interface BlockStore {
  /**
   * Finds a block for each key: for part 0, the last block with part 0 whose term is not above that of the key; for another
   * part, the block with exactly this key. Null if there is none.
   */
  lookup(keys: readonly BlockLookup[], withPositions: boolean): Promise<readonly (FoundBlock | null)[]>;
  ranges(ranges: readonly BlockRange[], withPositions: boolean): Promise<readonly (readonly FoundBlock[])[]>;
  /** All blocks of a segment in the order of their keys, for merging. */
  scan(segment: number): AsyncIterable<Block>;
}
