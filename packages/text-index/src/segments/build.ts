import { TermTable } from "../text/terms.ts";
import type { PageTokens } from "../text/types.ts";
import { BlockPacker } from "./block.ts";
import type { Block } from "./block-store.ts";
import { at, byteAt, compareBytes } from "./bytes.ts";
import { anyMark, markOf, marksOf } from "./positions.ts";
import { inHeading, inTitle, ListEncoder } from "./postings.ts";
import { encodePages, idBytes, longestSection, newSegmentPages, type SegmentPages } from "./segment-pages.ts";
import { sortTerms } from "./sort-terms.ts";

/** A segment as it is written: first the chunks of its pages, then its blocks. Each is to be stored in this order. */
export interface SegmentOutput {
  readonly pages: SegmentPages;
  chunks(): Iterable<Uint8Array>;
  blocks(): Iterable<Block>;
}

/**
 * Words and sections that a segment takes before it is to be written: about 24 MB of text and 50 MB of memory. An event
 * has 24 bits for its section.
 */
const fullSize = 4_000_000;

interface AddedPage {
  readonly id: Uint8Array;
  readonly version: number;
  /** The start of its words in `SegmentBuilder.#words`. */
  readonly start: number;
  readonly sections: readonly SectionOutline[];
  readonly titleWords: number;
}

interface SectionOutline {
  readonly start: number;
  readonly base: number;
  readonly headings: number;
  readonly terms: number;
  readonly length: number;
}

/**
 * Builds a segment from pages. Words are kept as numbers, page by page, and sorted by term at the end: a few passes over
 * flat columns.
 */
export class SegmentBuilder {
  /** Numbers the words of the pages. */
  readonly terms = new TermTable();
  readonly #pages: AddedPage[] = [];
  #words = new Uint32Array(1 << 16);
  #wordCount = 0;
  #sectionCount = 0;

  get pageCount(): number {
    return this.#pages.length;
  }

  /** Whether the segment has enough to be written. */
  get isFull(): boolean {
    return this.#wordCount + this.#sectionCount >= fullSize;
  }

  /**
   * Adds a page. Of several versions of a page, the last one counts.
   *
   * @param id 16 bytes, which are not copied.
   * @param tokens Its words as numbers of `terms`. At least one section; starts and positions ascend.
   */
  add(id: Uint8Array, version: number, tokens: PageTokens<number>): void {
    const start = this.#wordCount;
    this.#addWords(tokens.title);
    const sections = tokens.sections.map((section) => {
      this.#addWords(section.headings);
      this.#addWords(section.terms);
      const { start, basePosition: base } = section;
      const [headings, terms] = [section.headings.length, section.terms.length];
      return { start, base, headings, terms, length: section.length ?? terms };
    });
    this.#sectionCount += sections.length;
    this.#pages.push({ id, version, start, sections, titleWords: tokens.title.length });
  }

  #addWords(words: readonly number[]): void {
    const end = this.#wordCount + words.length;
    if (end > this.#words.length) {
      const longer = new Uint32Array(Math.max(2 * this.#words.length, end));
      longer.set(this.#words);
      this.#words = longer;
    }
    this.#words.set(words, this.#wordCount);
    this.#wordCount = end;
  }

  /** The segment. No more pages may be added. */
  finish(): SegmentOutput {
    const added = this.#pages.toSorted((a, b) => compareBytes(a.id, b.id)).filter(isLastVersion);
    const pages = columnsOf(added);
    const events = this.#sortByTerm(added);
    return {
      pages,
      chunks: () => encodePages(pages),
      blocks: () => this.#blocks(events),
    };
  }

  /** The place of each term: first counted, then filled in, so that the events of a term lie side by side. */
  #sortByTerm(added: readonly AddedPage[]): TermEvents {
    const ends = new Uint32Array(this.terms.count + 2);
    for (const page of added) {
      const end = page.start + wordsOf(page);
      for (let index = page.start; index < end; index += 1) {
        const term = at(this.#words, index);
        ends[term] = at(ends, term) + 1;
      }
    }
    ends[0] = 0;
    let total = 0;
    for (let term = 0; term < ends.length; term += 1) {
      const count = at(ends, term);
      ends[term] = total;
      total += count;
    }
    const events = { ends, slots: new Uint32Array(2 * total) };
    const marks = this.terms.marks(markOf);
    let section = 0;
    for (const page of added) section = this.#addEvents(page, section, marks, events);
    return events;
  }

  #addEvents(page: AddedPage, firstSection: number, marks: Uint8Array, events: TermEvents): number {
    let index = page.start + page.titleWords;
    let section = firstSection;
    this.#addFlags(page.start, index, section, inTitle, events);
    for (const { headings, terms } of page.sections) {
      this.#addFlags(index, index + headings, section, inHeading, events);
      index += headings;
      this.#addPositions(index, index + terms, section, marks, events);
      index += terms;
      section += 1;
    }
    return section;
  }

  #addFlags(start: number, end: number, section: number, flag: number, events: TermEvents): void {
    for (let index = start; index < end; index += 1) this.#addEvent(index, section, flag, 0, events);
  }

  #addPositions(start: number, end: number, section: number, marks: Uint8Array, events: TermEvents): void {
    for (let index = start; index < end; index += 1) {
      const before = index === start ? anyMark : byteAt(marks, at(this.#words, index - 1));
      const after = index + 1 === end ? anyMark : byteAt(marks, at(this.#words, index + 1));
      this.#addEvent(index, section, (index - start) * 4, marksOf(before, after), events);
    }
  }

  #addEvent(index: number, section: number, kind: number, marks: number, { ends, slots }: TermEvents): void {
    const term = at(this.#words, index);
    if (term === 0) return;
    const place = at(ends, term);
    slots[2 * place] = section * 256 + marks;
    slots[2 * place + 1] = kind;
    ends[term] = place + 1;
  }

  *#blocks(events: TermEvents): Generator<Block> {
    const packer = new BlockPacker();
    const list = new ListEncoder();
    for (const number of sortTerms(this.terms)) {
      const start = at(events.ends, number - 1);
      const end = at(events.ends, number);
      if (start === end) continue;
      encodeList(list, events.slots, start, end);
      packer.add(utf8Of(this.terms.unitsOf(number)), list);
      if (packer.ready.length > 0) yield* packer.ready.splice(0);
    }
    packer.finish();
    yield* packer.ready;
  }
}

/** A term in UTF-8. `Buffer.from` takes five times as long for a short one. */
function utf8Of(units: Uint16Array): Uint8Array {
  let length = units.length;
  for (const unit of units) {
    if (unit >= 0x80) length += 1;
    if (unit >= 0x800) length += 1;
  }
  const bytes = new Uint8Array(length);
  let index = 0;
  for (const unit of units) {
    if (unit < 0x80) {
      bytes[index++] = unit;
    } else if (unit < 0x800) {
      bytes[index++] = 0xc0 | (unit >>> 6);
      bytes[index++] = 0x80 | (unit & 0x3f);
    } else if (unit < 0xd800 || unit > 0xdfff) {
      bytes[index++] = 0xe0 | (unit >>> 12);
      bytes[index++] = 0x80 | ((unit >>> 6) & 0x3f);
      bytes[index++] = 0x80 | (unit & 0x3f);
    } else {
      // A surrogate pair.
      return Buffer.from(String.fromCharCode(...units));
    }
  }
  return bytes;
}

/** Every place of a term, term by term. */
interface TermEvents {
  /** The end of the events of each term. */
  readonly ends: Uint32Array;
  /**
   * Two numbers per event, adjacent in memory, so that each event costs one cache miss:
   * the section times 256, plus the marks of the words around a position; and a flag, or four times the position within
   * the section.
   */
  readonly slots: Uint32Array;
}

function encodeList(list: ListEncoder, slots: Uint32Array, start: number, end: number): void {
  const sectionAt = (index: number) => at(slots, 2 * index) >>> 8;
  const kindAt = (index: number) => at(slots, 2 * index + 1);
  list.start();
  for (let index = start; index < end; ) {
    const section = sectionAt(index);
    let flags = 0;
    while (index < end && sectionAt(index) === section && (kindAt(index) & 3) !== 0) {
      flags |= kindAt(index);
      index += 1;
    }
    let next = index;
    while (next < end && sectionAt(next) === section) next += 1;
    list.posting(section, next - index, flags);
    for (; index < next; index += 1) list.position(kindAt(index) >>> 2, at(slots, 2 * index) & 0xff);
  }
}

function isLastVersion(page: AddedPage, index: number, pages: readonly AddedPage[]): boolean {
  const next = pages[index + 1];
  return next === undefined || compareBytes(page.id, next.id) !== 0;
}

function wordsOf({ titleWords, sections }: AddedPage): number {
  return sections.reduce((sum, { headings, terms }) => sum + headings + terms, titleWords);
}

function columnsOf(added: readonly AddedPage[]): SegmentPages {
  const sectionCount = added.reduce((sum, { sections }) => sum + sections.length, 0);
  const pages = newSegmentPages(added.length, sectionCount);
  let section = 0;
  added.forEach(({ id, version, sections }, page) => {
    pages.ids.set(id, page * idBytes);
    pages.versions[page] = version;
    pages.firstSections[page] = section;
    for (const { start, base, length } of sections) {
      pages.pageOf[section] = page;
      pages.starts[section] = start;
      pages.bases[section] = base;
      pages.lengths[section] = Math.min(length, longestSection);
      section += 1;
    }
  });
  return pages;
}
