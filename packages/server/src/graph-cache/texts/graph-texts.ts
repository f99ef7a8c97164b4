import { noSnapshot, snapshotBytes, type TextSnapshot } from "./snapshot.ts";

/** The text index of a published graph. */
export interface GraphTexts {
  /** The index as this graph sees it. Throws if it cannot be opened now. */
  snapshot(): Promise<TextSnapshot>;
  /** Opens the index again: it has grown, or its segments were replaced. Until then `snapshot` resolves to the older one. */
  refresh(): Promise<void>;
  byteLength(): number;
}

/** Opens the index with the first use. */
export function createGraphTexts(open: () => Promise<TextSnapshot>): GraphTexts {
  let latest: TextSnapshot | null = null;
  let bytes = 0;
  let opening: Promise<TextSnapshot> | null = null;

  const openOnce = (): Promise<TextSnapshot> => {
    opening ??= open()
      .then((snapshot) => {
        latest = snapshot;
        bytes = snapshotBytes(snapshot);
        return snapshot;
      })
      .finally(() => {
        opening = null;
      });
    return opening;
  };

  return {
    snapshot: async () => latest ?? openOnce(),
    async refresh() {
      // What is being opened now may be the older one.
      await opening?.catch(() => {});
      await openOnce();
    },
    byteLength: () => bytes,
  };
}

/** Of a graph without a text index. */
export const noTexts = createGraphTexts(async () => noSnapshot);
