import type { Random } from "@clew/stand-in/testing/random";

/** One person's workspace. */
export interface Workspace {
  readonly pages: number;
  /** Requests per second, over all tokens. */
  readonly rate: number;
}

/** Workspaces; each stands for `weight` alike ones. */
export interface Population {
  readonly workspaces: readonly Workspace[];
  readonly weight: number;
}

interface Shape {
  readonly users: number;
  /** Of all workspaces together. */
  readonly pages: number;
  readonly requestsPerS: number;
  readonly sizeExponent: number;
  readonly rateExponent: number;
  readonly largest: number;
  /** With more users, a sample stands for all. */
  readonly maxWorkspaces: number;
}

/** Workspaces whose sizes and rates follow Zipf's law, each in an order of its own. */
export function makePopulation(random: Random, shape: Shape): Population {
  const count = Math.min(shape.users, shape.maxWorkspaces);
  const weight = shape.users / count;
  const sizes = scaled(zipf(count, weight, shape.sizeExponent), shape.pages / weight, shape.largest);
  const rates = scaled(
    zipf(count, weight, shape.rateExponent),
    shape.requestsPerS / weight,
    Number.POSITIVE_INFINITY,
  );
  shuffle(random, rates);
  const workspaces = sizes.map((pages, index) => ({
    pages: Math.max(1, Math.round(pages)),
    rate: rates[index] ?? 0,
  }));
  return { workspaces, weight };
}

/** The weights of ranks, `step` apart. */
const zipf = (count: number, step: number, exponent: number) =>
  Array.from({ length: count }, (_, index) => ((index + 0.5) * step + 0.5) ** -exponent);

/** Multiplies weights so that their sum is `total` with none above `most`. */
function scaled(weights: readonly number[], total: number, most: number): number[] {
  const sumWith = (factor: number) =>
    weights.reduce((sum, weight) => sum + Math.min(most, factor * weight), 0);
  const factor = bisect((factor) => sumWith(factor) >= Math.min(total, 0.999 * most * weights.length));
  return weights.map((weight) => Math.min(most, factor * weight));
}

/** The lowest number, to eight digits, from which on a condition holds. */
export function bisect(holds: (number: number) => boolean): number {
  let high = 1e-9;
  while (!holds(high)) high *= 2;
  let low = high / 2;
  while (high / low > 1 + 1e-8) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function shuffle(random: Random, numbers: number[]): void {
  for (let last = numbers.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [numbers[last], numbers[other]] = [numbers[other] ?? 0, numbers[last] ?? 0];
  }
}
