import { at } from "../segments/bytes.ts";
import type { StoredSegment } from "../segments/merge.ts";
import { inHeading, inTitle, type Postings } from "../segments/postings.ts";
import type { SegmentPages } from "../segments/segment-pages.ts";
import { countShare, headingCount, type Scoring, scoreUnit, titleShare } from "./bm25.ts";
import { nextBound } from "./lower-bound.ts";

/** Takes pages of a segment that were scored. Scores are in millionths. */
export interface TakePages {
  /** Whether all pages that match `all` are taken, whatever their score is. */
  readonly areCounted: boolean;
  /** Whether a page with at most this score may be taken for another reason. */
  mayTake(isAll: boolean, score: number): boolean;
  /** Called for pages in ascending order. */
  take(page: number, isAll: boolean, score: number): void;
}

/** Pages scored between two checks of the deadline. */
const pagesPerCheck = 1024;

/**
 * Scores the pages of a segment that have the word `lead`, by this word and those after it.
 *
 * @param isOver Asked now and then; true ends the work.
 * @returns Whether all was scored.
 */
export function scorePages(
  { pages }: StoredSegment,
  words: readonly Postings[],
  lead: number,
  scoring: Scoring,
  into: TakePages,
  isOver: () => boolean,
): boolean {
  if (lead === words.length - 1) return scoreLast(pages, words, scoring, into, isOver);
  const { sections, length } = words[lead] as Postings;
  const readers = words
    .map((postings, word) => new WordReader(pages, postings, scoring.weights[word] as number, scoring))
    .slice(lead);
  const count = lead === 0 ? words.length : Number.POSITIVE_INFINITY;
  let end = 0;
  for (let index = 0, scored = 0; index < length; index += 1) {
    if (at(sections, index) < end) continue;
    if (scored % pagesPerCheck === 0 && isOver()) return false;
    scored += 1;
    const page = at(pages.pageOf, at(sections, index));
    end = at(pages.firstSections, page + 1);
    scorePage(page, at(pages.firstSections, page), end, readers, count, into);
  }
  return true;
}

/**
 * Scores pages of a segment by words, and by other forms of the words that a page lacks.
 *
 * @param wanted The pages, ascending.
 * @param forms For each word, the postings of its forms.
 * @param isOver Asked now and then; true ends the work.
 * @returns Whether all was scored.
 */
export function scoreWithForms(
  { pages }: StoredSegment,
  wanted: Uint32Array,
  words: readonly Postings[],
  forms: readonly Postings[],
  scoring: Scoring,
  into: TakePages,
  isOver: () => boolean,
): boolean {
  const readers = words.map((postings, word) => {
    const formReader = new WordReader(
      pages,
      forms[word] as Postings,
      scoring.formWeights[word] as number,
      scoring,
    );
    return new WordReader(pages, postings, scoring.weights[word] as number, scoring, formReader);
  });
  let scored = 0;
  for (const page of wanted) {
    if (scored % pagesPerCheck === 0 && isOver()) return false;
    scored += 1;
    const [first, end] = [at(pages.firstSections, page), at(pages.firstSections, page + 1)];
    scorePage(page, first, end, readers, words.length, into);
  }
  return true;
}

/** The same for the last word, beside which there is no other. */
function scoreLast(
  { pageOf, lengths }: SegmentPages,
  words: readonly Postings[],
  { weights, base, perWord }: Scoring,
  into: TakePages,
  isOver: () => boolean,
): boolean {
  const { sections, values, length } = words.at(-1) as Postings;
  const weight = weights.at(-1) as number;
  const isAll = words.length === 1;
  const areAllTaken = isAll && into.areCounted;
  for (let index = 0, scored = 0; index < length; scored += 1) {
    if (scored % pagesPerCheck === 0 && isOver()) return false;
    const value = at(values, index);
    // However short the section may be: most postings are left out without a look at the columns.
    const mayBeLeftOut = !areAllTaken && !(value & inTitle);
    if (mayBeLeftOut && !into.mayTake(isAll, Math.ceil(weight * shareOf(value, base) * scoreUnit))) {
      index += 1;
      continue;
    }
    const page = at(pageOf, at(sections, index));
    // A word in the title is noted at the first section.
    const titleScore = value & inTitle ? weight * titleShare : 0;
    let best = 0;
    do {
      const half = base + perWord * (lengths[at(sections, index)] as number);
      const share = shareOf(at(values, index), half);
      if (share > best) best = share;
      index += 1;
    } while (index < length && at(pageOf, at(sections, index)) === page);
    into.take(page, isAll, Math.round((weight * best + titleScore) * scoreUnit));
  }
  return true;
}

/** Scratch memory for the sections of a page: what their words add up to, and how many words besides those in the title. */
let scores = new Float64Array(64);
let counts = new Uint32Array(64);

/**
 * Scores a page, unless the words that it has cannot lift it among those to take.
 *
 * @param count How many words a page has that matches `all`.
 */
function scorePage(
  page: number,
  first: number,
  end: number,
  readers: readonly WordReader[],
  count: number,
  into: TakePages,
): void {
  let sum = 0;
  let found = 0;
  for (const reader of readers) {
    const most = reader.mostIn(first, end);
    if (most > 0) found += 1;
    sum += most === 0 ? reader.mostOfForms : most;
  }
  const mayBeAll = found === count;
  // One more, as sums are rounded.
  if (!(mayBeAll && into.areCounted) && !into.mayTake(mayBeAll, sum * scoreUnit + 1)) return;
  if (end - first > scores.length) {
    scores = new Float64Array(2 * (end - first));
    counts = new Uint32Array(2 * (end - first));
  }
  let titleScore = 0;
  let titleCount = 0;
  for (const reader of readers) {
    if (reader.addPage(first, end)) {
      titleScore += reader.weight * titleShare;
      titleCount += 1;
    } else if (reader.forms !== null && !reader.isInPage && reader.forms.addPage(first, end, 0)) {
      titleScore += reader.forms.weight * titleShare;
    }
  }
  let best = 0;
  let most = 0;
  for (let slot = 0; slot < end - first; slot += 1) {
    best = Math.max(best, (scores[slot] as number) + titleScore);
    most = Math.max(most, at(counts, slot));
    scores[slot] = 0;
    counts[slot] = 0;
  }
  into.take(page, most + titleCount === count, Math.round(best * scoreUnit));
}

/** The share of its weight that a posting has. */
function shareOf(value: number, half: number): number {
  return countShare((value >>> 2) + (value & inHeading ? headingCount : 0), half);
}

/** The postings of a word in one page. */
export interface PostingRun {
  readonly postings: Postings;
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

/** The best sections of one page, best first, and their scores between 0 and 1. */
export function bestSections(
  segment: StoredSegment,
  words: readonly PostingRun[],
  { base, perWord }: Scoring,
  limit: number,
): { section: number; relevance: number }[] {
  const own = new Map<number, number>();
  let titleScore = 0;
  for (const { postings, from, to, weight } of words) {
    const { sections, values } = postings;
    for (let index = from; index < to; index += 1) {
      const section = at(sections, index);
      const value = at(values, index);
      const half = base + perWord * (segment.pages.lengths[section] as number);
      own.set(section, (own.get(section) ?? 0) + weight * shareOf(value, half));
      if (value & inTitle) titleScore += weight * titleShare;
    }
  }
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
  readonly forms: WordReader | null;
  /** The most that its forms can add to the score of a page. */
  readonly mostOfForms: number;
  /** Whether the page that was read last has the word. */
  isInPage = false;
  readonly #length: number;
  readonly #sections: Uint32Array;
  readonly #values: Uint32Array;
  readonly #lengths: Uint16Array;
  readonly #base: number;
  readonly #perWord: number;
  #index = 0;

  constructor(
    pages: SegmentPages,
    postings: Postings,
    weight: number,
    scoring: Scoring,
    forms: WordReader | null = null,
  ) {
    this.weight = weight;
    this.forms = forms;
    this.mostOfForms = forms === null || forms.#length === 0 ? 0 : forms.weight * (1 + titleShare);
    this.#length = postings.length;
    this.#sections = postings.sections;
    this.#values = postings.values;
    this.#lengths = pages.lengths;
    this.#base = scoring.base;
    this.#perWord = scoring.perWord;
  }

  /**
   * Goes to the page with these sections. Returns the most that the word can add to its score, however short the sections may
   * be: 0 if it lacks the word.
   */
  mostIn(first: number, end: number): number {
    let index = nextBound(this.#sections, first, this.#length, this.#index);
    this.#index = index;
    if (index === this.#length || at(this.#sections, index) >= end) return 0;
    // A word in the title is noted at the first section.
    const ofTitle = at(this.#values, index) & inTitle ? titleShare : 0;
    let most = 0;
    for (; index < this.#length && at(this.#sections, index) < end; index += 1)
      most = Math.max(most, shareOf(at(this.#values, index), this.#base));
    return this.weight * (most + ofTitle);
  }

  /**
   * Adds what the word has in the page with these sections, and `count` to the words of each that has it. Returns whether it is
   * in the title; then every section has it.
   */
  addPage(first: number, end: number, count = 1): boolean {
    let index = nextBound(this.#sections, first, this.#length, this.#index);
    let isInTitle = false;
    const before = index;
    for (; index < this.#length; index += 1) {
      const section = at(this.#sections, index);
      if (section >= end) break;
      const value = at(this.#values, index);
      const slot = section - first;
      const half = this.#base + this.#perWord * (this.#lengths[section] as number);
      scores[slot] = (scores[slot] as number) + this.weight * shareOf(value, half);
      if (value & inTitle) isInTitle = true;
      if (!isInTitle) counts[slot] = at(counts, slot) + count;
    }
    this.isInPage = index > before;
    this.#index = index;
    return isInTitle;
  }
}
