import { at, unitAt } from "../column.ts";
import { type PackedTexts, packUnits } from "./packed-texts.ts";

/** The distinct words of all titles. */
export interface Vocabulary extends PackedTexts {
  /** Which characters each word has, as `characterSet` gives them. */
  readonly characters: Uint32Array;
}

export function packVocabulary(words: readonly string[]): Vocabulary {
  const { units, offsets } = packUnits(words);
  const characters = Uint32Array.from(words, (_, row) =>
    characterSet(units.subarray(at(offsets, row), at(offsets, row + 1))),
  );
  return { units, offsets, characters };
}

/**
 * The characters of a text as 32 bits, several characters to a bit: where a bit is missing, so are its characters.
 * Letters that stand side by side in Unicode have different bits.
 */
export function characterSet(units: Uint16Array): number {
  let set = 0;
  for (let index = 0; index < units.length; index += 1) set |= 1 << (unitAt(units, index) & 31);
  return set;
}
