import { createHash } from "node:crypto";

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

/** Puts items into a random order, in which the place of each depends on the seed and its name alone. */
export function inOrderOf<Item>(
  seed: number,
  items: readonly Item[],
  nameOf: (item: Item) => string,
): readonly Item[] {
  return items
    .map((item) => ({
      item,
      key: createHash("sha256")
        .update(`${seed} ${nameOf(item)}`)
        .digest("hex"),
    }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ item }) => item);
}
