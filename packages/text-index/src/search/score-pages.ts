import { at } from "../segments/bytes.ts";
import type { StoredSegment } from "../segments/merge.ts";
import { inHeading, inTitle, type Postings } from "../segments/postings.ts";
import { headingCount, scoreUnit, titleShare } from "./bm25.ts";

/** What a segment's pages are scored by. */
export interface Scoring {
  /** The weight of each word; their sum, times what a title adds at most, is 1. */
  readonly weights: readonly number[];
  readonly base: number;
  readonly perWord: number;
}

/** Called for each page that has a word, ascending. `score` is in millionths. */
export type TakePage = (page: number, isAll: boolean, score: number) => void;

/** Sections that are added up at a time. */
const windowSections = 4096;

/** Scratch memory: a window is added up and taken without a pause, so one for each thread is enough. */
const scores = new Float64Array(windowSections);
/** How many words each section has besides those of the title, plus 2¹⁶ for each word that the title has. */
const counts = new Uint32Array(windowSections);
const titleScores = new Float64Array(windowSections);
const titleWord = 0x1_0000;
const touched = new Int32Array(windowSections / 32);

/**
 * Scores the pages of a segment by the postings of each word. Sections are gone through in windows: each word adds to its
 * sections of the window, which are then taken in order, page by page.
 *
 * @param isOver Asked once a window; true ends the work.
 * @returns Whether all was scored.
 */
export function scorePages(
  segment: StoredSegment,
  words: readonly Postings[],
  scoring: Scoring,
  take: TakePage,
  isOver: () => boolean,
): boolean {
  const readers = words.map((postings, word) => new WordReader(segment, postings, scoring, word));
  const pages = new PageScores(segment, words.length, take);
  for (;;) {
    let start = Number.POSITIVE_INFINITY;
    for (const reader of readers) start = Math.min(start, reader.section);
    if (start === Number.POSITIVE_INFINITY) break;
    if (isOver()) return false;
    for (const reader of readers) reader.addWindow(start);
    pages.takeWindow(start);
  }
  pages.end();
  return true;
}

/** How much of its weight a posting has. `half` is the count that has half of it. */
function shareOf(value: number, half: number): number {
  const count = (value >>> 2) + (value & inHeading ? headingCount : 0);
  return count / (count + half);
}

/**
 * The best sections of one page, best first, and their scores between 0 and 1.
 *
 * @param words The postings of each word within the page.
 */
export function bestSections(
  segment: StoredSegment,
  words: readonly Postings[],
  { weights, base, perWord }: Scoring,
  limit: number,
): { section: number; relevance: number }[] {
  const own = new Map<number, number>();
  let titleScore = 0;
  words.forEach(({ sections, values, length }, word) => {
    const weight = weights[word] as number;
    for (let index = 0; index < length; index += 1) {
      const section = at(sections, index);
      const value = at(values, index);
      const half = base + perWord * (segment.pages.lengths[section] as number);
      own.set(section, (own.get(section) ?? 0) + weight * shareOf(value, half));
      if (value & inTitle) titleScore += weight * titleShare;
    }
  });
  return [...own]
    .map(([section, score]) => ({
      section,
      relevance: Math.round((score + titleScore) * scoreUnit) / scoreUnit,
    }))
    .sort((a, b) => b.relevance - a.relevance || a.section - b.section)
    .slice(0, limit);
}

/** Adds the postings of one word to the windows. */
class WordReader {
  readonly #segment: StoredSegment;
  readonly #postings: Postings;
  readonly #weight: number;
  readonly #base: number;
  readonly #perWord: number;
  #index = 0;
  /** The first section behind the page whose title has the word. */
  #titleEnd = 0;

  constructor(segment: StoredSegment, postings: Postings, scoring: Scoring, word: number) {
    this.#segment = segment;
    this.#postings = postings;
    this.#weight = scoring.weights[word] as number;
    this.#base = scoring.base;
    this.#perWord = scoring.perWord;
  }

  /** The section of the next posting, or infinity. */
  get section(): number {
    const { sections, length } = this.#postings;
    return this.#index < length ? at(sections, this.#index) : Number.POSITIVE_INFINITY;
  }

  addWindow(start: number): void {
    const { sections, values, length } = this.#postings;
    const { lengths } = this.#segment.pages;
    const end = start + windowSections;
    let index = this.#index;
    for (; index < length; index += 1) {
      const section = at(sections, index);
      if (section >= end) break;
      const value = at(values, index);
      const slot = section - start;
      touched[slot >>> 5] = (touched[slot >>> 5] as number) | (1 << (slot & 31));
      if (value & inTitle) this.#addTitle(section, slot);
      const half = this.#base + this.#perWord * (lengths[section] as number);
      scores[slot] = (scores[slot] as number) + this.#weight * shareOf(value, half);
      // In a page whose title has the word, every section has it.
      if (section >= this.#titleEnd) counts[slot] = at(counts, slot) + 1;
    }
    this.#index = index;
  }

  #addTitle(section: number, slot: number): void {
    const { firstSections, pageOf } = this.#segment.pages;
    this.#titleEnd = at(firstSections, at(pageOf, section) + 1);
    titleScores[slot] = (titleScores[slot] as number) + this.#weight * titleShare;
    counts[slot] = at(counts, slot) + titleWord;
  }
}

/** Takes the sections of the windows in order and finds the best of each page. A page may reach across windows. */
class PageScores {
  readonly #segment: StoredSegment;
  readonly #words: number;
  readonly #take: TakePage;
  #page = -1;
  #pageEnd = 0;
  #titleScore = 0;
  #titleCount = 0;
  #best = 0;
  #isAll = false;

  constructor(segment: StoredSegment, words: number, take: TakePage) {
    this.#segment = segment;
    this.#words = words;
    this.#take = take;
  }

  takeWindow(start: number): void {
    const { pageOf, firstSections } = this.#segment.pages;
    // The state of the page in locals: this loop takes most of the time of a query.
    let titleScore = this.#titleScore;
    let titleCount = this.#titleCount;
    let best = this.#best;
    let isAll = this.#isAll;
    let pageEnd = this.#pageEnd;
    for (let group = 0; group < touched.length; group += 1) {
      let bits = touched[group] as number;
      touched[group] = 0;
      while (bits !== 0) {
        const slot = group * 32 + 31 - Math.clz32(bits & -bits);
        bits &= bits - 1;
        if (start + slot >= pageEnd) {
          if (this.#page >= 0) this.#take(this.#page, isAll, Math.round(best * scoreUnit));
          this.#page = at(pageOf, start + slot);
          pageEnd = at(firstSections, this.#page + 1);
          titleScore = 0;
          titleCount = 0;
          best = 0;
          isAll = false;
        }
        const count = at(counts, slot);
        // Words in the title are noted at the first section.
        if (count >= titleWord) {
          titleScore += titleScores[slot] as number;
          titleCount += count >>> 16;
          titleScores[slot] = 0;
        }
        const score = (scores[slot] as number) + titleScore;
        best = Math.max(best, score);
        if ((count & 0xffff) + titleCount === this.#words) isAll = true;
        scores[slot] = 0;
        counts[slot] = 0;
      }
    }
    this.#titleScore = titleScore;
    this.#titleCount = titleCount;
    this.#best = best;
    this.#isAll = isAll;
    this.#pageEnd = pageEnd;
  }

  /** Takes the last page. */
  end(): void {
    if (this.#page >= 0) this.#take(this.#page, this.#isAll, Math.round(this.#best * scoreUnit));
    this.#page = -1;
  }
}
