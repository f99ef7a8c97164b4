import { createRequire } from "node:module";

interface Tokenizer {
  countTokens(text: string): number;
}

/**
 * The number of tokens that `o200k_base` makes of a text. The tokenizer's tables are large, so it is loaded only where
 * tokens are counted.
 */
export function countTokens(text: string): number {
  // `require` has no types.
  tokenizer ??= load("gpt-tokenizer/encoding/o200k_base") as Tokenizer;
  return tokenizer.countTokens(text);
}

const load = createRequire(import.meta.url);
let tokenizer: Tokenizer | undefined;
