import { at, unitAt } from "../column.ts";
import type { PackedTexts } from "./packed-texts.ts";
import { lengthOf, type Range, rangeOf } from "./sorted-positions.ts";
import { forEachSuffix, type TitleIndex } from "./title-index.ts";
import { countLetters } from "./words.ts";

/** How many letters a word has, as it was typed or as it was meant, before a typo in it is forgiven (GRAPH-3). */
const forgivingLength = 5;

/** Whether a typo can be forgiven in a word as it was typed: if that made a letter too few of five, four are left. */
export function mayHaveTypo(word: string): boolean {
  return countLetters(word) >= forgivingLength - 1;
}

/**
 * The runs that a typed word is the beginning of, but for one typo: a letter added, left out or changed, or two
 * neighbours swapped (optimal string alignment). What was typed up to the typo and after it is looked up as it is.
 * Calls back with ranges of runs, which may overlap.
 */
export function runsWithTypo(index: TitleIndex, word: string, found: (runs: Range) => void): void {
  const { units, offsets } = index.runs;
  const letters = countLetters(word);
  const isForgiven = (meantMore: number) => Math.max(letters, letters + meantMore) >= forgivingLength;
  const narrow = (runs: Range, text: string, skipped: number) => rangeOf(units, offsets, text, runs, skipped);

  const characters = [...word];
  let before: Range = { from: 0, to: offsets.length - 1 };
  let skipped = 0;
  characters.forEach((typed, place) => {
    if (lengthOf(before) === 0) return;
    const [next = "", after] = [characters[place + 1], characters.slice(place + 2).join("")];
    const rest = next + after;
    if (isForgiven(0)) {
      // Added; swapped.
      found(narrow(before, rest, skipped));
      if (next !== "") found(narrow(before, next + typed + after, skipped));
    }
    // Left out; changed.
    const instead = (meant: string, runs: Range) => {
      const more = countLetters(meant);
      const further = skipped + meant.length;
      if (isForgiven(more)) found(narrow(runs, typed + rest, further));
      if (isForgiven(more - countLetters(typed))) found(narrow(runs, rest, further));
    };
    if (place > 0) forEachCharacter(index.runs, before, skipped, instead);
    // Any character may begin a run, so that it is rather asked what they have next.
    else for (const tail of [word, rest]) forEachSecond(index, tail, instead);
    before = narrow(before, typed, skipped);
    skipped += typed.length;
  });
}

/** The characters that runs have after those that they share, each with the runs that have it. */
function forEachCharacter(
  { units, offsets }: PackedTexts,
  runs: Range,
  shared: number,
  found: (character: string, runs: Range) => void,
): void {
  for (let run = runs.from; run < runs.to; ) {
    const character = characterAt(units, at(offsets, run) + shared);
    const alike = rangeOf(units, offsets, character, { from: run, to: runs.to }, shared);
    if (character !== "\0") found(character, alike);
    run = alike.to;
  }
}

/** The first characters of runs that go on with a text, each with its run. */
function forEachSecond(
  index: TitleIndex,
  text: string,
  found: (character: string, runs: Range) => void,
): void {
  const { units, offsets } = index.runs;
  forEachSuffix(index, text, (run, position) => {
    const first = characterAt(units, at(offsets, run));
    if (at(offsets, run) + first.length === position) found(first, { from: run, to: run + 1 });
  });
}

function characterAt(units: Uint16Array, position: number): string {
  const unit = unitAt(units, position);
  const isPair = unit >= 0xd800 && unit <= 0xdbff;
  return isPair ? String.fromCharCode(unit, unitAt(units, position + 1)) : String.fromCharCode(unit);
}
