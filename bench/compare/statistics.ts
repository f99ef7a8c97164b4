/** The median of paired ratios, and an interval that contains their true median with at least 95 % confidence. */
export interface Estimate {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** The fewest ratios that give an interval of 95 %. */
export const fewestRatios = 6;

/**
 * Estimates the median of ratios without an assumption about their distribution: the interval is that of the sign test, from
 * the k-th lowest to the k-th highest ratio (Conover, Practical Nonparametric Statistics, 3.2). Throws if there are too few.
 */
export function estimate(ratios: readonly number[]): Estimate {
  if (ratios.length < fewestRatios) throw new Error(`An interval needs at least ${fewestRatios} ratios.`);
  const sorted = ratios.toSorted((one, other) => one - other);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const rank = lowestRank(sorted.length);
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    low: at(rank),
    high: at(sorted.length - 1 - rank),
  };
}

/** The index of the lowest ratio in the interval: the largest whose two tails together have at most 5 %. */
function lowestRank(count: number): number {
  let probability = 0.5 ** count;
  let tail = probability;
  let rank = 0;
  while (2 * tail <= 0.05) {
    probability *= (count - rank) / (rank + 1);
    tail += probability;
    rank += 1;
  }
  return rank - 1;
}

/**
 * The probability that at least as uneven wins and losses come about by chance, if both are as likely: the two-sided sign test
 * (Conover, 3.4). Ties are left out. 1 if there is neither.
 */
export function signTest(wins: number, losses: number): number {
  const count = wins + losses;
  const fewer = Math.min(wins, losses);
  let probability = 0.5 ** count;
  let tail = 0;
  for (let rank = 0; rank <= fewer; rank += 1) {
    tail += probability;
    probability *= (count - rank) / (rank + 1);
  }
  return Math.min(1, 2 * tail);
}
