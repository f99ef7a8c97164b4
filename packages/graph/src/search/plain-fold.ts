import { fold } from "./fold.ts";

/**
 * Writes the folded form of a text where each of its characters folds to one unit, whatever stands beside it. Returns
 * where it ends, or -1 where the text is not as plain as that. Most titles are: it takes a look-up a unit.
 */
export function foldPlainly(text: string, units: Uint16Array, start: number): number {
  let before = space;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const folded = forms[unit] || formOf(unit);
    if (folded === notPlain || (folded === space && before === space)) return -1;
    units[start + index] = folded;
    before = folded;
  }
  return before === space ? -1 : start + text.length;
}

const space = 0x20;
/** A unit that no folded text has. */
const notPlain = 0xffff;

/** The folded units of those that have come up. */
const forms = new Uint16Array(0x1_0000);

function formOf(unit: number): number {
  const character = String.fromCharCode(unit);
  const folded = character === " " ? " " : fold(character);
  const isPlain = folded.length === 1 && standsAlone.test(character) && standsAlone.test(folded);
  const form = isPlain ? folded.charCodeAt(0) : notPlain;
  forms[unit] = form;
  return form;
}

/** What neither composes with a neighbour nor is a mark on it: no marks, half a pair, or parts of Hangul syllables. */
const standsAlone = /^(?:[[\p{L}\p{N}\p{P}\p{S}]--[\u1100-\u11ff]]| )$/v;
