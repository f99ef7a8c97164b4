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

/** The snapshot of a graph without a text index. */
export const noSnapshot: TextSnapshot = { storeId: "", revision: 0, indexed: 0, segments: [] };

/** Bytes of a snapshot's columns. */
function snapshotBytes({ segments }: TextSnapshot): number {
  return segments.reduce((sum, { pages, live }) => sum + segmentBytes(pages) + live.nodeOf.byteLength, 0);
}

/** The text index of a published graph. It is opened with the first use. */
export class GraphTexts {
  readonly #open: () => Promise<TextSnapshot>;
  #latest: TextSnapshot | null = null;
  #opening: Promise<TextSnapshot> | null = null;
  #bytes = 0;

  constructor(open: () => Promise<TextSnapshot>) {
    this.#open = open;
  }

  /** The index as this graph sees it. Throws if it cannot be opened now. */
  async snapshot(): Promise<TextSnapshot> {
    return this.#latest ?? this.#openOnce();
  }

  /** Opens the index again: it has grown, or its segments were replaced. Until then `snapshot` resolves to the older one. */
  async refresh(): Promise<void> {
    // An index that is being opened now may be the older one.
    await this.#opening?.catch(() => {});
    await this.#openOnce();
  }

  byteLength(): number {
    return this.#bytes;
  }

  #openOnce(): Promise<TextSnapshot> {
    this.#opening ??= this.#open()
      .then((snapshot) => {
        this.#latest = snapshot;
        this.#bytes = snapshotBytes(snapshot);
        return snapshot;
      })
      .finally(() => {
        this.#opening = null;
      });
    return this.#opening;
  }
}

/** The texts of a graph without a text index. */
export const noTexts = new GraphTexts(async () => noSnapshot);
