/*
 * How well a section answers a query (GRAPH-28). For each word, BM25 says how much the section is about it: from 0, up to
 * 1 if it were nothing else. A word in the page's title or an alias adds a fixed share to that. Words count by their
 * rarity among all live sections, and the sum is divided by the most that it could be. In a page that lacks a word, other
 * forms of it count instead, for less. Contexts (packages/context) rank whole pages by the same curve, with passages for
 * words.
 */

/** With more occurrences than this, further ones add little. */
const saturation = 1.2;
/** The degree to which longer sections score lower: 0 not at all, 1 fully. */
const lengthShare = 0.75;
/** A heading counts as much as this many words of the text. */
export const headingCount = 2;
/** The share that a word in the title adds. */
export const titleShare = 0.5;
/** The share of a word that its forms count, in pages without the word. */
export const formShare = 0.25;

/** Scores are compared and returned in millionths: the order does not depend on how sums were rounded. */
export const scoreUnit = 1_000_000;

/** The share of its weight that a word has with `count` occurrences: 0.5 at `halfCount`. */
export function countShare(count: number, halfCount: number): number {
  return count / (count + halfCount);
}

/** The count at which a word has half of its weight, in a text whose length is `relativeLength` times the mean. */
export function halfCountOf(relativeLength: number): number {
  return saturation * (1 - lengthShare + lengthShare * relativeLength);
}

/** The numbers by which sections are scored. `base` and `perWord` times a section's length are its half count. */
export interface Scoring {
  /** The weight of each word; their sum, times the most that a title adds, is 1. */
  readonly weights: readonly number[];
  /** The weight of the forms of each word. */
  readonly formWeights: readonly number[];
  readonly base: number;
  readonly perWord: number;
}

/**
 * @param sectionsWith For each word, the number of live sections that have it.
 * @param sectionsWithForms For each word, the number of those that have other forms of it.
 * @param sectionCount Live sections.
 * @param totalLength The sum of their lengths.
 */
export function scoringOf(
  sectionsWith: readonly number[],
  sectionsWithForms: readonly number[],
  sectionCount: number,
  totalLength: number,
): Scoring {
  const rarities = sectionsWith.map((sections) => rarity(sections, sectionCount));
  const most = (1 + titleShare) * rarities.reduce((sum, weight) => sum + weight, 0);
  const meanLength = totalLength === 0 ? 1 : totalLength / sectionCount;
  return {
    weights: rarities.map((weight) => weight / most),
    // Frequent forms of a rare word say as little as any frequent word.
    formWeights: rarities.map(
      (weight, word) =>
        (formShare * Math.min(weight, rarity(sectionsWithForms[word] ?? 0, sectionCount))) / most,
    ),
    base: saturation * (1 - lengthShare),
    perWord: (saturation * lengthShare) / meanLength,
  };
}

/** The most that the words from `lead` on can add up to, in millionths. */
export function mostOf({ weights }: Scoring, lead: number): number {
  const sum = weights.slice(lead).reduce((a, b) => a + b, 0);
  // One more, as sums are rounded.
  return sum * (1 + titleShare) * scoreUnit + 1;
}

/** The weight of a word that this many sections have. */
function rarity(sectionsWithWord: number, sectionCount: number): number {
  return Math.log(1 + (sectionCount - sectionsWithWord + 0.5) / (sectionsWithWord + 0.5));
}
