import { at, unitAt } from "../columns.ts";
import { lengthOf, type PackedTexts, type Range, rangeOf } from "../packed-texts.ts";
import { forEachSuffix, type TitleIndex } from "../title-index.ts";

/** The letters that a word must have, as typed or as meant, for a typo in it to be forgiven (GRAPH-3). */
const minLetters = 5;

const letter = /\p{L}/gu;

function countLetters(text: string): number {
  return text.match(letter)?.length ?? 0;
}

/** Whether a typo may be forgiven in a term as typed. Four letters are enough, since the typo may have lost one. */
export function mayHaveTypo(term: string): boolean {
  return countLetters(term) >= minLetters - 1;
}

/**
 * The terms that start with a typed word but for one typo: a letter added, left out or changed, or two neighbours swapped
 * (optimal string alignment). For each possible position of the typo: the prefix before it selects a range of terms; the
 * rest is looked up after each character that follows in that range. Ranges that are found may overlap.
 */
export function termsWithTypo(index: TitleIndex, word: string, found: (terms: Range) => void): void {
  const { units, offsets } = index.terms;
  const letters = countLetters(word);
  const isForgiven = (extraLetters: number) => letters + Math.max(0, extraLetters) >= minLetters;
  const narrow = (terms: Range, text: string, skipped: number) =>
    rangeOf(units, offsets, text, terms, skipped);

  const characters = [...word];
  let before: Range = { from: 0, to: offsets.length - 1 };
  let skipped = 0;
  characters.forEach((typed, position) => {
    if (lengthOf(before) === 0) return;
    const [next = "", after] = [characters[position + 1], characters.slice(position + 2).join("")];
    const rest = next + after;
    if (isForgiven(0)) {
      // A letter added; two swapped.
      found(narrow(before, rest, skipped));
      if (next !== "") found(narrow(before, next + typed + after, skipped));
    }
    const tryMeant = (meant: string, terms: Range) => {
      const extra = countLetters(meant);
      const end = skipped + meant.length;
      // A letter left out; one changed.
      if (isForgiven(extra)) found(narrow(terms, typed + rest, end));
      if (isForgiven(extra - countLetters(typed))) found(narrow(terms, rest, end));
    };
    if (position > 0) forEachCharacter(index.terms, before, skipped, tryMeant);
    // Terms start with too many characters to try each: the suffix array finds the terms that continue with the rest.
    else for (const tail of [word, rest]) forEachSecond(index, tail, tryMeant);
    before = narrow(before, typed, skipped);
    skipped += typed.length;
  });
}

/** The characters that follow the first `shared` units of terms, each with the terms that have it there. */
function forEachCharacter(
  { units, offsets }: PackedTexts,
  terms: Range,
  shared: number,
  found: (character: string, terms: Range) => void,
): void {
  for (let term = terms.from; term < terms.to; ) {
    const character = characterAt(units, at(offsets, term) + shared);
    const same = rangeOf(units, offsets, character, { from: term, to: terms.to }, shared);
    if (character !== "\0") found(character, same);
    term = same.to;
  }
}

/** The terms that have a text right after their first character, with that character. */
function forEachSecond(
  index: TitleIndex,
  text: string,
  found: (character: string, terms: Range) => void,
): void {
  const { units, offsets } = index.terms;
  forEachSuffix(index, text, (term, position) => {
    const first = characterAt(units, at(offsets, term));
    if (at(offsets, term) + first.length === position) found(first, { from: term, to: term + 1 });
  });
}

function characterAt(units: Uint16Array, position: number): string {
  const unit = unitAt(units, position);
  const isPair = unit >= 0xd800 && unit <= 0xdbff;
  return isPair ? String.fromCharCode(unit, unitAt(units, position + 1)) : String.fromCharCode(unit);
}
