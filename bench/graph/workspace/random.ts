import type { Random } from "@clew/stand-in/testing/random";

/** Scrambles two 32-bit numbers into one: murmur3's finalizer over both. */
export function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ 0x9e37_79b9, 0x85eb_ca6b) ^ Math.imul(b + 0x7f4a_7c15, 0xc2b2_ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Draws an integer in [0, `end`). */
export function below(random: Random, end: number): number {
  return Math.floor(random() * end);
}

/** Shuffles the numbers in place. */
export function shuffle(random: Random, numbers: Uint32Array): Uint32Array {
  for (let last = numbers.length - 1; last > 0; last -= 1) {
    const other = below(random, last + 1);
    const kept = numbers[last] ?? 0;
    numbers[last] = numbers[other] ?? 0;
    numbers[other] = kept;
  }
  return numbers;
}

/** Draws an index. The probability of each index is its weight; the weights sum to 1. */
export function weighted(random: Random, weights: readonly number[]): number {
  let left = random();
  const index = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return index < 0 ? weights.length - 1 : index;
}
