import type { MatchKind } from "@clew/contract";
import { fold } from "./fold.ts";
import { once } from "./once.ts";
import { addAll, filter, has, intersect, type PlaceSet, sizeUpTo, unite } from "./place-set.ts";
import { type QueryWord, queryWord } from "./query-word.ts";
import type { SetPool } from "./set-pool.ts";
import { rangeOf } from "./sorted-positions.ts";
import type { TitleIndex } from "./title-index.ts";
import { queryWords } from "./words.ts";

/** For each kind of match, the titles that match a query in this way or in a better one. Made when first asked for. */
export type TitleQuery = Readonly<Record<MatchKind, () => PlaceSet>>;

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
    const { from, to } = rangeOf(titles.units, sortedTitles.positions, text);
    const set = pool.take(index.nodes.length);
    addAll(set, sortedTitles.owners, from, to);
    return set;
  };
  const sets: TitleQuery = {
    exact: once(() => beginningWith(`${folded}\0`)),
    prefix: once(() => beginningWith(folded)),
    words: once(() => {
      const set = pool.copy(rarest.beginning());
      keepBeginning(set, others);
      unite(set, sets.prefix());
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

function keepBeginning(set: PlaceSet, words: readonly QueryWord[]): void {
  for (const { beginning, occurrenceIn } of words) {
    if (areFew(set)) filter(set, (place) => occurrenceIn(place) === "beginning");
    else intersect(set, beginning());
  }
}

function keepOccurring(set: PlaceSet, words: readonly QueryWord[]): void {
  for (const { occurring, occurrenceIn } of words) {
    if (areFew(set)) filter(set, (place) => occurrenceIn(place) !== "nowhere");
    else intersect(set, occurring());
  }
}

function keepResembling(set: PlaceSet, words: readonly QueryWord[]): void {
  for (const { resembling, occurring, occurrenceIn } of words) {
    if (!areFew(set)) intersect(set, (resembling ?? occurring)());
    // Most that are left have the word as it is, so that nobody need look for its typos.
    else
      filter(
        set,
        (place) => occurrenceIn(place) !== "nowhere" || (resembling !== null && has(resembling(), place)),
      );
  }
}

/** Whether a set is so small that its titles are rather looked at one by one. */
function areFew(set: PlaceSet): boolean {
  return sizeUpTo(set, fewPlaces) <= fewPlaces;
}
