import { createRequire } from "node:module";
import type * as Tokenizer from "gpt-tokenizer/encoding/o200k_base";

/*
 * The length of a text in tokens of `o200k_base`, in which agents state how much they want to read (AGT-2). Its table takes
 * 0.1 s and some 60 MB, so it is loaded with the first text (docs/decisions/0067-token-counts.md).
 */

/** Merging the letters of one piece takes time in proportion to the square of its length. */
const longestPiece = 200;

/**
 * Runs that the tokenizer takes for one piece: letters with their marks, signs, or white space. Each is looked for only where it
 * begins, not at each of its letters.
 */
const longRuns = new RegExp(
  [
    String.raw`(?<![\p{L}\p{M}])[\p{L}\p{M}]`,
    // Marks may belong to letters before.
    String.raw`(?<![^\s\p{L}\p{M}\p{N}])[^\s\p{L}\p{N}]`,
    String.raw`(?<!\s)\s`,
  ]
    .map((kind) => `${kind}{${longestPiece},}`)
    .join("|"),
  "gu",
);

/** No text has more tokens than this for each UTF-16 unit. */
export const tokensPerUnit = 3;

/** Counts the tokens of a text. A run of more than 200 letters, signs or spaces counts by its bytes, which is never too few. */
export function countTokens(text: string): number {
  if (text.length < longestPiece) return tokensOf(text);
  let tokens = 0;
  let start = 0;
  for (const { 0: run, index } of text.matchAll(longRuns)) {
    tokens += tokensOf(text.slice(start, index)) + Buffer.byteLength(run);
    start = index + run.length;
  }
  return tokens + tokensOf(start === 0 ? text : text.slice(start));
}

/** UTF-16 units of a text that are counted at a time. */
const countedUnits = 4096;

/** Counts the tokens of a text; stops as soon as there are more than `most`, since a line can have megabytes. */
export function tokensUpTo(text: string, most: number): number {
  let tokens = 0;
  for (let start = 0; start < text.length; start += countedUnits) {
    // The parts of a text together have as many tokens as it has, or a few more.
    tokens += countTokens(text.slice(start, start + countedUnits));
    if (tokens > most) return tokens;
  }
  return countTokens(text);
}

function tokensOf(text: string): number {
  if (text === "") return 0;
  // `require` has no types.
  tokenizer ??= load("gpt-tokenizer/encoding/o200k_base") as typeof Tokenizer;
  // Names of special tokens are text like any other.
  return tokenizer.countTokens(text, { disallowedSpecial: noTokens });
}

const load = createRequire(import.meta.url);
let tokenizer: typeof Tokenizer | undefined;
const noTokens = new Set<string>();
