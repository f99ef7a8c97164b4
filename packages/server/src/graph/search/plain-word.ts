import { at, byteAt } from "../column.ts";
import { fuzzy, type MatchRank, substring, unmatched, words } from "./match-rank.ts";
import { indexIn, type Pattern, patternOf, standsAt } from "./pattern.ts";
import type { TitleIndex } from "./title-index.ts";
import { isTypoOf, mayHaveTypo, type TypedWord } from "./typo.ts";
import { characterSet, type Vocabulary } from "./vocabulary.ts";
import { countLetters } from "./words.ts";

interface PlainWord extends Pattern, TypedWord {
  readonly characters: number;
}

/**
 * How a word without signs matches titles: as the best of the title's words does. It is compared with each word of the
 * vocabulary once, when that first comes up.
 */
export function plainWordMatcher(index: TitleIndex, text: string): (title: number) => MatchRank {
  const { vocabulary, words: entries, wordOffsets } = index;
  const word = { ...patternOf(text), letters: countLetters(text), characters: characterSet(text) };
  /** The ranks of words compared so far, 0 where one has not come up. */
  const ranks = new Uint8Array(vocabulary.characters.length);
  return (title) => {
    const end = at(wordOffsets, title + 1);
    let best = unmatched;
    for (let position = at(wordOffsets, title); position < end; position += 1) {
      const entry = at(entries, position);
      let rank = byteAt(ranks, entry);
      if (rank === 0) {
        rank = compare(vocabulary, entry, word);
        ranks[entry] = rank;
      }
      if (rank < best) best = rank;
    }
    return best;
  };
}

/**
 * How a word matches one of the vocabulary. Most are told apart by their characters: a word that stands in another
 * brings none along, one with a typo brings one.
 */
function compare({ units, offsets, characters }: Vocabulary, entry: number, word: PlainWord): MatchRank {
  const [start, end] = [at(offsets, entry), at(offsets, entry + 1)];
  const foreign = word.characters & ~at(characters, entry);
  if (foreign === 0) {
    if (standsAt(word, units, start, end)) return words;
    if (indexIn(word, units, start, end) >= 0) return substring;
  }
  const atMostOne = (foreign & (foreign - 1)) === 0;
  return atMostOne && mayHaveTypo(word) && isTypoOf(word, units, start, end) ? fuzzy : unmatched;
}
