import { uuidOf } from "@clew/text/basics";

/** Bytes of a UUID. */
const keyBytes = 16;

/** Its 32-bit words. */
const words = 4;

/** The states of a slot of the table. */
const slots = { free: 0, removed: 1, withoutValue: 2, withValue: 3 } as const;

/** The share of used slots above which the table grows. */
const maxLoad = 0.75;

/**
 * A map from ids to ids or null, for all ids of a workspace. It keeps the bytes of UUIDs in one table with open
 * addressing: some 60 bytes an entry with an id as its value and 30 without, where a `Map` of strings takes 200.
 */
export class IdMap {
  #states = new Uint8Array(16);
  #keys = new Uuids(16);
  /** Created with the first value that is not null. */
  #values: Uuids | null = null;
  #size = 0;
  /** Slots in use, those of removed entries included. */
  #used = 0;
  readonly #key = new Uuids(1);

  get size(): number {
    return this.#size;
  }

  /** The value of an id; undefined if it has no entry. */
  get(id: string): string | null | undefined {
    const slot = this.#slotOf(id);
    const state = this.#states[slot];
    if (state === slots.free) return undefined;
    return state === slots.withValue && this.#values !== null ? this.#values.at(slot) : null;
  }

  has(id: string): boolean {
    return this.#states[this.#slotOf(id)] !== slots.free;
  }

  set(id: string, value: string | null): void {
    if (this.#used + 1 > this.#states.length * maxLoad) this.#grow();
    const slot = this.#slotOf(id);
    if (this.#states[slot] === slots.free) {
      this.#keys.copy(this.#key, slot);
      this.#used += 1;
      this.#size += 1;
    }
    this.#states[slot] = value === null ? slots.withoutValue : slots.withValue;
    if (value === null) return;
    this.#values ??= new Uuids(this.#states.length);
    this.#values.set(slot, value);
  }

  delete(id: string): boolean {
    const slot = this.#slotOf(id);
    if (this.#states[slot] === slots.free) return false;
    this.#states[slot] = slots.removed;
    this.#size -= 1;
    return true;
  }

  *keys(): Generator<string> {
    for (let slot = 0; slot < this.#states.length; slot += 1) {
      if ((this.#states[slot] ?? slots.free) >= slots.withoutValue) yield this.#keys.at(slot);
    }
  }

  /** The slot of an id, or the free one for it if it has no entry. Leaves the id in `#key`. */
  #slotOf(id: string): number {
    this.#key.set(0, id);
    const mask = this.#states.length - 1;
    for (let slot = this.#key.hash() & mask; ; slot = (slot + 1) & mask) {
      const state = this.#states[slot];
      if (state === slots.free) return slot;
      if (state !== slots.removed && this.#keys.isSame(slot, this.#key)) return slot;
    }
  }

  /** Moves to a table with room for at least half as many entries again, without the removed ones. */
  #grow(): void {
    const larger = new IdMap();
    let length = 16;
    while (length * maxLoad < this.#size * 1.5 + 1) length *= 2;
    larger.#states = new Uint8Array(length);
    larger.#keys = new Uuids(length);
    for (const id of this.keys()) larger.set(id, this.get(id) ?? null);
    this.#states = larger.#states;
    this.#keys = larger.#keys;
    this.#values = larger.#values;
    this.#used = larger.#used;
  }
}

/** A list of UUIDs, of a given length, as bytes. */
class Uuids {
  readonly #words: Uint32Array;
  readonly #bytes: Buffer;

  constructor(length: number) {
    this.#words = new Uint32Array(length * words);
    this.#bytes = Buffer.from(this.#words.buffer);
  }

  /** The UUID at an index, lower-case with dashes. */
  at(index: number): string {
    return uuidOf(this.#bytes.toString("hex", index * keyBytes, (index + 1) * keyBytes));
  }

  /** Replaces the UUID at an index. Throws if it is no UUID. */
  set(index: number, id: string): void {
    const start = index * keyBytes * 2;
    // A loop over the digits takes a sixth of the time that parsing parts of the text takes.
    let digits = 0;
    for (let at = 0; at < id.length; at += 1) {
      const code = id.charCodeAt(at);
      if (code === dash) continue;
      const value = digitValues[code] ?? notADigit;
      if (value === notADigit || digits === keyBytes * 2)
        throw new TypeError(`Not an id: ${JSON.stringify(id)}`);
      const byte = (start + digits) >> 1;
      this.#bytes[byte] = ((this.#bytes[byte] ?? 0) << 4) | value;
      digits += 1;
    }
    if (digits !== keyBytes * 2) throw new TypeError(`Not an id: ${JSON.stringify(id)}`);
  }

  /** Copies the first UUID of another list to an index. */
  copy(from: Uuids, index: number): void {
    this.#words.set(from.#words.subarray(0, words), index * words);
  }

  /** Whether the UUID at an index is the first one of another list. */
  isSame(index: number, other: Uuids): boolean {
    const from = index * words;
    for (let word = 0; word < words; word += 1)
      if (this.#words[from + word] !== other.#words[word]) return false;
    return true;
  }

  /** A hash of the first UUID, of 24 bits. */
  hash(): number {
    const key = this.#words;
    const mixed =
      Math.imul((key[0] ?? 0) ^ Math.imul(key[1] ?? 0, 31) ^ (key[2] ?? 0), 0x9e3779b1) ^ (key[3] ?? 0);
    return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 8;
  }
}

const dash = "-".charCodeAt(0);
const notADigit = 16;

/** The value of each character of ASCII as a hexadecimal digit. */
const digitValues = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? notADigit : value;
});
