/** Letters, digits, and the marks that folding leaves on them. */
const wordCharacter = String.raw`[\p{L}\p{N}\p{M}]`;

const plainWord = new RegExp(`${wordCharacter}+`, "gu");
const plainOnly = new RegExp(`^${wordCharacter}+$`, "u");
const plainFirst = new RegExp(`^${wordCharacter}`, "u");
const plainLast = new RegExp(`${wordCharacter}$`, "u");
const letter = /\p{L}/gu;

/** White space and punctuation, except for signs that are part of a word: `C#`, `R&D`, `50%`, `@home`. */
const separators = /[[\s\p{P}]--[#@\&%*]]+/v;

/** The words of a folded title that have no signs in them: what stands between its spaces and signs. */
export function plainWords(folded: string): string[] {
  return folded.match(plainWord) ?? [];
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

/** Whether a text begins a word where it stands: anything does after white space, a letter or digit after a sign. */
export function beginsWord(before: string, text: string): boolean {
  return before === "" || before.endsWith(" ") || (plainFirst.test(text) && !plainLast.test(before));
}

export function countLetters(text: string): number {
  return text.match(letter)?.length ?? 0;
}
