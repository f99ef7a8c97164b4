/** Makes a term of the folded units of a token. */
export interface TermMaker<Term> {
  /** The term that stands between texts. */
  readonly gap: Term;
  /** @param hash Of these units, by `addToHash`. */
  ofUnits(units: Uint16Array, length: number, hash: number): Term;
  ofText(text: string): Term;
}

/** Goes on with a hash of units, which begins with 0. */
export const addToHash = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x9e37_79b1);

/** The slot of a hash in a table whose size is a power of two. The high bits of the hash depend on all units. */
const slotOf = (hash: number, size: number): number => (hash ^ (hash >>> 15)) & (size - 1);

function equalsUnits(term: string, units: Uint16Array, length: number): boolean {
  if (term.length !== length) return false;
  for (let index = 0; index < length; index += 1) {
    if (term.charCodeAt(index) !== units[index]) return false;
  }
  return true;
}

const stringOf = (units: Uint16Array) => String.fromCharCode(...units);

/**
 * Strings of terms seen before, by hash. A few thousand words make up most of any text: their strings are not allocated
 * again. They share no memory with a text.
 */
const recentTerms = new Array<string>(1 << 14).fill("");

/** Strings of fewer units are copies when they are sliced. */
const minSlicedUnits = 13;

/** Terms as strings. */
export const termStrings: TermMaker<string> = {
  gap: "",
  ofUnits(units, length, hash) {
    const slot = slotOf(hash, recentTerms.length);
    const recent = recentTerms[slot] ?? "";
    if (equalsUnits(recent, units, length)) return recent;
    const term = stringOf(units.subarray(0, length));
    recentTerms[slot] = term;
    return term;
  },
  // Copied, so that the term does not keep the text in memory.
  ofText: (text) => (text.length < minSlicedUnits ? text : Buffer.from(text, "utf16le").toString("utf16le")),
};

/** Slots that are looked at before a term goes to the overflow, so that no choice of terms makes the table slow. */
const mostProbes = 16;

/** Numbers terms from 1 on, in the order in which they come. No string is made of a term. */
export class TermTable implements TermMaker<number> {
  readonly gap = 0;
  /** Four numbers for each slot: hash and number of a term, where its units start, and how many they are. A free slot has the number 0. */
  #slots = new Int32Array(4 << 12);
  /** Terms that found no slot. */
  readonly #overflow = new Map<string, number>();
  /** The units of all terms, one after the other. */
  #units = new Uint16Array(1 << 14);
  /** The start of the units of each number, and after the last one their end. */
  #starts = new Uint32Array(1 << 12);
  /** The hash of each number. */
  #hashes = new Uint32Array(1 << 12);
  #scratch = new Uint16Array(64);
  /** The highest number. */
  count = 0;

  ofUnits(units: Uint16Array, length: number, hash: number): number {
    const slots = this.#slots;
    const size = slots.length >>> 2;
    let slot = slotOf(hash, size);
    for (let probe = 0; probe < mostProbes; probe += 1) {
      const number = slots[4 * slot + 1] as number;
      if (number === 0) return this.#add(units, length, hash);
      const isAlike = slots[4 * slot] === hash && slots[4 * slot + 3] === length;
      if (isAlike && this.#equals(slots[4 * slot + 2] as number, units, length)) return number;
      slot = (slot + 1) & (size - 1);
    }
    return this.#overflow.get(stringOf(units.subarray(0, length))) ?? this.#add(units, length, hash);
  }

  ofText(text: string): number {
    // UTF-8 has no lone surrogates: terms that differ in them alone are one term.
    const term = text.toWellFormed();
    if (term.length > this.#scratch.length) this.#scratch = new Uint16Array(2 * term.length);
    for (let index = 0; index < term.length; index += 1) this.#scratch[index] = term.charCodeAt(index);
    return this.ofUnits(this.#scratch, term.length, hashOf(this.#scratch.subarray(0, term.length)));
  }

  /** The mark that `markOf` gives to the hash of each term, by number. */
  marks(markOf: (hash: number) => number): Uint8Array {
    const marks = new Uint8Array(this.count + 1);
    for (let number = 1; number <= this.count; number += 1)
      marks[number] = markOf(this.#hashes[number] as number);
    return marks;
  }

  /** The units of a term. */
  unitsOf(number: number): Uint16Array {
    return this.#units.subarray(this.#starts[number], this.#starts[number + 1]);
  }

  /** A unit of a term; 0 after its end. */
  unitAt(number: number, index: number): number {
    const position = (this.#starts[number] as number) + index;
    return position < (this.#starts[number + 1] as number) ? (this.#units[position] as number) : 0;
  }

  #equals(start: number, units: Uint16Array, length: number): boolean {
    const own = this.#units;
    for (let index = 0; index < length; index += 1) {
      if (own[start + index] !== units[index]) return false;
    }
    return true;
  }

  #add(units: Uint16Array, length: number, hash: number): number {
    this.count += 1;
    const start = this.#starts[this.count] as number;
    if (this.count + 2 > this.#starts.length) {
      this.#starts = longer(this.#starts, 0);
      this.#hashes = longer(this.#hashes, 0);
    }
    this.#hashes[this.count] = hash;
    if (start + length > this.#units.length) this.#units = longer(this.#units, length);
    for (let index = 0; index < length; index += 1) this.#units[start + index] = units[index] as number;
    this.#starts[this.count + 1] = start + length;
    if (6 * this.count > this.#slots.length) this.#grow();
    else this.#place(this.count);
    return this.count;
  }

  #place(number: number): void {
    const hash = this.#hashes[number] as number;
    const slots = this.#slots;
    const size = slots.length >>> 2;
    let slot = slotOf(hash, size);
    for (let probe = 0; probe < mostProbes; probe += 1) {
      if (slots[4 * slot + 1] === 0) {
        const start = this.#starts[number] as number;
        slots[4 * slot] = hash;
        slots[4 * slot + 1] = number;
        slots[4 * slot + 2] = start;
        slots[4 * slot + 3] = (this.#starts[number + 1] as number) - start;
        return;
      }
      slot = (slot + 1) & (size - 1);
    }
    this.#overflow.set(stringOf(this.unitsOf(number)), number);
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    this.#overflow.clear();
    for (let number = 1; number <= this.count; number += 1) this.#place(number);
  }
}

/** The hash of a term, as `TermTable` has it. */
export function hashOfTerm(term: string): number {
  let hash = 0;
  const text = term.toWellFormed();
  for (let index = 0; index < text.length; index += 1) hash = addToHash(hash, text.charCodeAt(index));
  return hash;
}

function hashOf(units: Uint16Array): number {
  let hash = 0;
  for (const unit of units) hash = addToHash(hash, unit);
  return hash;
}

/** A copy that is twice as long and has room for `more` values. */
function longer<Column extends Uint16Array | Uint32Array>(column: Column, more: number): Column;
function longer(column: Uint16Array | Uint32Array, more: number): Uint16Array | Uint32Array {
  const length = 2 * column.length + more;
  const copy = column instanceof Uint16Array ? new Uint16Array(length) : new Uint32Array(length);
  copy.set(column);
  return copy;
}
