import { unitAt } from "../column.ts";
import { sliceStandsAt } from "./pattern.ts";
import { countLetters } from "./words.ts";

/** How many letters a word has, as it was typed or as it was meant, before a typo in it is forgiven (GRAPH-3). */
const forgivingLength = 5;

/** A word as it was typed. */
export interface TypedWord {
  readonly units: Uint16Array;
  readonly letters: number;
}

/** Whether a typo can be forgiven in it: if that made a letter too few of five, four are left. */
export function mayHaveTypo({ letters }: TypedWord): boolean {
  return letters >= forgivingLength - 1;
}

/**
 * Whether a typed word is the word between two positions of a text, or the beginning of it, but for one typo at most: a
 * letter added, left out or changed, or two neighbours swapped (optimal string alignment).
 *
 * The typo is where the two first differ. It may have happened before, but only among letters that are all the same,
 * and then it might as well have happened there.
 */
export function isTypoOf(
  { units, letters }: TypedWord,
  text: Uint16Array,
  start: number,
  end: number,
): boolean {
  const shared = sharedLength(units, text, start, end);
  if (shared === units.length) return true;
  const position = start + shared;
  const typedEnd = characterEnd(units, shared, units.length);
  const meantEnd = characterEnd(text, position, end);
  const lettersMeant = () => lettersBetween(text, position, meantEnd);
  const lettersTyped = () => lettersBetween(units, shared, typedEnd);
  // Left out, changed, added, swapped.
  return (
    (restStandsAt(units, shared, text, meantEnd, end) && isForgiven(letters, lettersMeant())) ||
    (restStandsAt(units, typedEnd, text, meantEnd, end) &&
      isForgiven(letters, lettersMeant() - lettersTyped())) ||
    (restStandsAt(units, typedEnd, text, position, end) && isForgiven(letters, 0)) ||
    (isSwapped(units, shared, typedEnd, text, position, end) && isForgiven(letters, 0))
  );
}

/** Whether a word has letters enough as it was typed, or as it was meant with some more. */
function isForgiven(typed: number, more: number): boolean {
  return Math.max(typed, typed + more) >= forgivingLength;
}

/** Whether the characters at `first` and at `second` of a typed word stand in a text the other way round, then its rest. */
function isSwapped(
  units: Uint16Array,
  first: number,
  second: number,
  text: Uint16Array,
  position: number,
  end: number,
): boolean {
  const rest = characterEnd(units, second, units.length);
  return (
    sliceStandsAt(units, second, rest, text, position, end) &&
    sliceStandsAt(units, first, second, text, position + rest - second, end) &&
    restStandsAt(units, rest, text, position + rest - first, end)
  );
}

function restStandsAt(
  units: Uint16Array,
  from: number,
  text: Uint16Array,
  position: number,
  end: number,
): boolean {
  return sliceStandsAt(units, from, units.length, text, position, end);
}

/** How many units two words have in common from their beginnings on, in whole characters. */
function sharedLength(units: Uint16Array, text: Uint16Array, start: number, end: number): number {
  const most = Math.min(units.length, end - start);
  let length = 0;
  while (length < most && unitAt(units, length) === unitAt(text, start + length)) length += 1;
  return length > 0 && isHighSurrogate(unitAt(units, length - 1)) ? length - 1 : length;
}

/** Where the character at a position ends: two units on where it is a surrogate pair. */
function characterEnd(units: Uint16Array, position: number, end: number): number {
  if (position >= end) return end;
  return position + (isHighSurrogate(unitAt(units, position)) ? 2 : 1);
}

function lettersBetween(units: Uint16Array, start: number, end: number): number {
  return countLetters(String.fromCharCode(...units.subarray(start, end)));
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
