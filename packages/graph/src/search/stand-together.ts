import type { Range } from "../packed-texts.ts";
import { isWordAt, lengthAt } from "../terms.ts";
import type { TitleIndex } from "../title-index.ts";
import { type QueryWord, titleAt } from "./query-word.ts";

/**
 * Tells whether words stand side by side in the title at a rank: in their order, each at the start of a word of the title, with
 * nothing but spaces and signs between them. So the last may be the beginning of a word; the others are whole words.
 */
export function standTogether(
  index: TitleIndex,
  [first, ...others]: readonly [QueryWord, ...QueryWord[]],
): (rank: number) => boolean {
  const { units } = index.titles;
  const areNext = (title: Range, from: number) => {
    let end = from;
    for (const word of others) {
      end = endOfNext(units, title, word, end);
      if (end < 0) return false;
    }
    return true;
  };
  return (rank) => {
    const title = titleAt(index, rank);
    let start = first.startIn(title, title.from);
    while (start >= 0 && !areNext(title, start + first.length)) start = first.startIn(title, start + 1);
    return start >= 0;
  };
}

/**
 * The end of a word that comes next in a title, -1 if another word does. The first place counts: between it and a later one
 * would stand signs alone, so what follows that one follows this one too.
 */
function endOfNext(units: Uint16Array, title: Range, word: QueryWord, from: number): number {
  for (let position = from; position < title.to; position += lengthAt(units, position)) {
    if (word.startsAt(title, position)) return position + word.length;
    if (isWordAt(units, position)) return -1;
  }
  return -1;
}
