import { type Graph, type NodeId, parseNodeId } from "@clew/graph";
import { countShare, halfCountOf } from "@clew/text-index";
import type { MatchedPage } from "./pages.ts";
import type { Matches, WordMatcher } from "./word-matching.ts";

/*
 * Ranks and scores are sums of named parts, each a whole number of billionths: they add up to the same sum in any order,
 * and an explanation shows exactly what was compared.
 */

/** The number of units in a rank or score of 1. */
const unitsOfOne = 1_000_000_000;

/**
 * The parts of a page's rank: whether it was asked about, its best section as the search saw it, the words of the whole
 * page, the page that it is linked with, and whether the question names it.
 */
export type RankParts = Readonly<Record<"asked" | "text" | "whole" | "links" | "named", number>>;

/** A page that was read, and how likely it has the answer. */
export interface RankedPage extends MatchedPage {
  readonly rank: number;
  readonly rankParts: RankParts;
}

/** A passage that may be taken, and how well it answers. */
export interface ScoredPassage {
  readonly page: RankedPage;
  /** Its position on the page. */
  readonly position: number;
  readonly score: number;
}

/** The places in which words of the question count for a passage. */
export type Place = "passage" | "neighbor" | "section" | "headings" | "title" | "linking";

/**
 * The parts of a passage's score: its words in each place, the rank of its page, its position on the page, and what code
 * and rows of tables lose.
 */
export type ScoreParts = Readonly<Record<Place | "page" | "opening" | "code" | "row", number>>;

/** The share of the whole page in its rank, beside its best section. */
const wholePageShare = 0.5;

/*
 * The weight of each signal in the score of a passage, beside 1 for the share of the question that it has itself. The
 * sentence that answers often has none of the question's words, but the text around it does.
 */
const neighborWeight = 0.6;
const sectionWeight = 0.5;
const headingWeight = 0.4;
const titleWeight = 0.3;
/** The passages that link to the page. */
const linkingWeight = 0.5;
/** The logarithm of the page's rank. */
const pageWeight = 0.65;
const codePenalty = 0.35;
/** Table rows often repeat the words of the page that they refer to, and rarely contain the answer. */
const rowPenalty = 0.1;

/** The rank that all pages have beside that of the best one, so that words of a passage can make up for its page. */
const leastRank = 0.05;
/** If passages have equal words, the first ones of a page come first. */
const openingBonus = 0.01;

/**
 * Ranks pages by their search score, their links, and how many of the question's words the whole page contains: the search
 * sees only their best sections. Returns the best first.
 */
export function rankPages(pages: readonly MatchedPage[], matcher: WordMatcher): RankedPage[] {
  const meanChars = pages.reduce((sum, { chars }) => sum + chars, 0) / pages.length || 1;
  const covered = pages.map((page) =>
    matcher.coverage(matchesOfWhole(page, matcher, halfCountOf(page.chars / meanChars))),
  );
  const best = Math.max(...covered);
  const ranked = pages.map((page, index) => {
    const { isAsked, text, link, named } = page.candidate;
    const isByTexts = !isAsked && best > 0;
    const rankParts = {
      asked: isAsked ? inUnits(text) : 0,
      text: isAsked ? 0 : inUnits(isByTexts ? (1 - wholePageShare) * text : text),
      whole: isByTexts ? inUnits(wholePageShare * ((covered[index] ?? 0) / best) ** 2) : 0,
      links: inUnits(link),
      named: inUnits(named),
    };
    return { ...page, rank: sumOf(rankParts), rankParts };
  });
  // Pages with equal ranks stay in the order of candidates.
  return ranked.sort((a, b) => b.rank - a.rank);
}

/** A part as a whole number of billionths. */
export const inUnits = (value: number): number => Math.round(value * unitsOfOne);

/** A rank, a score or a part of one, as a fraction of 1. */
export const fromUnits = (units: number): number => units / unitsOfOne;

const sumOf = (parts: Readonly<Record<string, number>>): number =>
  Object.values(parts).reduce((sum, part) => sum + part, 0);

/** The share of each word grows with the number of passages that contain it, and is 0.5 at `halfCount` passages. */
function matchesOfWhole({ passages }: MatchedPage, matcher: WordMatcher, halfCount: number): Matches {
  const counts = new Float64Array(matcher.nothing.length);
  for (const { matches } of passages) {
    if (matches === matcher.nothing) continue;
    for (const [word, share] of matches.entries()) counts[word] = (counts[word] ?? 0) + share;
  }
  return counts.map((count) => countShare(count, halfCount));
}

/** The part of a score that the words in a place have. */
const placeWeights: Readonly<Record<Place, number>> = {
  passage: 1,
  neighbor: neighborWeight,
  section: sectionWeight,
  headings: headingWeight,
  title: titleWeight,
  linking: linkingWeight,
};

/** Scores the passages of pages. */
export class PassageScores {
  readonly #pages: readonly RankedPage[];
  readonly #matcher: WordMatcher;
  readonly #linking: LinkingPassages;
  readonly #bestRank: number;

  constructor(graphs: readonly Graph[], pages: readonly RankedPage[], matcher: WordMatcher) {
    this.#pages = pages;
    this.#matcher = matcher;
    this.#linking = new LinkingPassages(graphs, pages, matcher);
    this.#bestRank = Math.max(...pages.map(({ rank }) => rank), 1);
  }

  /** Returns the passages of all pages, the best first. */
  ranked(): ScoredPassage[] {
    const scored = this.#pages.flatMap((page, order) => {
      const ofPage = sumOf(this.#pageParts(page));
      return page.passages.map((_, position) => ({
        page,
        order,
        position,
        score: ofPage + sumOf(this.#ownParts(page, position)),
      }));
    });
    return scored.sort((a, b) => b.score - a.score || a.order - b.order || a.position - b.position);
  }

  /** The parts that are the score of a passage. */
  partsOf(page: RankedPage, position: number): ScoreParts {
    return { ...this.#ownParts(page, position), ...this.#pageParts(page) };
  }

  /** The words of the question in each place that counts for a passage. */
  matchesOf(page: RankedPage, position: number): Readonly<Record<Place, Matches>> {
    return { ...this.#ownMatches(page, position), ...this.#pageMatches(page) };
  }

  /** The parts that are the same for all passages of a page. */
  #pageParts(page: RankedPage): Pick<ScoreParts, PagePlace | "page"> {
    const { title, linking } = this.#pageMatches(page);
    return {
      title: this.#part("title", title),
      linking: this.#part("linking", linking),
      page: inUnits(pageWeight * Math.log(page.rank / this.#bestRank + leastRank)),
    };
  }

  #ownParts(page: RankedPage, position: number): Omit<ScoreParts, PagePlace | "page"> {
    const { passage, neighbor, section, headings } = this.#ownMatches(page, position);
    const kind = page.passages[position]?.block.kind;
    return {
      passage: this.#part("passage", passage),
      neighbor: this.#part("neighbor", neighbor),
      section: this.#part("section", section),
      headings: this.#part("headings", headings),
      opening: inUnits(openingBonus / (1 + position)),
      code: kind === "code" ? -inUnits(codePenalty) : 0,
      row: kind === "row" ? -inUnits(rowPenalty) : 0,
    };
  }

  #part(place: Place, matches: Matches): number {
    return inUnits(placeWeights[place] * this.#matcher.coverage(matches));
  }

  #pageMatches(page: RankedPage): Pick<Record<Place, Matches>, PagePlace> {
    return { title: page.titleMatches, linking: this.#linking.of(page) };
  }

  #ownMatches({ passages }: RankedPage, position: number): Omit<Record<Place, Matches>, PagePlace> {
    const { nothing } = this.#matcher;
    const passage = passages[position];
    const before = passages[position - 1]?.matches ?? nothing;
    const after = passages[position + 1]?.matches ?? nothing;
    return {
      passage: passage?.matches ?? nothing,
      neighbor: this.#matcher.coverage(before) < this.#matcher.coverage(after) ? after : before,
      section: passage?.section.matches ?? nothing,
      headings: passage?.section.headingMatches ?? nothing,
    };
  }
}

/** The places that all passages of a page share. */
type PagePlace = "title" | "linking";

/** Addresses of pages end in their ids. */
const minAddressChars = 32;
const pageId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])|[0-9a-f]{32}(?![0-9a-f])/g;

/**
 * Matches the passages that link to a page. The linking passage often contains the question's words when the answer itself
 * does not.
 */
class LinkingPassages {
  readonly #bySource: readonly Map<NodeId, Matches>[];
  readonly #graphs: readonly Graph[];
  readonly #matcher: WordMatcher;

  constructor(graphs: readonly Graph[], pages: readonly MatchedPage[], matcher: WordMatcher) {
    this.#graphs = graphs;
    this.#matcher = matcher;
    this.#bySource = graphs.map(() => new Map());
    for (const { candidate, passages } of pages) {
      const found = this.#bySource[candidate.source];
      for (const { block, matches } of passages) {
        // Addresses are not shown.
        const hasAddress = block.source.length - block.text.length >= minAddressChars;
        if (matches === matcher.nothing || !hasAddress) continue;
        for (const [address] of block.source.matchAll(pageId)) {
          const id = parseNodeId(address);
          if (id !== null) found?.set(id, matcher.union(found.get(id) ?? matcher.nothing, matches));
        }
      }
    }
  }

  of({ candidate: { source, node } }: MatchedPage): Matches {
    const id = this.#graphs[source]?.nodeAt(node).id;
    return (id === undefined ? undefined : this.#bySource[source]?.get(id)) ?? this.#matcher.nothing;
  }
}
