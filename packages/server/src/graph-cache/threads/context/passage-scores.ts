import type { Source } from "../job.ts";
import { LinkWords } from "./link-words.ts";
import type { MatchedPage, MatchedPassage } from "./matched-pages.ts";
import type { RankedPage } from "./page-ranks.ts";
import type { ContextWeights } from "./weights.ts";
import type { WordMatcher } from "./word-matching.ts";

/** A passage that may be taken, and how well it answers. */
export interface ScoredPassage {
  readonly page: RankedPage;
  readonly passage: MatchedPassage;
  readonly score: number;
}

/** The rank that all pages have beside that of the best one, so that words of a passage can make up for its page. */
const leastRank = 0.05;
/** Where no word says more, openings do. */
const openingBonus = 0.01;

/** The passages of pages, the best first. */
export function rankPassages(
  sources: readonly Source[],
  pages: readonly RankedPage[],
  matcher: WordMatcher,
  weights: ContextWeights,
): ScoredPassage[] {
  const linkWords = new LinkWords(sources, pages, matcher);
  const best = Math.max(...pages.map(({ rank }) => rank), Number.MIN_VALUE);
  const scored = pages.flatMap((page, order) => {
    const ofPage =
      weights.page * Math.log(page.rank / best + leastRank) +
      weights.title * matcher.coverage(page.titleMatches) +
      weights.linkWords * matcher.coverage(linkWords.of(page));
    return scoresWithin(page, matcher, weights).map((score, index) => ({
      page,
      order,
      passage: page.passages[index] as MatchedPassage,
      score: ofPage + score,
    }));
  });
  return scored.sort(
    (a, b) => b.score - a.score || a.order - b.order || a.passage.block.offset - b.passage.block.offset,
  );
}

/** The scores of a page's passages, as far as they do not depend on the page. */
function scoresWithin({ passages }: MatchedPage, matcher: WordMatcher, weights: ContextWeights): number[] {
  const own = passages.map(({ matches }) => matcher.coverage(matches));
  return passages.map(
    ({ block, section }, index) =>
      (own[index] ?? 0) +
      weights.neighbors * Math.max(own[index - 1] ?? 0, own[index + 1] ?? 0) +
      weights.section * matcher.coverage(section.matches) +
      weights.headings * matcher.coverage(section.headings) -
      (block.kind === "code" ? weights.code : 0) -
      (block.kind === "row" ? weights.row : 0) +
      openingBonus / (1 + index),
  );
}
