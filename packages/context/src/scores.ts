import { type Graph, type NodeId, parseNodeId } from "@clew/graph";
import { countShare, halfCountOf } from "@clew/text-index";
import { rankOf } from "./candidates.ts";
import type { MatchedPage } from "./pages.ts";
import type { Matches, WordMatcher } from "./word-matching.ts";

/** A page that was read, and how likely it has the answer. */
export interface RankedPage extends MatchedPage {
  readonly rank: number;
}

/** A passage that may be taken, and how well it answers. */
export interface ScoredPassage {
  readonly page: RankedPage;
  /** Its position on the page. */
  readonly position: number;
  readonly score: number;
}

/** The share of the whole page in its rank, beside its best section. */
const wholePageShare = 0.5;

/*
 * The weight of each signal in the score of a passage, beside 1 for the share of the question that it has itself. The
 * sentence that answers often has none of the question's words, but the text around it does.
 */
const neighborWeight = 0.6;
const sectionWeight = 0.5;
const headingWeight = 0.2;
const titleWeight = 0.3;
/** The passages that link to the page. */
const linkingWeight = 0.5;
/** The logarithm of the page's rank. */
const pageWeight = 0.65;
const codePenalty = 0.5;
/** Table rows often repeat the words of the page that they refer to, and rarely contain the answer. */
const rowPenalty = 0.3;

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
    if (isAsked || best === 0) return { ...page, rank: rankOf(page.candidate) };
    const whole = ((covered[index] ?? 0) / best) ** 2;
    return { ...page, rank: (1 - wholePageShare) * text + wholePageShare * whole + link + named };
  });
  // Pages with equal ranks stay in the order of candidates.
  return ranked.sort((a, b) => b.rank - a.rank);
}

/** The share of each word grows with the number of passages that contain it, and is 0.5 at `halfCount` passages. */
function matchesOfWhole({ passages }: MatchedPage, matcher: WordMatcher, halfCount: number): Matches {
  const counts = new Float64Array(matcher.nothing.length);
  for (const { matches } of passages) {
    if (matches === matcher.nothing) continue;
    for (const [word, share] of matches.entries()) counts[word] = (counts[word] ?? 0) + share;
  }
  return counts.map((count) => countShare(count, halfCount));
}

/** Scores the passages of pages. Returns the best first. */
export function rankPassages(
  graphs: readonly Graph[],
  pages: readonly RankedPage[],
  matcher: WordMatcher,
): ScoredPassage[] {
  const linking = new LinkingPassages(graphs, pages, matcher);
  const best = Math.max(...pages.map(({ rank }) => rank), Number.MIN_VALUE);
  const scored = pages.flatMap((page, order) => {
    const ofPage =
      pageWeight * Math.log(page.rank / best + leastRank) +
      titleWeight * matcher.coverage(page.titleMatches) +
      linkingWeight * matcher.coverage(linking.of(page));
    return scoresWithin(page, matcher).map((score, position) => ({
      page,
      order,
      position,
      score: ofPage + score,
    }));
  });
  return scored.sort((a, b) => b.score - a.score || a.order - b.order || a.position - b.position);
}

/** Scores the passages of a page without the part that is the same for all of them. */
function scoresWithin({ passages }: MatchedPage, matcher: WordMatcher): number[] {
  const own = passages.map(({ matches }) => matcher.coverage(matches));
  return passages.map(
    ({ block, section }, index) =>
      (own[index] ?? 0) +
      neighborWeight * Math.max(own[index - 1] ?? 0, own[index + 1] ?? 0) +
      sectionWeight * matcher.coverage(section.matches) +
      headingWeight * matcher.coverage(section.headingMatches) -
      (block.kind === "code" ? codePenalty : 0) -
      (block.kind === "row" ? rowPenalty : 0) +
      openingBonus / (1 + index),
  );
}

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
