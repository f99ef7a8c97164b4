/** Draws a number in [0, 1). */
export type Random = () => number;

/** Pseudo-random numbers that depend only on the seed (the mulberry32 generator). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws an integer from `least` to `most`, both included. */
export function integer(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** Draws an item. Throws if there is none. */
export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError("nothing to pick from");
  return item;
}
