import type { MatchKind } from "@clew/contract/vocabulary";
import { fold } from "@clew/text/basics";
import { lengthOf, rangeOf } from "../packed-texts.ts";
import type { RankSet } from "../rank-set.ts";
import type { TitleIndex } from "../title-index.ts";
import { once, type QueryWord, queryWord, type SetSource, titleSet } from "./query-word.ts";
import { standTogether } from "./stand-together.ts";

/**
 * The tiers of results, best first: the kinds of match, `words` in two. In `together` the words stand side by side, in the
 * order of the query, with nothing but signs between them.
 */
export const tiers = ["exact", "prefix", "together", "words", "substring", "fuzzy"] as const;
export type Tier = (typeof tiers)[number];

export const matchOf = (tier: Tier): MatchKind => (tier === "together" ? "words" : tier);

/** For each tier, the titles that are in it or in a better one. Computed on first use. */
export type TitleQuery = Readonly<Record<Tier, () => RankSet>>;

/**
 * Reads a query. A title matches it as
 *
 * - `exact` if it equals the query;
 * - `prefix` if it starts with the query;
 * - `words` if every word of the query starts a word of the title, in any order; `together` if they stand together;
 * - `substring` if it contains every word of the query;
 * - `fuzzy` if it contains every word of the query, or the word starts one of its words but for one typo.
 *
 * null if nothing is left of the query after folding: it matches no title.
 */
export function titleQuery(index: TitleIndex, query: string, sets: SetSource): TitleQuery | null {
  const { titles, sortedTitles } = index;
  const { pool } = sets;
  const folded = fold(query);
  const typed = queryWords(folded);
  const distinct = new Map(typed.map((word) => [word, queryWord(index, sets, word)]));
  const words = [...distinct.values()].sort((a, b) => a.weight - b.weight);
  const [first, ...next] = typed.flatMap((word) => distinct.get(word) ?? []);
  const [rarest, ...others] = words;
  if (rarest === undefined || first === undefined) return null;

  const startingWith = (text: string) => {
    const range = rangeOf(titles.units, sortedTitles.positions, text);
    const isFrequent = lengthOf(range) > sets.capacity / 128;
    return titleSet(sets, { name: `title ${text}`, isFrequent }, (set) =>
      set.addAll(sortedTitles.owners, range.from, range.to),
    );
  };
  const tierSets: TitleQuery = {
    // Titles end with a zero.
    exact: once(() => startingWith(`${folded}\0`)),
    prefix: once(() => startingWith(folded)),
    together: once(() => {
      if (next.length === 0) return tierSets.words();
      const candidates = pool.copy(tierSets.words());
      // All words but the last are whole ones, which are few while somebody types.
      for (const { whole, wholeWeight } of [first, ...next].slice(0, -1)) {
        const size = candidates.sizeUpTo(maxInspected);
        if (size > maxInspected || wholeWeight < size * postingsPerInspection) candidates.intersect(whole());
      }
      const isFrequent = candidates.sizeUpTo(sets.capacity / 512) > sets.capacity / 512;
      return titleSet(sets, { name: `together ${typed.join(" ")}`, isFrequent }, (set) => {
        set.unite(candidates);
        set.filter(standTogether(index, [first, ...next]));
        set.unite(tierSets.prefix());
      });
    }),
    words: once(() => {
      const set = pool.copy(rarest.starting());
      for (const word of others) keep(set, word.starting, (rank) => word.occurrenceIn(rank) === "start");
      set.unite(tierSets.prefix());
      return set;
    }),
    substring: once(() => {
      const set = pool.copy(rarest.containing());
      for (const word of others) keep(set, word.containing, contains(word));
      return set;
    }),
    fuzzy: once(() => {
      if (words.every(({ resembling }) => resembling === null)) return tierSets.substring();
      const set = pool.copy((rarest.resembling ?? rarest.containing)());
      for (const word of others) {
        const { resembling } = word;
        const isContained = contains(word);
        // Most of the titles left contain the word as it is, so its typos are rarely looked up.
        if (resembling === null) keep(set, word.containing, isContained);
        else keep(set, resembling, (rank) => isContained(rank) || resembling().has(rank));
      }
      return set;
    }),
  };
  return tierSets;
}

const contains =
  ({ occurrenceIn }: QueryWord) =>
  (rank: number): boolean =>
    occurrenceIn(rank) !== "none";

/** Titles that are inspected one by one rather than intersected with a set that must be computed first. */
const maxInspected = 256;

/** Removes the titles that do not match a word. `matching` and `matches` say the same. */
function keep(set: RankSet, matching: () => RankSet, matches: (rank: number) => boolean): void {
  if (set.sizeUpTo(maxInspected) <= maxInspected) set.filter(matches);
  else set.intersect(matching());
}

/** About how many postings are read in the time in which a title is inspected. */
const postingsPerInspection = 32;

/** White space and punctuation, except for signs that are part of a word: `C#`, `R&D`, `50%`, `@home`. */
const separators = /[[\s\p{P}]--[#@\&%*]]+/v;

/** The words of a folded query, signs included. A query of punctuation alone is one word. */
function queryWords(folded: string): string[] {
  const words = folded.split(separators).filter((word) => word !== "");
  return words.length > 0 || folded === "" ? words : [folded];
}
