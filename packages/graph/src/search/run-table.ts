import { at, unitAt } from "../column.ts";
import { GrowingColumn } from "./growing-column.ts";
import type { PackedTexts } from "./packed-texts.ts";

/** The distinct runs of titles, numbered as they come up: a hash table with linear probing over the titles' units. */
export class RunTable {
  readonly #units: Uint16Array;
  /** Numbers of runs plus one, 0 where a slot is free. At most half of them are taken. */
  #slots = new Uint32Array(1 << 12);
  readonly #hashes = new GrowingColumn();
  /** Where each run stands for the first time, and twice its length, plus one where it is a free sign. */
  readonly #starts = new GrowingColumn();
  readonly #shapes = new GrowingColumn();

  constructor(units: Uint16Array) {
    this.#units = units;
  }

  get size(): number {
    return this.#starts.length;
  }

  /** The number of a run, the same whenever it comes up. */
  numberOf(from: number, to: number, isFreeSign: boolean): number {
    const shape = 2 * (to - from) + Number(isFreeSign);
    const hash = hashOf(this.#units, from, to, shape);
    let slot = hash & (this.#slots.length - 1);
    for (let taken = at(this.#slots, slot); taken !== 0; taken = at(this.#slots, slot)) {
      if (this.#is(taken - 1, hash, from, shape)) return taken - 1;
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

  /** The runs by an order of their numbers. A free sign has a space before it. */
  packed(order: Uint32Array): PackedTexts {
    const offsets = new Uint32Array(order.length + 1);
    order.forEach((number, row) => {
      const shape = this.#shapes.at(number);
      offsets[row + 1] = at(offsets, row) + (shape >>> 1) + (shape & 1) + 1;
    });
    const units = new Uint16Array(at(offsets, order.length));
    order.forEach((number, row) => {
      const [start, shape] = [this.#starts.at(number), this.#shapes.at(number)];
      if ((shape & 1) === 1) units[at(offsets, row)] = space;
      units.set(this.#units.subarray(start, start + (shape >>> 1)), at(offsets, row) + (shape & 1));
    });
    return { units, offsets };
  }

  #is(number: number, hash: number, from: number, shape: number): boolean {
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

const space = 0x20;

function hashOf(units: Uint16Array, from: number, to: number, seed: number): number {
  let hash = seed;
  for (let position = from; position < to; position += 1) {
    hash = Math.imul(hash ^ unitAt(units, position), 0x9e37_79b1);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
