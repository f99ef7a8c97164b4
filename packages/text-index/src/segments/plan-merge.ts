/** The facts that decide whether a segment is merged. */
export interface SegmentSize {
  readonly sections: number;
  readonly liveSections: number;
}

/** Segments of one tier that are merged at a time. */
const fanIn = 4;
/** Segments with fewer sections are all of the lowest tier. */
const smallest = 1000;
/** A segment with a larger share of dead sections is written anew. */
const mostDead = 1 / 3;

/**
 * Chooses the segments to merge next: four of one tier, where each tier holds segments four times as large as the one
 * below; otherwise one that is mostly dead. A word is so written once a tier, and a thousand times the text needs five
 * tiers. Those that the result would be merged with at once are merged with it, since each merge leaves a copy of what it read until
 * no query needs that. Returns indexes, ascending; none if there is nothing to merge.
 */
export function planMerge(segments: readonly SegmentSize[]): number[] {
  const [first, ...others] = nextMerge(segments);
  if (first === undefined) return [];
  const chosen = new Set([first, ...others]);
  for (let size = 0; chosen.size > size; ) {
    size = chosen.size;
    const sizes = segments.map((each, index) => ({ ...each, index }));
    const rest = sizes.filter(({ index }) => !chosen.has(index));
    const live = sizes.reduce((sum, each) => sum + (chosen.has(each.index) ? each.liveSections : 0), 0);
    const next = nextMerge([...rest, { sections: live, liveSections: live }]);
    // The result is the last one.
    if (next.includes(rest.length)) for (const at of next) chosen.add(rest[at]?.index ?? first);
  }
  return [...chosen].sort((one, other) => one - other);
}

function nextMerge(segments: readonly SegmentSize[]): number[] {
  const tiers = Map.groupBy(segments.keys(), (index) => tierOf(segments[index]?.liveSections ?? 0));
  const full = [...tiers].sort(([a], [b]) => a - b).find(([, members]) => members.length >= fanIn);
  if (full !== undefined) return full[1];
  const wasteful = segments.findIndex(
    ({ sections, liveSections }) => sections - liveSections > sections * mostDead,
  );
  return wasteful < 0 ? [] : [wasteful];
}

const tierOf = (sections: number) =>
  Math.floor(Math.log(Math.max(sections, smallest) / smallest) / Math.log(fanIn));
