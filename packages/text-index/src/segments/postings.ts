import { ByteReader, ByteWriter, byteAt, IndexDamagedError } from "./bytes.ts";

/*
 * A posting is a section that has a term: its number, how often the term is in its words, and flags. The postings of a
 * list ascend by section. Each is a number: the distance from the section before, times four, plus
 *
 *   0  the term is there once        2  more often; the count less three follows
 *   1  the term is there twice       3  the count times four, plus the flags, follows
 *
 * The positions of a posting are in a stream of their own, each as its distance from the one before.
 */

/** The term is in the title or an alias of the page; only in the first section of a page. */
export const inTitle = 1;
/** The term is in a heading above the section or in it. */
export const inHeading = 2;

/** A part of a list: postings that fit into one block. */
export interface ListPart {
  readonly firstSection: number;
  readonly count: number;
}

/**
 * Bytes of each stream at which a part of a long list ends. To read a part costs as much as some hundred postings. The
 * positions of a very common word are ten times as long as its postings: they alone must not make its parts short.
 */
const partPostingsBytes = 8_192;
const partPositionsBytes = 32_768;

/** Encodes the postings of one term, cut into parts. */
export class ListEncoder {
  readonly postings = new ByteWriter();
  readonly positions = new ByteWriter();
  readonly parts: (ListPart & { readonly postingsStart: number; readonly positionsStart: number })[] = [];
  count = 0;
  #inPart = 0;
  #firstSection = 0;
  #postingsStart = 0;
  #positionsStart = 0;
  #section = -1;
  #position = -1;

  start(): void {
    this.postings.clear();
    this.positions.clear();
    this.parts.length = 0;
    this.count = 0;
    this.#inPart = 0;
    this.#postingsStart = 0;
    this.#positionsStart = 0;
    this.#section = -1;
  }

  /** Adds a section above all before. Its positions follow by `position` or `copyPositions`. */
  posting(section: number, count: number, flags: number): void {
    if (this.#inPart > 0 && this.#isPartFull()) this.#endPart();
    if (this.#inPart === 0) this.#firstSection = section;
    const distance = (section - this.#section - 1) * 4;
    if (flags !== 0 || count === 0) {
      this.postings.uint(distance + 3);
      this.postings.uint(count * 4 + flags);
    } else if (count <= 2) {
      this.postings.uint(distance + count - 1);
    } else {
      this.postings.uint(distance + 2);
      this.postings.uint(count - 3);
    }
    this.#section = section;
    this.#position = -1;
    this.#inPart += 1;
    this.count += 1;
  }

  /** Adds the next position of the posting, counted from the first word of its section. */
  position(position: number): void {
    this.positions.uint(position - this.#position - 1);
    this.#position = position;
  }

  /** Copies `count` positions as they were encoded. Returns where they end. */
  copyPositions(bytes: Uint8Array, start: number, count: number): number {
    const end = skipNumbers(bytes, start, count);
    this.positions.append(bytes, start, end);
    return end;
  }

  end(): void {
    if (this.#inPart > 0) this.#endPart();
  }

  #isPartFull(): boolean {
    return (
      this.postings.length - this.#postingsStart >= partPostingsBytes ||
      this.positions.length - this.#positionsStart >= partPositionsBytes
    );
  }

  #endPart(): void {
    this.parts.push({
      firstSection: this.#firstSection,
      count: this.#inPart,
      postingsStart: this.#postingsStart,
      positionsStart: this.#positionsStart,
    });
    this.#postingsStart = this.postings.length;
    this.#positionsStart = this.positions.length;
    this.#inPart = 0;
    this.#section = -1;
  }
}

export function skipNumbers(bytes: Uint8Array, start: number, count: number): number {
  let index = start;
  for (let left = count; left > 0; index += 1) {
    if (index >= bytes.length) throw new IndexDamagedError("positions of the text index end too early");
    if (byteAt(bytes, index) < 0x80) left -= 1;
  }
  return index;
}

/** Postings in memory: the sections ascend, and each has its count times four, plus its flags. */
export interface Postings {
  sections: Uint32Array;
  values: Uint32Array;
  length: number;
}

export function newPostings(capacity: number): Postings {
  return { sections: new Uint32Array(capacity), values: new Uint32Array(capacity), length: 0 };
}

/**
 * Decodes `count` postings and appends them. Throws `IndexDamagedError` if they do not fit the bytes or the segment, which
 * has `sectionCount` sections.
 */
export function decodePostings(
  bytes: Uint8Array,
  start: number,
  count: number,
  sectionCount: number,
  into: Postings,
): void {
  const { sections, values } = into;
  let length = into.length;
  if (count > sections.length - length) throw new IndexDamagedError("a list of the text index is too long");
  let index = start;
  let section = -1;
  for (let left = count; left > 0; left -= 1) {
    let byte = byteAt(bytes, index);
    let number = byte & 0x7f;
    index += 1;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = byteAt(bytes, index);
      index += 1;
      number |= (byte & 0x7f) << shift;
    }
    section += (number >>> 2) + 1;
    const code = number & 3;
    let value = (code + 1) * 4;
    if (code > 1) {
      byte = byteAt(bytes, index);
      index += 1;
      number = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = byteAt(bytes, index);
        index += 1;
        number |= (byte & 0x7f) << shift;
      }
      value = code === 2 ? (number + 3) * 4 : number;
    }
    sections[length] = section;
    values[length] = value;
    length += 1;
  }
  if (index > bytes.length || section >= sectionCount) {
    throw new IndexDamagedError("postings of the text index do not fit their segment");
  }
  into.length = length;
}

/** Reads the positions of a list from its first posting on. */
export class PositionReader {
  readonly #reader: ByteReader;

  constructor(bytes: Uint8Array, start: number) {
    this.#reader = new ByteReader(bytes, start);
  }

  skip(count: number): void {
    this.#reader.index = skipNumbers(this.#reader.bytes, this.#reader.index, count);
  }

  /** How many words lie between the position before, or the start of the section, and the next one. */
  next(): number {
    return this.#reader.uint();
  }
}
