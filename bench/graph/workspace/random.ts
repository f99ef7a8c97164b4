/** A number from 0 up to but not including 1. */
export type Random = () => number;

/** Scrambles two 32-bit numbers into one: murmur3's finalizer over both. */
export function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ 0x9e37_79b9, 0x85eb_ca6b) ^ Math.imul(b + 0x7f4a_7c15, 0xc2b2_ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The same numbers for the same seed: mulberry32. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** A whole number from 0 up to but not including `end`. */
export function below(random: Random, end: number): number {
  return Math.floor(random() * end);
}

/** One of the items. Throws where there are none. */
export function oneOf<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[below(random, items.length)];
  if (item === undefined) throw new RangeError("nothing to choose from");
  return item;
}

/** Brings the numbers into a random order, in place. */
export function shuffle(random: Random, numbers: Uint32Array): Uint32Array {
  for (let last = numbers.length - 1; last > 0; last -= 1) {
    const other = below(random, last + 1);
    const kept = numbers[last] ?? 0;
    numbers[last] = numbers[other] ?? 0;
    numbers[other] = kept;
  }
  return numbers;
}

/** Draws the index of a weight, the heavier the more often. The weights sum to 1. */
export function weighted(random: Random, weights: readonly number[]): number {
  let left = random();
  const index = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return index < 0 ? weights.length - 1 : index;
}
