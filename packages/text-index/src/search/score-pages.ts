import { at } from "../segments/bytes.ts";
import type { StoredSegment } from "../segments/merge.ts";
import { inHeading, inTitle, type Postings } from "../segments/postings.ts";
import type { SegmentPages } from "../segments/segment-pages.ts";
import { headingCount, scoreUnit, titleShare } from "./bm25.ts";
import type { TopPages } from "./top-pages.ts";

/** What a segment's pages are scored by. */
export interface Scoring {
  /** The weight of each word; their sum, times what a title adds at most, is 1. */
  readonly weights: readonly number[];
  readonly base: number;
  readonly perWord: number;
}

/** Called for pages that are scored, ascending: all that may be listed or have to be counted. `score` is in millionths. */
export type TakePage = (page: number, isAll: boolean, score: number) => void;

/** How many pages are scored before time is looked at. */
const pagesPerCheck = 1024;
const postingsPerCheck = 4096;

const none = Number.POSITIVE_INFINITY;

/**
 * Scores the pages of a segment by the postings of each word, page by page. A page that would be neither counted nor
 * listed is left out: once the top pages are good enough, frequent words alone make no page one of them, and only
 * the postings of rarer words say which pages to look at.
 *
 * @param isCounted Whether pages that match `all` are counted.
 * @param isOver Asked now and then; true ends the work.
 * @returns Whether all was scored.
 */
export function scorePages(
  { pages }: StoredSegment,
  words: readonly Postings[],
  scoring: Scoring,
  top: TopPages,
  isCounted: boolean,
  take: TakePage,
  isOver: () => boolean,
): boolean {
  const [only] = words;
  if (only !== undefined && words.length === 1)
    return scoreOne(pages, only, scoring, isCounted ? null : top, take, isOver);
  const readers = words.map((postings, word) => new WordReader(pages, postings, scoring, word));
  let changes = -1;
  let leaders: readonly WordReader[] = [];
  for (let scored = 0; ; scored += 1) {
    if (top.changes !== changes) {
      changes = top.changes;
      leaders = leadersOf(readers, top);
    }
    let section = none;
    for (const leader of leaders) section = Math.min(section, leader.section);
    if (section === none) return true;
    if (scored % pagesPerCheck === 0 && isOver()) return false;
    const page = at(pages.pageOf, section);
    scorePage(pages, page, readers, take);
  }
}

/** The same for one word, which most queries have: each of its pages matches `all`. */
function scoreOne(
  { pageOf, firstSections, lengths }: SegmentPages,
  { sections, values, length }: Postings,
  { weights, base, perWord }: Scoring,
  /** Null if all pages are taken. */
  top: TopPages | null,
  take: TakePage,
  isOver: () => boolean,
): boolean {
  const weight = weights[0] as number;
  let next = 0;
  for (let index = 0; index < length; ) {
    if (index >= next) {
      if (isOver()) return false;
      next = index + postingsPerCheck;
    }
    const page = at(pageOf, at(sections, index));
    const end = at(firstSections, page + 1);
    // A word in the title is noted at the first section.
    const titleScore = at(values, index) & inTitle ? weight * titleShare : 0;
    let best = 0;
    for (; index < length && at(sections, index) < end; index += 1) {
      const half = base + perWord * (lengths[at(sections, index)] as number);
      const share = shareOf(at(values, index), half);
      if (share > best) best = share;
    }
    const score = Math.round((weight * best + titleScore) * scoreUnit);
    if (top === null || top.mayTake(true, score)) take(page, true, score);
  }
  return true;
}

/** A page must have one of these words to be counted or listed. */
function leadersOf(readers: readonly WordReader[], top: TopPages): readonly WordReader[] {
  const bar = top.bar;
  if (bar === null) return readers;
  // A page with all words has the rarest.
  if (bar.all) return [readers.reduce((a, b) => (b.length < a.length ? b : a))];
  const byWeight = readers.toSorted((a, b) => a.weight - b.weight);
  let most = 0;
  let left = 0;
  for (; left < byWeight.length - 1; left += 1) {
    most += (byWeight[left]?.weight ?? 0) * (1 + titleShare);
    // One more, as sums are rounded.
    if (most * scoreUnit + 1 >= bar.score) break;
  }
  return byWeight.slice(left);
}

/** Scratch memory for the sections of a page: what their words add up to, and how many words besides those in the title. */
let scores = new Float64Array(64);
let counts = new Uint32Array(64);

function scorePage(pages: SegmentPages, page: number, readers: readonly WordReader[], take: TakePage): void {
  const first = at(pages.firstSections, page);
  const end = at(pages.firstSections, page + 1);
  if (end - first > scores.length) {
    scores = new Float64Array(2 * (end - first));
    counts = new Uint32Array(2 * (end - first));
  }
  let titleScore = 0;
  let titleCount = 0;
  for (const reader of readers) {
    if (!reader.addPage(first, end)) continue;
    titleScore += reader.weight * titleShare;
    titleCount += 1;
  }
  let best = 0;
  let most = 0;
  for (let slot = 0; slot < end - first; slot += 1) {
    best = Math.max(best, (scores[slot] as number) + titleScore);
    most = Math.max(most, at(counts, slot));
    scores[slot] = 0;
    counts[slot] = 0;
  }
  take(page, most + titleCount === readers.length, Math.round(best * scoreUnit));
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

/** Adds the postings of one word, page by page. */
class WordReader {
  readonly weight: number;
  readonly length: number;
  readonly #sections: Uint32Array;
  readonly #values: Uint32Array;
  readonly #lengths: Uint16Array;
  readonly #base: number;
  readonly #perWord: number;
  #index = 0;

  constructor(pages: SegmentPages, postings: Postings, scoring: Scoring, word: number) {
    this.weight = scoring.weights[word] as number;
    this.length = postings.length;
    this.#sections = postings.sections;
    this.#values = postings.values;
    this.#lengths = pages.lengths;
    this.#base = scoring.base;
    this.#perWord = scoring.perWord;
  }

  /** The section of the next posting, or infinity. */
  get section(): number {
    return this.#index < this.length ? at(this.#sections, this.#index) : none;
  }

  /** Adds what the word has in the page with these sections. Returns whether it is in the title; then every section has it. */
  addPage(first: number, end: number): boolean {
    let index = this.#index;
    let isInTitle = false;
    while (index < this.length && at(this.#sections, index) < first) index += 1;
    for (; index < this.length; index += 1) {
      const section = at(this.#sections, index);
      if (section >= end) break;
      const value = at(this.#values, index);
      const slot = section - first;
      const half = this.#base + this.#perWord * (this.#lengths[section] as number);
      scores[slot] = (scores[slot] as number) + this.weight * shareOf(value, half);
      if (value & inTitle) isInTitle = true;
      if (!isInTitle) counts[slot] = at(counts, slot) + 1;
    }
    this.#index = index;
    return isInTitle;
  }
}
