import { ByteWriter, byteAt, IndexDamagedError } from "./bytes.ts";
import { skipPositions } from "./positions.ts";

/*
 * A posting is a section that has a term: its number, how often the term is in its words, and flags. The postings of a
 * list ascend by section. Each is a number: the distance from the section before, times four, plus
 *
 *   0  the term is there once        2  more often; the count less three follows
 *   1  the term is there twice       3  the count times four, plus the flags, follows
 *
 * The distance of the first posting of a part counts from -1.
 */

/** The term is in the title or an alias of the page; only in the first section of a page. */
export const inTitle = 1;
/** The term is in a heading above the section or in it. */
export const inHeading = 2;

/** A part of a list: the postings of one block. */
export interface ListPart {
  readonly firstSection: number;
  readonly count: number;
}

/** Postings of a long list that can be decoded alone. */
export const groupPostings = 64;

/** Bytes of postings at which a part of a long list ends with its group: two rows fit into a page of the database. */
const partBytes = 3_600;

interface EncodedPart extends ListPart {
  readonly firstGroup: number;
}

/** The ends of a group in the two streams of its list. */
interface EncodedGroup {
  readonly lastSection: number;
  readonly postingsEnd: number;
  readonly positionsEnd: number;
}

/** Encodes the postings of one term, cut into groups and parts. */
export class ListEncoder {
  readonly postings = new ByteWriter();
  readonly positions = new ByteWriter();
  readonly parts: EncodedPart[] = [];
  readonly groups: EncodedGroup[] = [];
  count = 0;
  #inGroup = 0;
  #inPart = 0;
  #firstGroup = 0;
  #firstSection = 0;
  #partStart = 0;
  #section = -1;
  #position = -1;

  start(): void {
    this.postings.clear();
    this.positions.clear();
    if (this.groups.length > 0) {
      this.parts.length = 0;
      this.groups.length = 0;
    }
    this.count = 0;
    this.#inGroup = 0;
    this.#inPart = 0;
    this.#firstGroup = 0;
    this.#partStart = 0;
    this.#section = -1;
  }

  /** Adds a section above all before. Its positions follow by `position` or `copyPositions`. */
  posting(section: number, count: number, flags: number): void {
    if (this.#inGroup === groupPostings) this.#endGroup();
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
    this.#inGroup += 1;
    this.#inPart += 1;
    this.count += 1;
  }

  /** Adds the next position of the posting, counted from the first word of its section, with the marks of its neighbours. */
  position(position: number, marks: number): void {
    this.positions.uint(position - this.#position - 1);
    this.positions.byte(marks);
    this.#position = position;
  }

  /** Copies `count` positions as they were encoded. Returns where they end. */
  copyPositions(bytes: Uint8Array, start: number, count: number): number {
    const end = skipPositions(bytes, start, count);
    this.positions.append(bytes, start, end);
    return end;
  }

  /** Ends the last group and part. The lists of most terms are short, and need neither. */
  endParts(): void {
    if (this.#inGroup > 0) this.#endGroup();
    if (this.#inPart > 0) this.#endPart();
  }

  #endGroup(): void {
    this.groups.push({
      lastSection: this.#section,
      postingsEnd: this.postings.length,
      positionsEnd: this.positions.length,
    });
    this.#inGroup = 0;
    if (this.postings.length - this.#partStart >= partBytes) this.#endPart();
  }

  #endPart(): void {
    this.parts.push({ firstSection: this.#firstSection, count: this.#inPart, firstGroup: this.#firstGroup });
    this.#firstGroup = this.groups.length;
    this.#partStart = this.postings.length;
    this.#inPart = 0;
    this.#section = -1;
  }
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

/** Makes room for a number of further ones. */
export function reservePostings(postings: Postings, more: number): void {
  const least = postings.length + more;
  if (least <= postings.sections.length) return;
  const { sections, values } = newPostings(Math.max(least, 2 * postings.length));
  sections.set(postings.sections.subarray(0, postings.length));
  values.set(postings.values.subarray(0, postings.length));
  postings.sections = sections;
  postings.values = values;
}

/**
 * Decodes `count` postings and appends them. Throws `IndexDamagedError` if they do not fit the bytes or the segment, which
 * has `sectionCount` sections.
 *
 * @param before The section from which the first distance counts.
 */
export function decodePostings(
  bytes: Uint8Array,
  start: number,
  count: number,
  sectionCount: number,
  into: Postings,
  before = -1,
): void {
  const { sections, values } = into;
  let length = into.length;
  if (count > sections.length - length) throw new IndexDamagedError("a list of the text index is too long");
  let index = start;
  let section = before;
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
