import { RankSet } from "./rank-set.ts";
import type { TitleIndex } from "./title-index.ts";

/** Sets that are kept for an index at most: 16 MB where there are a million titles. */
const keptAtMost = 128;

const kept = new WeakMap<TitleIndex, Map<string, RankSet>>();

/** The set of that name: most titles have the letter `e`, and finding them takes longer than the rest of a search. */
export function frequentSet(index: TitleIndex, name: string, make: () => RankSet): RankSet {
  const sets = kept.get(index) ?? new Map<string, RankSet>();
  kept.set(index, sets);
  const known = sets.get(name);
  if (known !== undefined) return known;
  if (sets.size === keptAtMost) sets.clear();
  // What was made lies in a pool.
  const set = make();
  const made = set.copyInto(new RankSet(set.room));
  sets.set(name, made);
  return made;
}
