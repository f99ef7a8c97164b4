import type { BlockStore } from "../segments/block-store.ts";
import { at } from "../segments/bytes.ts";
import type { StoredSegment } from "../segments/merge.ts";
import type { Postings } from "../segments/postings.ts";
import type { TextQuery } from "../text/types.ts";
import type { IndexView } from "./index-view.ts";
import { lowerBound, nextBound } from "./lower-bound.ts";
import {
  type Criteria,
  criteriaOf,
  type Ranking,
  type RankOptions,
  rankByWords,
  rankWithForms,
  sectionsOf,
} from "./rank-pages.ts";
import { readForms } from "./read-forms.ts";
import { type ReadWord, readWords } from "./read-words.ts";
import { bestSections, type PostingRun } from "./score-pages.ts";
import type { RankedPage, ResultKey } from "./top-pages.ts";

export interface SearchOptions extends RankOptions {
  /** The number of postings that may be read. */
  readonly maxEntries: number;
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
  const { read, ignored, isCut, left, slots } = await readWords(
    view,
    store,
    asked,
    query.words.length,
    limits,
  );
  const words = read.filter(({ word }) => word < query.words.length).sort(byRarity);
  const excluded = read.filter(({ word }) => word >= query.words.length);
  const isCounted = !isCut && ignored.length === 0 && query.ignored.length === 0;
  const byWords = rankByWords(criteriaOf(view, words, [], excluded), options, isCounted);
  let ranking = byWords;
  if (mayFormsCount(byWords, options)) {
    const forms = await readForms(view, store, query.words, words, slots, left, limits);
    ranking = rankWithForms(criteriaOf(view, words, forms, excluded), options, byWords);
  }
  const truncated = !ranking.isWhole || !isCounted;
  return {
    pages: ranking.pages.map((page) => describe(ranking.criteria, page, query)),
    total: truncated ? null : ranking.total,
    ignored: [...ignored.map((word) => asked[word]?.text ?? ""), ...query.ignored],
    truncated,
    weights: query.words.map(
      (_, word) => byWords.criteria.scoring.weights[words.findIndex((each) => each.word === word)] ?? 0,
    ),
  };
}

/** Those with the fewest sections first. */
const byRarity = (a: ReadWord, b: ReadWord) => sectionsOf(a.inputs) - sectionsOf(b.inputs) || a.word - b.word;

/** Whether forms may change what is listed. They change nothing about the pages that match `all`, which come first. */
function mayFormsCount({ pages, isWhole }: Ranking, { limit, byRelevance }: SearchOptions): boolean {
  return byRelevance && isWhole && !(pages.length === limit && pages.at(-1)?.all === true);
}

function describe({ view, words, forms, scoring }: Criteria, found: RankedPage, query: TextQuery): FoundPage {
  const segment = view.segments[found.input] as StoredSegment;
  const { pages } = segment;
  const first = at(pages.firstSections, found.page);
  const end = at(pages.firstSections, found.page + 1);
  const runIn = (postings: Postings, weight: number): PostingRun => {
    const from = lowerBound(postings.sections, first, postings.length);
    return { postings, from, to: nextBound(postings.sections, end, postings.length, from), weight };
  };
  const missing: number[] = [];
  const runs = words.map(({ word, inputs }, index) => {
    const run = runIn(inputs[found.input] as Postings, scoring.weights[index] as number);
    if (run.to > run.from) return run;
    missing.push(word);
    return runIn(forms[index]?.[found.input] as Postings, scoring.formWeights[index] as number);
  });
  const sections = bestSections(segment, runs, scoring, sectionsPerPage);
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
