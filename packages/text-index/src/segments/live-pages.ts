import { at } from "./bytes.ts";
import { idBytes, type SegmentPages } from "./segment-pages.ts";

/** The pages of a segment that are found: a page counts only in the newest segment that has it, and only if the graph has it. */
export interface LivePages {
  /** The node of each page in the published graph; `dead` for a page that does not count here. In shared memory. */
  readonly nodeOf: Uint32Array;
  readonly pageCount: number;
  readonly sectionCount: number;
  /** The sum of the lengths of these sections. */
  readonly length: number;
}

export const dead = 0xffff_ffff;

/**
 * Finds the live pages of each segment.
 *
 * @param segments Oldest first.
 * @param nodeCount How many nodes the graph has.
 * @param nodeAt The node whose id is in `ids` from byte `start` on, or -1. It may also refuse a page for its version.
 */
export function findLivePages(
  segments: readonly SegmentPages[],
  nodeCount: number,
  nodeAt: (ids: Uint8Array, start: number, version: number) => number,
): LivePages[] {
  const seen = new Uint8Array(nodeCount);
  return segments
    .toReversed()
    .map((pages) => livePagesOf(pages, seen, nodeAt))
    .reverse();
}

function livePagesOf(
  pages: SegmentPages,
  seen: Uint8Array,
  nodeAt: (ids: Uint8Array, start: number, version: number) => number,
): LivePages {
  const nodeOf = new Uint32Array(new SharedArrayBuffer(4 * pages.pageCount)).fill(dead);
  let pageCount = 0;
  let sectionCount = 0;
  let length = 0;
  for (let page = 0; page < pages.pageCount; page += 1) {
    const node = nodeAt(pages.ids, page * idBytes, pages.versions[page] as number);
    if (node < 0 || seen[node] !== 0) continue;
    seen[node] = 1;
    nodeOf[page] = node;
    pageCount += 1;
    const end = at(pages.firstSections, page + 1);
    for (let section = at(pages.firstSections, page); section < end; section += 1) {
      sectionCount += 1;
      length += pages.lengths[section] as number;
    }
  }
  return { nodeOf, pageCount, sectionCount, length };
}
