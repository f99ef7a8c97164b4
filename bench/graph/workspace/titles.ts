import { pick, type Random, seededRandom } from "@clew/stand-in/testing/random";
import { below, mix, weighted } from "./random.ts";
import { ornaments, scripts, wordOf } from "./words.ts";

/** Shares of titles of 1, 2, … 8 words. */
const lengths = [0.18, 0.27, 0.22, 0.14, 0.09, 0.05, 0.03, 0.02];
const untitled = 0.02;
const ornamented = 0.05;
const dated = 0.06;

/** A title and its words, spelled as in the title. */
export interface Title {
  readonly text: string;
  readonly words: readonly string[];
  readonly script: string;
}

/** The title of a page: always the same for the same seed and page. */
export function titleOf(seed: number, page: number): Title {
  const random = seededRandom(mix(seed, page));
  const script =
    scripts[
      weighted(
        random,
        scripts.map(({ share }) => share),
      )
    ];
  if (script === undefined || random() < untitled) return { text: "", words: [], script: "none" };
  const count = weighted(random, lengths) + 1;
  const words = Array.from({ length: count }, () => wordOf(script, drawRank(random)));
  words[0] = capitalized(words[0] ?? "");
  if (random() < dated && script.space !== "") words[words.length - 1] = someDay(random);
  const text = words.join(script.space);
  return {
    text: random() < ornamented ? `${pick(random, ornaments)} ${text}` : text,
    words,
    script: script.name,
  };
}

/**
 * Draws a rank by the Zipf–Mandelbrot law. As in natural language, the most frequent word is one in 75, and the size of the
 * vocabulary grows with the length of the text to the power of 0.63.
 */
function drawRank(random: Random): number {
  const [exponent, offset, rarest] = [1.6, 45, 5_000_000];
  return Math.min(rarest, Math.floor(offset * ((1 - random()) ** (-1 / (exponent - 1)) - 1)));
}

function capitalized(word: string): string {
  const [first = "", ...rest] = word;
  return first.toUpperCase() + rest.join("");
}

function someDay(random: Random): string {
  const twoDigits = (number: number) => String(number + 1).padStart(2, "0");
  return `${2018 + below(random, 9)}-${twoDigits(below(random, 12))}-${twoDigits(below(random, 28))}`;
}
