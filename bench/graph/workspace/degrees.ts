import type { Random } from "@clew/stand-in/testing/random";
import { shuffle, weighted } from "./random.ts";

/** The degree that the generator aims at for each node, including child edges. */
export interface Degrees {
  readonly wanted: Uint32Array;
  /** The nodes with the most edges, the largest first. */
  readonly hubs: readonly number[];
}

/** Mean degree of a node: with 5 edges per node there are 10 ends per node. */
const mean = 10;
/** Share of all nodes that are neighbours of the largest hub. */
const largestHub = 0.45;
const hubShare = 0.009;

/** Shares of ordinary nodes with 3, 4, … edges: half have up to 6, nine in ten up to 10, 99 in 100 up to 23. */
const ordinary = [
  0.08, 0.14, 0.16, 0.16, 0.12, 0.11, 0.09, 0.065, 0.014, 0.011, 0.009, 0.007, 0.006, 0.005, 0.004, 0.004,
  0.003, 0.003, 0.002, 0.002, 0.004, 0.0005, 0.0005,
];
const fewest = 3;

/** Draws the degrees of `size` nodes: ordinary nodes, and hubs whose degrees follow a power law. */
export function drawDegrees(random: Random, size: number): Degrees {
  const wanted = new Uint32Array(size);
  const order = shuffle(
    random,
    Uint32Array.from({ length: size }, (_, index) => index),
  );
  const hubs = [...order.subarray(0, Math.max(1, Math.round(size * hubShare)))];
  let ends = mean * size;
  for (const node of order.subarray(hubs.length)) {
    const degree = fewest + weighted(random, ordinary);
    wanted[node] = degree;
    ends -= degree;
  }
  const exponent = exponentFor(hubs.length, ends / (largestHub * size));
  hubs.forEach((node, rank) => {
    wanted[node] = Math.max(1, Math.round(largestHub * size * (rank + 1) ** -exponent));
  });
  return { wanted, hubs };
}

/** The exponent `e` for which the sum of `rank ** -e` over the ranks 1 to `count` is `sum`. */
function exponentFor(count: number, sum: number): number {
  let [low, high] = [0, 4];
  for (let round = 0; round < 40; round += 1) {
    const middle = (low + high) / 2;
    let total = 0;
    for (let rank = 1; rank <= count; rank += 1) total += rank ** -middle;
    if (total > sum) low = middle;
    else high = middle;
  }
  return low;
}
