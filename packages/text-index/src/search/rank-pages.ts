import { at } from "../segments/bytes.ts";
import type { StoredSegment } from "../segments/merge.ts";
import { newPostings, type Postings } from "../segments/postings.ts";
import { mostOf, type Scoring, scoringOf } from "./bm25.ts";
import type { IndexView } from "./index-view.ts";
import type { ReadWord } from "./read-words.ts";
import { scorePages, scoreWithForms, type TakePages } from "./score-pages.ts";
import { type RankedPage, type ResultKey, TopPages } from "./top-pages.ts";

/** The limits and the order of a list. */
export interface RankOptions {
  readonly limit: number;
  /**
   * A unique rank per node. It breaks ties when results are sorted by relevance; otherwise it is the sort order, and only pages
   * that match `all` are listed.
   */
  readonly ranks: Uint32Array;
  readonly byRelevance: boolean;
  /** Lists what follows this result. */
  readonly after: ResultKey | null;
  /** Says whether a node may be listed; null if all may. Nodes that it refuses count only for the rarity of words. */
  readonly accepts: ((node: number) => boolean) | null;
  /** Whether time is over. */
  isOver(): boolean;
}

/** The words to rank pages by, with their weights. */
export interface Criteria {
  readonly view: IndexView;
  /** The words to look for, the rarest first. */
  readonly words: readonly ReadWord[];
  /** For each of them, the postings of other forms of it, by segment. */
  readonly forms: readonly (readonly Postings[])[];
  readonly excluded: readonly ReadWord[];
  readonly scoring: Scoring;
}

export interface Ranking {
  readonly criteria: Criteria;
  /** The best pages, in order. */
  readonly pages: readonly RankedPage[];
  /** Whether it came to the end. */
  readonly isWhole: boolean;
  /** The number of pages that match `all`, if they were counted. */
  readonly total: number;
}

/** @param forms The forms of some of the words. */
export function criteriaOf(
  view: IndexView,
  words: readonly ReadWord[],
  forms: readonly ReadWord[],
  excluded: readonly ReadWord[],
): Criteria {
  const none = view.segments.map(() => newPostings(0));
  const inputs = words.map(({ word }) => forms.find((each) => each.word === word)?.inputs ?? none);
  const counts = words.map(({ inputs }) => sectionsOf(inputs));
  const scoring = scoringOf(counts, inputs.map(sectionsOf), view.sectionCount, view.length);
  return { view, words, forms: inputs, excluded, scoring };
}

/** The number of postings in all segments. */
export const sectionsOf = (inputs: readonly Postings[]) =>
  inputs.reduce((sum, { length }) => sum + length, 0);

/**
 * Ranks the pages of all segments by words as they were written.
 *
 * @param isCounted Whether pages that match `all` are counted.
 */
export function rankByWords(criteria: Criteria, options: RankOptions, isCounted: boolean): Ranking {
  const listing = { top: new TopPages(options.limit, options.after), isCounted, total: 0 };
  const isWhole = scoreByWords(criteria, options, listing, null);
  return { criteria, pages: listing.top.pages, isWhole, total: listing.total };
}

/** Ranks the pages again with other forms of words, which count in pages that lack the word. */
export function rankWithForms(criteria: Criteria, options: RankOptions, byWords: Ranking): Ranking {
  const { view, words, forms, excluded, scoring } = criteria;
  if (options.isOver()) return { ...byWords, isWhole: false };
  if (forms.every((inputs) => sectionsOf(inputs) === 0)) return byWords;
  const isBeginning = options.after === null;
  // No page ranks lower than before. After a cursor, some may now belong before it, and others take their places.
  const floor = isBeginning && byWords.pages.length === options.limit ? byWords.pages.at(-1) : null;
  const listing = { top: new TopPages(options.limit, options.after, floor), isCounted: false, total: 0 };
  const formsIn = view.segments.map((_, input) => forms.map((inputs) => inputs[input] as Postings));
  const withForms = view.segments.map((segment, input) => pagesWith(segment, formsIn[input] ?? []));
  for (const [input, segment] of view.segments.entries()) {
    const isExcluded = exclusion(segment, postingsIn(excluded, input));
    const into = listPages(segment, input, isExcluded, options, listing);
    const wanted = (withForms[input] as PageSet).ascending();
    const own = postingsIn(words, input);
    if (!scoreWithForms(segment, wanted, own, formsIn[input] ?? [], scoring, into, options.isOver))
      return { ...byWords, isWhole: false };
  }
  if (isBeginning) {
    for (const page of byWords.pages) {
      const isLeft = withForms[page.input]?.has(page.page) === false;
      if (isLeft && listing.top.takes(page.all, page.score, page.rank)) listing.top.add(page);
    }
  } else if (!scoreByWords(criteria, options, listing, withForms)) {
    return { ...byWords, isWhole: false };
  }
  return { ...byWords, criteria, pages: listing.top.pages };
}

const postingsIn = (words: readonly ReadWord[], input: number) =>
  words.map(({ inputs }) => inputs[input] as Postings);

/** The pages of a segment that have any of the words. */
function pagesWith({ pages }: StoredSegment, words: readonly Postings[]): PageSet {
  const found = new PageSet(pages.pageCount);
  for (const { sections, length } of words) {
    for (let index = 0; index < length; index += 1) found.add(at(pages.pageOf, at(sections, index)));
  }
  return found;
}

/** Pages of a segment, a bit for each page. */
class PageSet {
  readonly #bits: Uint32Array;
  #count = 0;

  constructor(pageCount: number) {
    this.#bits = new Uint32Array(Math.ceil(pageCount / 32));
  }

  has(page: number): boolean {
    return (at(this.#bits, page >>> 5) & (1 << (page & 31))) !== 0;
  }

  add(page: number): void {
    if (this.has(page)) return;
    this.#bits[page >>> 5] = at(this.#bits, page >>> 5) | (1 << (page & 31));
    this.#count += 1;
  }

  ascending(): Uint32Array {
    const pages = new Uint32Array(this.#count);
    let next = 0;
    // `entries()` would take longer than all else here.
    for (let index = 0; index < this.#bits.length; index += 1) {
      for (let left = at(this.#bits, index); left !== 0; left &= left - 1) {
        pages[next] = 32 * index + 31 - Math.clz32(left & -left);
        next += 1;
      }
    }
    return pages;
  }
}

interface Listing {
  readonly top: TopPages;
  readonly isCounted: boolean;
  total: number;
}

/**
 * Scores the pages of all segments: first those with the rarest word, then those that lack it but have the second, until
 * the words that are left cannot lift a page among the best. Returns whether it came to the end.
 *
 * @param done For each segment, the pages that were scored already.
 */
function scoreByWords(
  { view, words, excluded, scoring }: Criteria,
  options: RankOptions,
  listing: Listing,
  done: readonly PageSet[] | null,
): boolean {
  const mayList = mayBeListed(options, listing);
  for (const lead of words.keys()) {
    // Pages that match `all` have the rarest word.
    if (lead > 0 && !mayList(false, mostOf(scoring, lead))) break;
    for (const [input, segment] of view.segments.entries()) {
      const own = postingsIn(words, input);
      const isExcluded = exclusion(segment, [...own.slice(0, lead), ...postingsIn(excluded, input)]);
      const isDone = done?.[input];
      const into = listPages(segment, input, isExcluded, options, listing);
      const others: TakePages = isDone
        ? { ...into, take: (page, all, score) => isDone.has(page) || into.take(page, all, score) }
        : into;
      if (!scorePages(segment, own, lead, scoring, others, options.isOver)) return false;
    }
  }
  return true;
}

/** Says whether a page with at most this score may be listed. */
function mayBeListed({ byRelevance }: RankOptions, { top }: Listing): TakePages["mayTake"] {
  return (all, score) => (all || byRelevance) && top.mayTake(all, byRelevance ? score : 0);
}

/** Lists the pages of a segment, and counts those that match `all` if they are to be counted. */
function listPages(
  { live }: StoredSegment,
  input: number,
  isExcluded: ((page: number) => boolean) | null,
  options: RankOptions,
  listing: Listing,
): TakePages {
  const { ranks, byRelevance, accepts } = options;
  const { top, isCounted } = listing;
  const mayTake = mayBeListed(options, listing);
  const take: TakePages["take"] = (page, all, score) => {
    const isAbove = mayTake(all, score);
    if (!isAbove && !(all && isCounted)) return;
    if (isExcluded?.(page)) return;
    const node = at(live.nodeOf, page);
    if (accepts?.(node) === false) return;
    if (all) listing.total += 1;
    if (!isAbove) return;
    const key = byRelevance ? score : 0;
    const rank = at(ranks, node);
    if (top.takes(all, key, rank)) top.add({ node, input, page, all, score: key, rank });
  };
  return { areCounted: isCounted, mayTake, take };
}

/** Says of pages, in ascending order, whether they have one of the words. Null if there are none. */
function exclusion({ pages }: StoredSegment, words: readonly Postings[]): ((page: number) => boolean) | null {
  if (words.length === 0) return null;
  const next = new Uint32Array(words.length);
  return (page) => {
    const start = at(pages.firstSections, page);
    const end = at(pages.firstSections, page + 1);
    let isExcluded = false;
    words.forEach(({ sections, length }, word) => {
      let index = at(next, word);
      while (index < length && at(sections, index) < start) index += 1;
      next[word] = index;
      if (index < length && at(sections, index) < end) isExcluded = true;
    });
    return isExcluded;
  };
}
