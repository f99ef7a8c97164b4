import { ByteReader, ByteWriter, byteAt, checkSeal, IndexDamagedError, sealed } from "./bytes.ts";

/*
 * The positions of a posting count from the first word of its section. Each is its distance from the one before, then a
 * byte with the marks of the words around it: four bits for the word before, and four for the word after. Most places
 * where a word stands outside of a phrase are so known without reading the lists of the other words.
 *
 * Positions are in rows of their own, numbered through the segment. Each block begins a row. Positions that
 * are added together stay together: those of a short list, or of a group of a long one.
 */

/** Bytes of a row at most, unless one group takes more: four rows fit into a page of the database. */
const rowBytes = 2_000;

/** The mark for the word before or after a section. */
export const anyMark = 15;

/** The part of a term that its neighbours store, by its hash. Less than `anyMark`. */
export const markOf = (hash: number): number => (hash >>> 0) % anyMark;

export const marksOf = (before: number, after: number): number => before * 16 + after;

/** Whether words with these marks may be before and after a position; `anyMark` is any word. */
export function mayBeBetween(marks: number, before: number, after: number): boolean {
  return isAlike(marks >>> 4, before) && isAlike(marks & 15, after);
}

const isAlike = (a: number, b: number) => a === b || a === anyMark || b === anyMark;

/** Says where the positions of a block are, which are added in order. */
export class RowPlaces {
  row: number;
  #end = 0;

  constructor(firstRow: number) {
    this.row = firstRow;
  }

  /** Adds `length` bytes. Returns their start in `row`. */
  add(length: number): number {
    if (this.#end > 0 && this.#end + length > rowBytes) {
      this.row += 1;
      this.#end = 0;
    }
    const start = this.#end;
    this.#end += length;
    return start;
  }
}

/** Packs the positions of a block into rows. */
export class RowPacker {
  readonly firstRow: number;
  readonly #places: RowPlaces;
  readonly #row = new ByteWriter();
  readonly #rows: Uint8Array[] = [];

  constructor(firstRow: number) {
    this.firstRow = firstRow;
    this.#places = new RowPlaces(firstRow);
  }

  add(bytes: Uint8Array, start: number, end: number): void {
    const { row } = this.#places;
    this.#places.add(end - start);
    if (this.#places.row > row) this.#endRow(row);
    this.#row.append(bytes, start, end);
  }

  /** All rows. Nothing may be added afterwards. */
  finish(): readonly Uint8Array[] {
    if (this.#row.length > 0) this.#endRow(this.#places.row);
    return this.#rows;
  }

  #endRow(row: number): void {
    this.#rows.push(sealed(this.#row.copy(), seedOf(row)));
    this.#row.clear();
  }
}

/** A row is never taken for a block. */
const seedOf = (row: number): number => ~row;

/** The positions in a row. Throws `IndexDamagedError` if they are not what was written. */
export function openRow(bytes: Uint8Array | null | undefined, row: number): Uint8Array {
  if (!bytes) throw new IndexDamagedError("positions of the text index are missing");
  return bytes.subarray(checkSeal(bytes, seedOf(row), "a row of positions"));
}

/** The end of `count` positions that start at a byte. */
export function skipPositions(bytes: Uint8Array, start: number, count: number): number {
  let index = start;
  for (let left = count; left > 0; left -= 1) {
    while (byteAt(bytes, index) > 0x7f) index += 1;
    index += 2;
  }
  if (index > bytes.length) throw new IndexDamagedError("positions of the text index end too early");
  return index;
}

/** Reads positions one after the other. */
export class PositionReader {
  readonly #reader: ByteReader;
  #position = -1;
  /** The marks around the position that was read last. */
  marks = 0;

  constructor(bytes: Uint8Array, start: number) {
    this.#reader = new ByteReader(bytes, start);
  }

  skip(count: number): void {
    this.#reader.index = skipPositions(this.#reader.bytes, this.#reader.index, count);
  }

  /** Begins with the positions of the next posting. */
  nextPosting(): void {
    this.#position = -1;
  }

  /** The next position of the posting. */
  next(): number {
    this.#position += this.#reader.uint() + 1;
    this.marks = byteAt(this.#reader.take(1), 0);
    return this.#position;
  }
}
