/*
 * How well a section answers a query (GRAPH-28). For each word, BM25 says how much the section is about it: from 0, up to
 * 1 if it were nothing else. A word in the page's title or an alias adds a fixed share to that. Words count by their
 * rarity among all live sections, and the sum is divided by the most that it could be.
 */

/** Beyond this many times, more of the same word counts little. */
const saturation = 1.2;
/** How much longer sections count less: 0 not at all, 1 fully. */
const lengthShare = 0.75;
/** A heading counts as much as this many words of the text. */
export const headingCount = 2;
/** What a word in the title adds. */
export const titleShare = 0.5;

/** The weight of a word that so many sections have. */
export function rarity(sectionsWithWord: number, sectionCount: number): number {
  return Math.log(1 + (sectionCount - sectionsWithWord + 0.5) / (sectionsWithWord + 0.5));
}

/** The two numbers from which a section's length makes the count at which a word has half of its weight. */
export function halfCounts(sectionCount: number, totalLength: number): { base: number; perWord: number } {
  const average = totalLength === 0 ? 1 : totalLength / sectionCount;
  return { base: saturation * (1 - lengthShare), perWord: (saturation * lengthShare) / average };
}

/** Scores are compared and returned in millionths: the order does not depend on how sums were rounded. */
export const scoreUnit = 1_000_000;
