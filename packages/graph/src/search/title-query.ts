import type { MatchKind } from "@clew/contract";
import { fold } from "./fold.ts";
import { frequentSet } from "./frequent-sets.ts";
import { once } from "./once.ts";
import { type QueryWord, queryWord } from "./query-word.ts";
import type { RankSet } from "./rank-set.ts";
import type { SetPool } from "./set-pool.ts";
import { lengthOf, rangeOf } from "./sorted-positions.ts";
import type { TitleIndex } from "./title-index.ts";
import { queryWords } from "./words.ts";

/** For each kind of match, the titles that match a query in this way or in a better one. Made when first asked for. */
export type TitleQuery = Readonly<Record<MatchKind, () => RankSet>>;

const fewPlaces = 256;

/**
 * Reads a query. A title matches it as
 *
 * - `exact` if it is the query;
 * - `prefix` if it begins with the query;
 * - `words` if every word of the query begins a word of it, in any order;
 * - `substring` if every word of the query occurs in it;
 * - `fuzzy` if every word does, or begins a word of it but for one typo.
 *
 * null where folding leaves nothing of the query: it matches no title.
 */
export function titleQuery(index: TitleIndex, query: string, pool: SetPool): TitleQuery | null {
  const { titles, sortedTitles } = index;
  const folded = fold(query);
  if (folded === "") return null;
  const words = queryWords(folded)
    .map((word) => queryWord(index, pool, word))
    .sort((a, b) => a.weight - b.weight);
  const [rarest, ...others] = words;
  if (rarest === undefined) return null;

  /** A text that ends with the zero at the end of titles is all of them. */
  const beginningWith = (text: string) => {
    const range = rangeOf(titles.units, sortedTitles.positions, text);
    const make = () => {
      const set = pool.take(index.nodes.length);
      set.addAll(sortedTitles.owners, range.from, range.to);
      return set;
    };
    return lengthOf(range) > index.nodes.length / 128 ? frequentSet(index, `title ${text}`, make) : make();
  };
  const sets: TitleQuery = {
    exact: once(() => beginningWith(`${folded}\0`)),
    prefix: once(() => beginningWith(folded)),
    words: once(() => {
      const set = pool.copy(rarest.beginning());
      keepBeginning(set, others);
      set.unite(sets.prefix());
      return set;
    }),
    substring: once(() => {
      const set = pool.copy(rarest.occurring());
      keepOccurring(set, others);
      return set;
    }),
    fuzzy: once(() => {
      if (words.every(({ resembling }) => resembling === null)) return sets.substring();
      const set = pool.copy((rarest.resembling ?? rarest.occurring)());
      keepResembling(set, others);
      return set;
    }),
  };
  return sets;
}

function keepBeginning(set: RankSet, words: readonly QueryWord[]): void {
  for (const { beginning, occurrenceIn } of words) {
    if (areFew(set)) set.filter((place) => occurrenceIn(place) === "beginning");
    else set.intersect(beginning());
  }
}

function keepOccurring(set: RankSet, words: readonly QueryWord[]): void {
  for (const { occurring, occurrenceIn } of words) {
    if (areFew(set)) set.filter((place) => occurrenceIn(place) !== "nowhere");
    else set.intersect(occurring());
  }
}

function keepResembling(set: RankSet, words: readonly QueryWord[]): void {
  for (const { resembling, occurring, occurrenceIn } of words) {
    if (!areFew(set)) set.intersect((resembling ?? occurring)());
    // Most that are left have the word as it is, so that nobody need look for its typos.
    else set.filter((place) => occurrenceIn(place) !== "nowhere" || resembling?.().has(place) === true);
  }
}

/** Whether a set is so small that its titles are rather looked at one by one. */
function areFew(set: RankSet): boolean {
  return set.sizeUpTo(fewPlaces) <= fewPlaces;
}
