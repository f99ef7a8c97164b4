/** The normal quantile of a two-sided 95 % interval. */
const quantile = 1.959964;

/**
 * The lower bound of the 95 % confidence interval of a share, after Wilson (1927): it holds for small samples and for
 * shares near 0 and 1. Zero for an empty sample.
 */
export function lowerBound(hits: number, size: number): number {
  if (size === 0) return 0;
  const share = hits / size;
  const weight = quantile ** 2 / size;
  const spread = quantile * Math.sqrt((share * (1 - share)) / size + weight / (4 * size));
  return Math.max(0, (share + weight / 2 - spread) / (1 + weight));
}
