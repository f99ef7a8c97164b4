import { uuidOf } from "@clew/text/basics";

/** 32-bit words of a UUID. */
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
  #keys = new Uint32Array(16 * words);
  /** Created with the first value that is not null. */
  #values: Uint32Array | null = null;
  #size = 0;
  /** Slots in use, those of removed entries included. */
  #used = 0;
  readonly #key = new Uint32Array(words);

  get size(): number {
    return this.#size;
  }

  /** The value of an id; undefined if it has no entry. */
  get(id: string): string | null | undefined {
    const slot = this.#slotOf(id);
    const state = this.#states[slot];
    if (state === slots.free) return undefined;
    return state === slots.withValue && this.#values !== null ? idAt(this.#values, slot) : null;
  }

  has(id: string): boolean {
    return this.#states[this.#slotOf(id)] !== slots.free;
  }

  set(id: string, value: string | null): void {
    if (this.#used + 1 > this.#states.length * maxLoad) this.#grow();
    const slot = this.#slotOf(id);
    if (this.#states[slot] === slots.free) {
      this.#keys.set(this.#key, slot * words);
      this.#used += 1;
      this.#size += 1;
    }
    this.#states[slot] = value === null ? slots.withoutValue : slots.withValue;
    if (value === null) return;
    this.#values ??= new Uint32Array(this.#keys.length);
    pack(value, this.#values, slot);
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
      if ((this.#states[slot] ?? slots.free) >= slots.withoutValue) yield idAt(this.#keys, slot);
    }
  }

  /** The slot of an id, or the free one for it if it has no entry. Leaves the id's words in `#key`. */
  #slotOf(id: string): number {
    pack(id, this.#key, 0);
    const mask = this.#states.length - 1;
    for (let slot = hash(this.#key) & mask; ; slot = (slot + 1) & mask) {
      const state = this.#states[slot];
      if (state === slots.free) return slot;
      if (state !== slots.removed && isSame(this.#keys, slot, this.#key)) return slot;
    }
  }

  /** Moves to a table with room for at least half as many entries again, without the removed ones. */
  #grow(): void {
    const larger = new IdMap();
    let length = 16;
    while (length * maxLoad < this.#size * 1.5 + 1) length *= 2;
    larger.#states = new Uint8Array(length);
    larger.#keys = new Uint32Array(length * words);
    for (const id of this.keys()) larger.set(id, this.get(id) ?? null);
    this.#states = larger.#states;
    this.#keys = larger.#keys;
    this.#values = larger.#values;
    this.#used = larger.#used;
  }
}

function hash(key: Uint32Array): number {
  const mixed =
    Math.imul((key[0] ?? 0) ^ Math.imul(key[1] ?? 0, 31) ^ (key[2] ?? 0), 0x9e3779b1) ^ (key[3] ?? 0);
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 8;
}

function isSame(keys: Uint32Array, slot: number, key: Uint32Array): boolean {
  const from = slot * words;
  for (let word = 0; word < words; word += 1) if (keys[from + word] !== key[word]) return false;
  return true;
}

/** Writes the bytes of a UUID to a slot. Throws if it is no UUID. */
function pack(id: string, into: Uint32Array, slot: number): void {
  const hex = id.replaceAll("-", "");
  if (hex.length !== 32) throw new TypeError(`Not an id: ${JSON.stringify(id)}`);
  for (let word = 0; word < words; word += 1)
    into[slot * words + word] = Number.parseInt(hex.slice(word * 8, word * 8 + 8), 16);
}

/** The UUID in a slot, lower-case with dashes. */
function idAt(from: Uint32Array, slot: number): string {
  const hex = Array.from({ length: words }, (_, word) =>
    (from[slot * words + word] ?? 0).toString(16).padStart(8, "0"),
  ).join("");
  return uuidOf(hex);
}
