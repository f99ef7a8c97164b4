/** A straight line through points. */
export interface Line {
  readonly slope: number;
  /** The mean of the values. */
  readonly mean: number;
  /** The distance of each value from the line, in the order of the points. */
  readonly residuals: readonly number[];
  /** The standard error of the slope, if the residuals are independent. */
  readonly error: number;
}

/** Fits a line to points by least squares. Throws `RangeError` for fewer than four points, which give no interval. */
export function fitLine(points: readonly (readonly [at: number, value: number])[]): Line {
  const count = points.length;
  if (count < 4) throw new RangeError(`${count} points have no slope with an interval`);
  const meanAt = sum(points.map(([at]) => at)) / count;
  const mean = sum(points.map(([, value]) => value)) / count;
  const spread = sum(points.map(([at]) => (at - meanAt) ** 2));
  const slope = sum(points.map(([at, value]) => (at - meanAt) * (value - mean))) / spread;
  const residuals = points.map(([at, value]) => value - mean - slope * (at - meanAt));
  const error = Math.sqrt(sum(residuals.map((each) => each ** 2)) / (count - 2) / spread);
  return { slope, mean, residuals, error };
}

/** The 97.5th percentile of Student's t with these degrees of freedom, by the expansion of Cornish and Fisher. */
export function studentT(freedom: number): number {
  const z = 1.959964;
  const cube = (z ** 3 + z) / (4 * freedom);
  const fifth = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
  return z + cube + fifth;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
