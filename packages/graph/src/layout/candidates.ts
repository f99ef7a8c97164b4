import { at } from "../columns.ts";
import { type NodeIds, wordsPerId } from "../node-ids.ts";

/*
 * The positions that a page tries in its parent's disc, in order: a sequence of points that follows from its id alone. Only
 * operations that IEEE 754 rounds exactly are used here and in the layout, so every machine has the same points.
 */

/** The number from which the candidate points of a node follow. */
export function seedOf(ids: NodeIds, node: number): number {
  let seed = 0;
  for (let word = 0; word < wordsPerId; word += 1) seed = mixed(seed ^ at(ids, node * wordsPerId + word));
  return seed;
}

/** A coordinate of the nth candidate: evenly distributed between -1 and 1. */
export const candidateX = (seed: number, n: number): number => spread(mixed(seed + Math.imul(n, 0x9e3779b9)));
export const candidateY = (seed: number, n: number): number =>
  spread(mixed(~seed + Math.imul(n, 0x85ebca6b)));

const spread = (hash: number) => hash / 2 ** 31 - 1;

/** Scrambles 32 bits, one to one (the finalizer of MurmurHash3). */
export function mixed(bits: number): number {
  let hash = bits ^ (bits >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
