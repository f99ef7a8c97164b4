import { at } from "../column.ts";

/** A set of places in the ranking of a graph's nodes, as a bit for each: sets of millions are combined in microseconds. */
export type PlaceSet = Uint32Array;

export function add(set: PlaceSet, place: number): void {
  set[place >>> 5] = at(set, place >>> 5) | (1 << (place & 31));
}

export function has(set: PlaceSet, place: number): boolean {
  return (at(set, place >>> 5) & (1 << (place & 31))) !== 0;
}

export function addAll(set: PlaceSet, places: Uint32Array, from: number, to: number): void {
  for (let position = from; position < to; position += 1) add(set, at(places, position));
}

/** Adds the places of another set. */
export function unite(set: PlaceSet, other: PlaceSet): void {
  for (let block = 0; block < set.length; block += 1) set[block] = at(set, block) | at(other, block);
}

/** Keeps the places that another set has too. */
export function intersect(set: PlaceSet, other: PlaceSet): void {
  for (let block = 0; block < set.length; block += 1) set[block] = at(set, block) & at(other, block);
}

/** Keeps the places that pass a test. */
export function filter(set: PlaceSet, keeps: (place: number) => boolean): void {
  for (let block = 0; block < set.length; block += 1) {
    for (let bits = at(set, block); bits !== 0; bits &= bits - 1) {
      if (!keeps((block << 5) + lowestBit(bits))) set[block] = at(set, block) & ~(bits & -bits);
    }
  }
}

/** The first place from a place on that is in one set and not in another, -1 where there is none. */
export function nextPlace(set: PlaceSet, other: PlaceSet, start: number): number {
  let block = start >>> 5;
  if (block >= set.length) return -1;
  let bits = at(set, block) & ~at(other, block) & (-1 << (start & 31));
  while (bits === 0) {
    block += 1;
    if (block === set.length) return -1;
    bits = at(set, block) & ~at(other, block);
  }
  return (block << 5) + lowestBit(bits);
}

const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);

/** How many places a set has, counted no further than needed to see that they are more than `most`. */
export function sizeUpTo(set: PlaceSet, most: number): number {
  let size = 0;
  for (let block = 0; block < set.length && size <= most; block += 1) {
    for (let bits = at(set, block); bits !== 0; bits &= bits - 1) size += 1;
  }
  return size;
}
