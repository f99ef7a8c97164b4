import { at } from "../column.ts";
import { fold } from "./fold.ts";
import { exact, type MatchRank, prefix, unmatched, words } from "./match-rank.ts";
import { patternOf, standsAt } from "./pattern.ts";
import { plainWordMatcher } from "./plain-word.ts";
import { signedWordMatcher } from "./signed-word.ts";
import type { TitleIndex } from "./title-index.ts";
import { isPlain, queryWords } from "./words.ts";

/**
 * Reads a query and says of each title the best way in which it matches:
 *
 * - `exact`: it is the query;
 * - `prefix`: it begins with the query;
 * - `words`: every word of the query begins a word of it, in any order;
 * - `substring`: every word of the query occurs in it;
 * - `fuzzy`: every word does, or begins a word of it but for one typo.
 *
 * null where folding leaves nothing of the query: it matches no title.
 */
export function titleMatcher(index: TitleIndex, query: string): ((title: number) => MatchRank) | null {
  const folded = fold(query);
  if (folded === "") return null;
  const whole = patternOf(folded);
  // The longest word first: it dismisses most titles.
  const matchers = queryWords(folded)
    .sort((a, b) => b.length - a.length)
    .map((word) => (isPlain(word) ? plainWordMatcher(index, word) : signedWordMatcher(index, word)));

  const { units, offsets } = index.titles;
  return (title) => {
    let worst: MatchRank = words;
    for (const rankOf of matchers) {
      worst = Math.max(worst, rankOf(title));
      if (worst === unmatched) return unmatched;
    }
    const [start, end] = [at(offsets, title), at(offsets, title + 1)];
    if (!standsAt(whole, units, start, end)) return worst;
    return whole.units.length === end - start ? exact : prefix;
  };
}
