import { at, GrowingColumn, unitAt } from "./columns.ts";
import { type PackedTexts, unitsOf } from "./packed-texts.ts";

/**
 * Splits part of a folded text into terms: maximal runs of letters, digits and marks, and maximal runs of signs. A lone
 * surrogate is a term by itself, since it also occurs within other characters.
 *
 * Calls `found` with where each term starts and ends, and whether it is a free sign: signs at the start or after a space.
 */
export function forEachTerm(
  units: Uint16Array,
  start: number,
  end: number,
  found: (from: number, to: number, isFreeSign: boolean) => void,
): void {
  let isFree = true;
  for (let from = start; from < end; ) {
    const kind = kindAt(units, from);
    let to = from + lengthAt(units, from);
    if (kind !== space) {
      while (kind !== surrogate && to < end && kindAt(units, to) === kind) to += lengthAt(units, to);
      found(from, to, isFree && kind !== word);
    }
    isFree = kind === space;
    from = to;
  }
}

export function termsOf(text: string): string[] {
  const terms: string[] = [];
  forEachTerm(unitsOf(text), 0, text.length, (from, to) => terms.push(text.slice(from, to)));
  return terms;
}

const [unknown, space, word, sign, surrogate] = [0, 1, 2, 3, 4];

/** The kinds of code units seen so far. */
const kinds = new Uint8Array(0x1_0000);

function kindAt(units: Uint16Array, position: number): number {
  const unit = unitAt(units, position);
  if (lengthAt(units, position) === 2) return kindOf(String.fromCharCode(unit, unitAt(units, position + 1)));
  if (kinds[unit] === unknown) kinds[unit] = kindOf(String.fromCharCode(unit));
  return kinds[unit] ?? unknown;
}

function kindOf(character: string): number {
  if (character === " ") return space;
  if (/[\p{L}\p{N}\p{M}]/u.test(character)) return word;
  return /\p{Cs}/u.test(character) ? surrogate : sign;
}

/** Whether a letter, digit or mark stands at a position. */
export const isWordAt = (units: Uint16Array, position: number): boolean => kindAt(units, position) === word;

/** The units of the character at a position. */
export function lengthAt(units: Uint16Array, position: number): number {
  const isPair =
    (unitAt(units, position) & 0xfc00) === 0xd800 && (unitAt(units, position + 1) & 0xfc00) === 0xdc00;
  return isPair ? 2 : 1;
}

/** The distinct terms of titles, numbered as they are found: a hash table with linear probing over the titles' units. */
export class TermTable {
  readonly #units: Uint16Array;
  /** Numbers of terms plus one, 0 for a free slot. At most half of the slots are taken. */
  #slots = new Uint32Array(1 << 12);
  readonly #hashes = new GrowingColumn();
  /** The first occurrence of each term. */
  readonly #starts = new GrowingColumn();
  /** Twice the length of each term, plus one for a free sign. */
  readonly #shapes = new GrowingColumn();

  constructor(units: Uint16Array) {
    this.#units = units;
  }

  get size(): number {
    return this.#starts.length;
  }

  /** The term's number, the same on every call. */
  numberOf(from: number, to: number, isFreeSign: boolean): number {
    const shape = 2 * (to - from) + Number(isFreeSign);
    const hash = hashOf(this.#units, from, to, shape);
    let slot = hash & (this.#slots.length - 1);
    for (let taken = at(this.#slots, slot); taken !== 0; taken = at(this.#slots, slot)) {
      if (this.#matches(taken - 1, hash, from, shape)) return taken - 1;
      slot = (slot + 1) & (this.#slots.length - 1);
    }
    const number = this.size;
    this.#slots[slot] = number + 1;
    this.#hashes.push(hash);
    this.#starts.push(from);
    this.#shapes.push(shape);
    if (2 * this.size > this.#slots.length) this.#grow();
    return number;
  }

  /** The terms in an order of their numbers. A free sign has a space before it. */
  packed(order: Uint32Array): PackedTexts {
    const offsets = new Uint32Array(order.length + 1);
    order.forEach((number, row) => {
      const shape = this.#shapes.at(number);
      offsets[row + 1] = at(offsets, row) + (shape >>> 1) + (shape & 1) + 1;
    });
    const units = new Uint16Array(at(offsets, order.length));
    order.forEach((number, row) => {
      const [start, shape] = [this.#starts.at(number), this.#shapes.at(number)];
      if ((shape & 1) === 1) units[at(offsets, row)] = spaceUnit;
      units.set(this.#units.subarray(start, start + (shape >>> 1)), at(offsets, row) + (shape & 1));
    });
    return { units, offsets };
  }

  #matches(number: number, hash: number, from: number, shape: number): boolean {
    if (this.#hashes.at(number) !== hash || this.#shapes.at(number) !== shape) return false;
    const start = this.#starts.at(number);
    for (let index = 0; index < shape >>> 1; index += 1) {
      if (unitAt(this.#units, start + index) !== unitAt(this.#units, from + index)) return false;
    }
    return true;
  }

  #grow(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    for (let number = 0; number < this.size; number += 1) {
      let slot = this.#hashes.at(number) & (slots.length - 1);
      while (at(slots, slot) !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}

const spaceUnit = 0x20;

function hashOf(units: Uint16Array, from: number, to: number, seed: number): number {
  let hash = seed;
  for (let position = from; position < to; position += 1) {
    hash = Math.imul(hash ^ unitAt(units, position), 0x9e37_79b1);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
