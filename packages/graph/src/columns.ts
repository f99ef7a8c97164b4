import { firstIndex } from "@clew/text/basics";
/*
 * Reads a column at an index. The type checker cannot know that the index lies within the column; the callers make sure
 * of it. Each kind of column has a reader of its own, so that the engine's reads stay monomorphic.
 */
export const at = (column: Uint32Array, index: number): number => column[index] as number;
export const byteAt = (column: Uint8Array, index: number): number => column[index] as number;
export const unitAt = (column: Uint16Array, index: number): number => column[index] as number;
export const floatAt = (column: Float64Array, index: number): number => column[index] as number;
export const narrowAt = (column: NarrowColumn, index: number): number => column[index] as number;

/** Whole numbers, each in as few bytes as the largest of them needs. */
export type NarrowColumn = Uint8Array | Uint16Array | Uint32Array;

/** A narrow column of zeros that can hold numbers up to `largest`. */
export function narrowColumn(length: number, largest: number): NarrowColumn {
  if (largest <= 0xff) return new Uint8Array(length);
  return largest <= 0xffff ? new Uint16Array(length) : new Uint32Array(length);
}

export function narrowed(column: Uint32Array): NarrowColumn {
  let largest = 0;
  for (let index = 0; index < column.length; index += 1) largest = Math.max(largest, at(column, index));
  const narrow = narrowColumn(column.length, largest);
  narrow.set(column);
  return narrow;
}

/** A column of unknown length that grows as values are pushed. */
export class GrowingColumn {
  #values = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return at(this.#values, index);
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const longer = new Uint32Array(2 * this.#length);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  /** A copy of the values so far. */
  values(): Uint32Array {
    return this.#values.slice(0, this.#length);
  }
}

/** Concatenates columns. Empties `parts`, so that their memory can be collected. */
export function joinColumns<Column extends Uint8Array | Uint32Array | Float64Array>(
  parts: Column[],
  Whole: new (length: number) => Column,
): Column {
  const whole = new Whole(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts.splice(0)) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}

/**
 * A structure of typed arrays and plain values in memory that threads can share: sent to another thread, it is still the same
 * memory. What is not in such memory is copied.
 */
export function inSharedMemory<Structure extends object>(structure: Structure): Structure {
  const copies = new Map<ArrayBufferView, ArrayBufferView>();
  const copyOf = (value: unknown): unknown => {
    if (value instanceof Uint8Array || isColumn(value)) {
      const copy = copies.get(value) ?? sharedCopy(value);
      copies.set(value, copy);
      return copy;
    }
    if (Array.isArray(value)) return value.map(copyOf);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copyOf(part)]));
  };
  // The same structure, part by part.
  return copyOf(structure) as Structure;
}

type Column = Uint16Array | Uint32Array | Float64Array;

const isColumn = (value: unknown): value is Column =>
  value instanceof Uint16Array || value instanceof Uint32Array || value instanceof Float64Array;

function sharedCopy(view: Uint8Array | Column): Uint8Array | Column {
  if (view.buffer instanceof SharedArrayBuffer) return view;
  const memory = new SharedArrayBuffer(view.byteLength);
  new Uint8Array(memory).set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  if (Buffer.isBuffer(view)) return Buffer.from(memory);
  if (view instanceof Uint8Array) return new Uint8Array(memory);
  if (view instanceof Uint16Array) return new Uint16Array(memory);
  return view instanceof Uint32Array ? new Uint32Array(memory) : new Float64Array(memory);
}

/** The bytes of all typed arrays in a structure; memory that several of them share counts once. */
export function byteLengthOf(structure: object): number {
  const found = new Set<ArrayBufferLike>();
  const collect = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) found.add(value.buffer);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  collect(structure);
  return [...found].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** The first position from which on all values pass a test; the length if none does. Before it, no value may pass. */
export function firstPosition(column: Uint32Array, passes: (value: number) => boolean): number {
  return firstIndex(0, column.length, (position) => passes(at(column, position)));
}

/** Whether two columns of one kind have the same values. */
export function isSameColumn<Values extends Uint8Array | Uint16Array | Uint32Array>(
  one: Values,
  other: Values,
): boolean {
  return Buffer.compare(bytesOf(one), bytesOf(other)) === 0;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  Buffer.from(buffer, byteOffset, byteLength);

/** The position of each number in a permutation. */
export function inverse(permutation: Uint32Array): Uint32Array {
  const inverted = new Uint32Array(permutation.length);
  permutation.forEach((value, index) => {
    inverted[value] = index;
  });
  return inverted;
}

/** The numbers 0, 1, … */
export const identityOrder = (length: number): Uint32Array => new Uint32Array(length).map((_, row) => row);

/**
 * Counting sort: sorts `values` by the key beside each, in linear time. Keys are below `bound`. Values of equal keys
 * keep their order, so sorting by the least significant key first and the most significant last sorts by all of them.
 */
export function sortByKeys(values: Uint32Array, keys: Uint32Array, bound: number): Uint32Array {
  const next = startsOf(keys, bound);
  const sorted = new Uint32Array(values.length);
  for (let row = 0; row < values.length; row += 1) {
    const key = at(keys, row);
    const slot = at(next, key);
    sorted[slot] = at(values, row);
    next[key] = slot + 1;
  }
  return sorted;
}

/** The start of each key's rows after sorting by key; the last element is the number of rows. */
export function startsOf(keys: Uint32Array, bound: number): Uint32Array {
  const starts = new Uint32Array(bound + 1);
  countKeys(keys, starts);
  addUp(starts);
  return starts;
}

/** Adds to `counts[key + 1]` how often each key occurs. */
export function countKeys(keys: Uint32Array, counts: Uint32Array): void {
  for (let row = 0; row < keys.length; row += 1) {
    const key = at(keys, row);
    counts[key + 1] = at(counts, key + 1) + 1;
  }
}

/** Turns counts into running totals. */
export function addUp(counts: Uint32Array): void {
  for (let key = 1; key < counts.length; key += 1) counts[key] = at(counts, key) + at(counts, key - 1);
}
