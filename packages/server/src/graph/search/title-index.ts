import { fold } from "./fold.ts";
import { offsetsOf, type PackedTexts, packUnits } from "./packed-texts.ts";
import { packVocabulary, type Vocabulary } from "./vocabulary.ts";
import { plainWords } from "./words.ts";

/**
 * The titles of a graph's nodes, folded. Titles share their words: a query is compared with each distinct word once.
 */
export interface TitleIndex {
  readonly titles: PackedTexts;
  readonly vocabulary: Vocabulary;
  /** The words of each title, as indexes into the vocabulary, title after title. */
  readonly words: Uint32Array;
  /** Where the words of each title begin in `words`, and after the last where they end. */
  readonly wordOffsets: Uint32Array;
}

export function indexTitles(titles: readonly string[]): TitleIndex {
  const folded = titles.map(fold);
  const indexes = new Map<string, number>();
  const indexOf = (word: string): number => {
    const index = indexes.get(word) ?? indexes.size;
    if (index === indexes.size) indexes.set(word, index);
    return index;
  };
  const words = folded.map((title) => plainWords(title).map(indexOf));
  return {
    titles: packUnits(folded),
    vocabulary: packVocabulary([...indexes.keys()]),
    words: Uint32Array.from(words.flat()),
    wordOffsets: offsetsOf(words),
  };
}
