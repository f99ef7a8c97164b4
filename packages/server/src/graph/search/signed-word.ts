import { at } from "../column.ts";
import { type MatchRank, substring, unmatched, words } from "./match-rank.ts";
import { indexIn, patternOf } from "./pattern.ts";
import type { TitleIndex } from "./title-index.ts";
import { beginsWord } from "./words.ts";

/** How a word with signs in it, such as `C++` or an emoji, matches titles. Nothing is forgiven in it. */
export function signedWordMatcher({ titles }: TitleIndex, text: string): (title: number) => MatchRank {
  const pattern = patternOf(text);
  return (title) => {
    const [start, end] = [at(titles.offsets, title), at(titles.offsets, title + 1)];
    let rank = unmatched;
    let found = indexIn(pattern, titles.units, start, end);
    while (found >= 0) {
      // The character before, or the two of which it is the second half.
      const before = String.fromCharCode(...titles.units.subarray(Math.max(start, found - 2), found));
      if (beginsWord(before, text)) return words;
      rank = substring;
      found = indexIn(pattern, titles.units, found + 1, end);
    }
    return rank;
  };
}
