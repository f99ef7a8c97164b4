import type { BlockStore } from "../segments/block-store.ts";
import { at } from "../segments/bytes.ts";
import type { StoredSegment } from "../segments/merge.ts";
import type { Postings } from "../segments/postings.ts";
import type { TextQuery } from "../text/types.ts";
import { mostOf, type Scoring, scoringOf } from "./bm25.ts";
import type { IndexView } from "./index-view.ts";
import { lowerBound } from "./lower-bound.ts";
import { type ReadWord, readWords } from "./read-words.ts";
import { bestSections, scorePages, type TakePage } from "./score-pages.ts";
import { type RankedPage, type ResultKey, TopPages } from "./top-pages.ts";

export interface SearchOptions {
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
  /** The number of postings that may be read. */
  readonly maxEntries: number;
  /** Whether time is over. */
  isOver(): boolean;
}

export interface SearchResult {
  readonly pages: readonly FoundPage[];
  /** The number of pages that match `all`; null if the search was truncated. */
  readonly total: number | null;
  /** The words that were not looked for, as they were asked. */
  readonly ignored: readonly string[];
  readonly truncated: boolean;
  /** The rarity of each word of the query, in its order, relative to the others; 0 for words that were not looked for. */
  readonly weights: readonly number[];
}

/** A page of the result, with the key to continue after it. */
export interface FoundPage extends ResultKey {
  readonly node: number;
  /** 0–1. */
  readonly relevance: number;
  readonly version: number;
  /** The words that the page lacks, as they were asked. */
  readonly missing: readonly string[];
  /** Up to three, the best first. */
  readonly sections: readonly FoundSection[];
}

export interface FoundSection {
  /** Its number within the page. */
  readonly section: number;
  /** Its start in the page's text, in code points. */
  readonly start: number;
  /** 0–1. */
  readonly relevance: number;
}

const sectionsPerPage = 3;

/**
 * Searches the texts of a connection (GRAPH-17, GRAPH-28). Throws `IndexDamagedError` if the index is damaged where it was
 * read.
 */
export async function searchTexts(
  view: IndexView,
  store: BlockStore,
  query: TextQuery,
  options: SearchOptions,
): Promise<SearchResult> {
  const asked = [...query.words, ...query.excluded];
  const limits = { entries: options.maxEntries, isOver: options.isOver };
  const { read, ignored, isCut } = await readWords(view, store, asked, query.words.length, limits);
  const words = read.filter(({ word }) => word < query.words.length).sort(byRarity);
  const excluded = read.filter(({ word }) => word >= query.words.length);
  const scoring = scoringOf(words.map(sectionsOf), view.sectionCount, view.length);
  const top = new TopPages(options.limit, options.after);
  const isCounted = !isCut && ignored.length === 0 && query.ignored.length === 0;
  const { isWhole, total } = rankPages(view, words, excluded, scoring, options, isCounted, top);
  const truncated = !isWhole || !isCounted;
  return {
    pages: top.pages.map((page) => describe(view, words, scoring, page, query)),
    total: truncated ? null : total,
    ignored: [...ignored.map((word) => asked[word]?.text ?? ""), ...query.ignored],
    truncated,
    weights: query.words.map(
      (_, word) => scoring.weights[words.findIndex((each) => each.word === word)] ?? 0,
    ),
  };
}

const sectionsOf = ({ inputs }: ReadWord) => inputs.reduce((sum, { length }) => sum + length, 0);
const byRarity = (a: ReadWord, b: ReadWord) => sectionsOf(a) - sectionsOf(b) || a.word - b.word;

/**
 * Scores the pages of all segments: first those with the rarest word, then those that lack it but have the second, until
 * the words that are left cannot lift a page among the best. Returns whether it came to the end, and how many pages match
 * `all`.
 */
function rankPages(
  view: IndexView,
  words: readonly ReadWord[],
  excluded: readonly ReadWord[],
  scoring: Scoring,
  options: SearchOptions,
  isCounted: boolean,
  top: TopPages,
): { isWhole: boolean; total: number } {
  const listing = { top, isCounted, total: 0 };
  const mayTake = (all: boolean, score: number) => top.mayTake(all, options.byRelevance ? score : 0);
  for (const lead of words.keys()) {
    // Pages that match `all` have the rarest word.
    if (lead > 0 && !(options.byRelevance && top.mayTake(false, mostOf(scoring, lead)))) break;
    for (const [input, segment] of view.segments.entries()) {
      const own = words.map(({ inputs }) => inputs[input] as Postings);
      const others = excluded.map(({ inputs }) => inputs[input] as Postings);
      const isExcluded = exclusion(segment, [...own.slice(0, lead), ...others]);
      const take = listPages(segment, input, isExcluded, options, listing);
      if (
        !scorePages(
          segment,
          own,
          lead,
          scoring,
          take,
          isCounted && lead === 0 ? null : mayTake,
          options.isOver,
        )
      )
        return { isWhole: false, total: listing.total };
    }
  }
  return { isWhole: true, total: listing.total };
}

/** Lists the pages of a segment, and counts those that match `all` if they are to be counted. */
function listPages(
  { live }: StoredSegment,
  input: number,
  isExcluded: ((page: number) => boolean) | null,
  { ranks, byRelevance, accepts }: SearchOptions,
  listing: { readonly top: TopPages; readonly isCounted: boolean; total: number },
): TakePage {
  const { top, isCounted } = listing;
  return (page, all, score) => {
    const key = byRelevance ? score : 0;
    const isAbove = (all || byRelevance) && top.mayTake(all, key);
    if (!isAbove && !(all && isCounted)) return;
    if (isExcluded?.(page)) return;
    const node = at(live.nodeOf, page);
    if (accepts?.(node) === false) return;
    if (all) listing.total += 1;
    if (!isAbove) return;
    const rank = at(ranks, node);
    if (top.takes(all, key, rank)) top.add({ node, input, page, all, score: key, rank });
  };
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

function describe(
  view: IndexView,
  words: readonly ReadWord[],
  scoring: Scoring,
  found: RankedPage,
  query: TextQuery,
): FoundPage {
  const segment = view.segments[found.input] as StoredSegment;
  const { pages } = segment;
  const first = at(pages.firstSections, found.page);
  const end = at(pages.firstSections, found.page + 1);
  const own = words.map(({ inputs }) => {
    const { sections, values, length } = inputs[found.input] as Postings;
    const from = lowerBound(sections, first, length);
    const to = lowerBound(sections, end, length);
    return { sections: sections.subarray(from, to), values: values.subarray(from, to), length: to - from };
  });
  const missing = words.filter((_, index) => own[index]?.length === 0).map(({ word }) => word);
  const sections = bestSections(segment, own, scoring, sectionsPerPage);
  const { node, all, score, rank } = found;
  return {
    node,
    all,
    score,
    rank,
    relevance: sections[0]?.relevance ?? 0,
    version: pages.versions[found.page] as number,
    missing: missing.sort((a, b) => a - b).map((word) => query.words[word]?.text ?? ""),
    sections: sections.map(({ section, relevance }) => ({
      section: section - first,
      start: at(pages.starts, section),
      relevance,
    })),
  };
}
