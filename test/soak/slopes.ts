import { fitLine, studentT } from "../support/fit-line.ts";

/** A value that was read at a time. */
export interface Sample {
  /** Seconds since the start. */
  readonly at: number;
  readonly value: number;
}

/** How a quantity changes with time. */
export interface Slope {
  readonly mean: number;
  /** Change in an hour, as the samples show it. */
  readonly perHour: number;
  /** The 95 % interval of the change in an hour. */
  readonly low: number;
  readonly high: number;
}

/** Blocks of a series. */
const blocks = 20;

/** By how much the correlation of so few residuals around a line comes out too low. */
const bias = 2 / blocks;

/**
 * Estimates a slope by least squares over the means of 20 blocks of equal duration, because samples that are near in time are
 * not independent. If the residuals of neighbouring blocks still agree, the error is widened by √((1 + r) / (1 − r)), where r
 * is their correlation. Throws if a block has no sample.
 */
export function estimateSlope(samples: readonly Sample[]): Slope {
  const means = blockMeans(samples);
  const { slope, mean, residuals, error } = fitLine(means.map(({ at, value }) => [at, value]));
  const squares = sum(residuals.map((each) => each ** 2));
  const neighbours = sum(residuals.slice(1).map((each, index) => each * (residuals[index] ?? 0)));
  const correlation = squares === 0 ? 0 : Math.min(0.95, Math.max(0, neighbours / squares + bias));
  const widening = Math.sqrt((1 + correlation) / (1 - correlation));
  const half = error * widening * studentT(blocks - 2);
  return { mean, perHour: slope * 3600, low: (slope - half) * 3600, high: (slope + half) * 3600 };
}

/** Says whether a slope is above what is allowed: only if its whole interval is. */
export function judge({ low, high }: Slope, mostPerHour: number): "steady" | "undecided" | "grows" {
  if (low > mostPerHour) return "grows";
  return high > mostPerHour ? "undecided" : "steady";
}

/** The means of 20 blocks of equal duration, first to last. Throws if a block has no sample. */
export function blockMeans(samples: readonly Sample[]): readonly Sample[] {
  const first = samples[0]?.at ?? 0;
  const duration = ((samples.at(-1)?.at ?? 0) - first) / blocks;
  const grouped = Map.groupBy(samples, ({ at }) => Math.min(blocks - 1, Math.floor((at - first) / duration)));
  if (grouped.size < blocks) throw new Error(`${samples.length} samples do not fill ${blocks} blocks`);
  return [...grouped.values()].map((block) => ({
    at: average(block.map(({ at }) => at)),
    value: average(block.map(({ value }) => value)),
  }));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const average = (numbers: readonly number[]) => sum(numbers) / numbers.length;
