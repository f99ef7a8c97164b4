import type { QueryWord } from "@clew/text-index";

/*
 * Numbers of several parts: versions (`3.7.3`, `v7.4`) and dates (`2025-06-18`). Their parts alone say nothing: a 7 is
 * everywhere.
 */

const pattern = /(?<![\p{L}\p{N}.-])v?(\d+(?:[.-]\d+)+)/giu;
const whole = /^\P{L}*?v?(\d+(?:[.-]\d+)+)[^\p{L}\p{N}]*$/iu;

/** The number that a word is, without the `v` of a version; null if it is none. */
export function numberIn(word: string): string | null {
  return whole.exec(word)?.[1] ?? null;
}

/** The numbers of a text, without the `v` of a version. */
export function* numbersIn(text: string): Generator<string> {
  for (const [, number = ""] of text.matchAll(pattern)) yield number;
}

/** The other spelling of a version: `v7.4` for `7.4`, and the reverse. */
export function spellingsOf(word: QueryWord): QueryWord[] {
  const number = numberIn(word.text);
  const [first = "", ...rest] = word.terms;
  if (number === null || number.includes("-")) return [];
  const other = first.startsWith("v") ? first.slice(1) : `v${first}`;
  return [{ ...word, text: first.startsWith("v") ? number : `v${number}`, terms: [other, ...rest] }];
}
