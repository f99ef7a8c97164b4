/** Pseudo-random numbers that depend only on their seed. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** An integer in [`least`, `most`]. */
  whole(least: number, most: number): number;
  chance(probability: number): boolean;
  /** An item of a non-empty list. */
  pick<T>(list: readonly T[]): T;
}

/** The mulberry32 generator, which is good enough for test data. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (probability) => next() < probability,
    pick(list) {
      const item = list[Math.floor(next() * list.length)];
      if (item === undefined) throw new RangeError("nothing to pick from");
      return item;
    },
  };
}
