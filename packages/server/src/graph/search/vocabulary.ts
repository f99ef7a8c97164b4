import { type PackedTexts, packUnits } from "./packed-texts.ts";

/** The distinct words of all titles. */
export interface Vocabulary extends PackedTexts {
  /** Which characters each word has, as `characterSet` gives them. */
  readonly characters: Uint32Array;
}

export function packVocabulary(words: readonly string[]): Vocabulary {
  return { ...packUnits(words), characters: Uint32Array.from(words, characterSet) };
}

/**
 * The characters of a text as 32 bits, several characters to a bit: where a bit is missing, so are its characters.
 * Letters that stand side by side in Unicode have different bits.
 */
export function characterSet(text: string): number {
  let set = 0;
  for (const character of text) set |= 1 << ((character.codePointAt(0) ?? 0) & 31);
  return set;
}
