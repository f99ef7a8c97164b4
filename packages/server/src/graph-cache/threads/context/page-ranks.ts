import { rankOf } from "./candidates.ts";
import type { MatchedPage } from "./matched-pages.ts";
import type { Matches, WordMatcher } from "./word-matching.ts";

/** A page that was read, and how likely it has the answer. */
export interface RankedPage extends MatchedPage {
  readonly rank: number;
}

/** As for sections in the text index: how soon more passages with a word count little, and how much longer pages count less. */
const saturation = 1.2;
const lengthShare = 0.75;

/**
 * Ranks pages by what the search and links say of them, and by what each has of the question as a whole: the search only
 * sees their best sections.
 *
 * @param wholeShare How much the whole page counts beside its best section.
 * @returns The pages, the best first.
 */
export function rankPages(
  pages: readonly MatchedPage[],
  matcher: WordMatcher,
  wholeShare: number,
): RankedPage[] {
  const meanChars = pages.reduce((sum, { chars }) => sum + chars, 0) / pages.length || 1;
  const covered = pages.map((page) => {
    const relativeLength = page.chars / meanChars;
    const halfCount = saturation * (1 - lengthShare + lengthShare * relativeLength);
    return matcher.coverage(matchesOfWhole(page, matcher, halfCount));
  });
  const best = Math.max(...covered);
  const ranked = pages.map((page, index) => {
    const { isAsked, text, link } = page.candidate;
    if (isAsked || best === 0) return { ...page, rank: rankOf(page.candidate) };
    const whole = ((covered[index] ?? 0) / best) ** 2;
    return { ...page, rank: (1 - wholeShare) * text + wholeShare * whole + link };
  });
  // Pages with equal ranks stay in the order of candidates.
  return ranked.sort((a, b) => b.rank - a.rank);
}

/** A word of the question is found the more, the more passages have it; half if as many as `halfCount` do. */
function matchesOfWhole({ passages }: MatchedPage, matcher: WordMatcher, halfCount: number): Matches {
  const counts = new Float64Array(matcher.nothing.length);
  for (const { matches } of passages) {
    if (matches === matcher.nothing) continue;
    for (const [word, share] of matches.entries()) counts[word] = (counts[word] ?? 0) + share;
  }
  return counts.map((count) => count / (count + halfCount));
}
