import { at, unitAt } from "../column.ts";
import type { PackedTexts } from "./packed-texts.ts";
import { indexIn, patternOf } from "./pattern.ts";
import { beginsPlainly, isPlain } from "./words.ts";

/** How a word stands in a title: at the beginning of some word of it, within words alone, or not at all. */
export type Occurrence = "beginning" | "within" | "nowhere";

/** Says of a title how a word stands in it. Anything begins a word after white space, a letter or digit after a sign. */
export function occurrenceOf({ units, offsets }: PackedTexts, text: string): (title: number) => Occurrence {
  const pattern = patternOf(text);
  const plainly = beginsPlainly(text);
  const beginsWord = (start: number, position: number) =>
    position === start ||
    unitAt(units, position - 1) === space ||
    (plainly && !isPlain(characterBefore(units, start, position)));
  return (title) => {
    // Titles end with a zero.
    const [start, end] = [at(offsets, title), at(offsets, title + 1) - 1];
    let found = indexIn(pattern, units, start, end);
    if (found < 0) return "nowhere";
    for (; found >= 0; found = indexIn(pattern, units, found + 1, end)) {
      if (beginsWord(start, found)) return "beginning";
    }
    return "within";
  };
}

const space = 0x20;

/** The character before a position, both halves of it where it is a surrogate pair. */
function characterBefore(units: Uint16Array, start: number, position: number): string {
  const unit = unitAt(units, position - 1);
  const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff && position - 1 > start;
  return isSecondHalf ? String.fromCharCode(unitAt(units, position - 2), unit) : String.fromCharCode(unit);
}
