import { unitsOf } from "./packed-texts.ts";
import { forEachRun } from "./runs.ts";

/** Letters, digits, and the marks that folding leaves on them. */
const wordCharacter = String.raw`[\p{L}\p{N}\p{M}]`;

const plainOnly = new RegExp(`^${wordCharacter}+$`, "u");
const plainFirst = new RegExp(`^${wordCharacter}`, "u");
const signsOnly = /^[^\p{L}\p{N}\p{M}\p{Cs} ]+$/u;
const letter = /\p{L}/gu;

/** White space and punctuation, except for signs that are part of a word: `C#`, `R&D`, `50%`, `@home`. */
const separators = /[[\s\p{P}]--[#@\&%*]]+/v;

/** The runs of a word of a query. */
export function runsOf(word: string): string[] {
  const runs: string[] = [];
  forEachRun(unitsOf(word), 0, word.length, (from, to) => runs.push(word.slice(from, to)));
  return runs;
}

/** The distinct words of a folded query, signs included. A query of punctuation alone is one word. */
export function queryWords(folded: string): string[] {
  const words = new Set(folded.split(separators));
  words.delete("");
  return words.size > 0 || folded === "" ? [...words] : [folded];
}

export function isPlain(word: string): boolean {
  return plainOnly.test(word);
}

/** Whether a word is letters alone or signs alone: one run of any title that has it. */
export function isRun(word: string): boolean {
  return isPlain(word) || signsOnly.test(word);
}

/** Whether a text is one that begins a word also after a sign, as letters and digits do. */
export function beginsPlainly(text: string): boolean {
  return plainFirst.test(text);
}

export function countLetters(text: string): number {
  return text.match(letter)?.length ?? 0;
}
