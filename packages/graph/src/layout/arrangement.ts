import { byteAt, floatAt } from "../columns.ts";

/*
 * Puts circles into a room: drawn together by what links them, then pushed apart until none lies on another. Only operations
 * are used that IEEE 754 rounds exactly, in a fixed number of steps: every machine has the same circles.
 */

/** The middles and radii of circles. */
export interface Circles {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly radii: Float64Array;
}

/** A rectangle or a disc around the origin. */
export interface Room {
  readonly halfWidth: number;
  readonly halfHeight: number;
  readonly isRound: boolean;
}

/** Circles as they are before they are put anywhere. */
export interface LooseCircles {
  /** The areas, in any unit. */
  readonly areas: Float64Array;
  /** The weight between any two, in rows. */
  readonly weights: Float64Array;
  /** The places where they were, in the room; NaN for a new one. */
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  /** The share of the room that they filled before, if they are to stay where they were as far as they can; otherwise null. */
  readonly density: number | null;
  /** Whether they only were scattered: they are drawn together from where they are, and a small change of one moves others little. */
  readonly isScattered: boolean;
}

/** How much work a room is worth. */
interface Effort {
  /** The starts that new circles are drawn together from. */
  readonly starts: number;
  /** Steps in which circles are drawn together, and how often they are pushed apart in each. */
  readonly drawnSteps: number;
  readonly pushes: number;
  /** The shares of the room that circles are tried to fill: the one that leaves the largest circles counts. */
  readonly densities: readonly number[];
}

/** The whole map is worth more than each of its regions. */
const effortFor = ({ isRound }: Room): Effort =>
  isRound
    ? { starts: 1, drawnSteps: 120, pushes: 1, densities: [0.86, 0.76] }
    : { starts: 16, drawnSteps: 320, pushes: 2, densities: [0.9, 0.84, 0.78, 0.72] };

/** Circles that were placed before grow by this much at a time while they fill less of the room than this. */
const growth = 1.01;
const grownTo = 0.6;

/** The share of the room that scattered circles try to fill, and the steps in which they are drawn together. */
const scatteredDensity = 0.68;
const scatteredSteps = 400;

/** How often circles are pushed apart at the end. */
const lastPushes = 200;

/** The share of the room that circles take up while they are drawn together: little enough to pass each other. */
const drawnDensity = 0.6;

/** The rotation by the golden angle. */
const goldenTurn = { cos: -0.7373688780783197, sin: 0.6754902942615238 } as const;

/** Arranges circles in a room. Their radii have one ratio to the roots of their areas. */
export function arranged(loose: LooseCircles, room: Room): Circles {
  if (loose.density !== null) {
    const arrangement = new Arrangement(loose, room, grown(loose.density));
    arrangement.placeNew();
    arrangement.push(lastPushes);
    return arrangement.result();
  }
  if (loose.isScattered) {
    const arrangement = new Arrangement(loose, room, scatteredDensity);
    arrangement.draw(scatteredSteps, 2);
    arrangement.push(lastPushes);
    return arrangement.result();
  }
  const drawn = drawnTogether(loose, room);
  let best: Circles | null = null;
  for (const density of effortFor(room).densities) {
    const arrangement = new Arrangement({ ...loose, xs: drawn.xs, ys: drawn.ys }, room, density);
    arrangement.push(lastPushes);
    const circles = arrangement.result();
    if (best === null || floatAt(circles.radii, 0) > floatAt(best.radii, 0)) best = circles;
  }
  return best ?? drawn.result();
}

const grown = (density: number) => (density < grownTo ? Math.min(grownTo, density * growth) : density);

/**
 * Circles drawn together, from several starts if they were nowhere: the ones with the shortest links. Those that were somewhere
 * stay near it: the fewer are new, the fewer steps there are.
 */
function drawnTogether(loose: LooseCircles, room: Room): Arrangement {
  const newShare = loose.xs.filter(Number.isNaN).length / loose.xs.length;
  const isNew = newShare === 1;
  const { starts, drawnSteps, pushes } = effortFor(room);
  let best: Arrangement | null = null;
  let [x, y] = [1, 0];
  for (let start = 0; start < (isNew ? starts : 1); start += 1) {
    const arrangement = new Arrangement(loose, room, drawnDensity);
    if (isNew) arrangement.spread(x, y);
    else arrangement.placeNew();
    arrangement.draw(Math.ceil(drawnSteps * newShare), pushes);
    if (best === null || arrangement.cost(loose.weights) < best.cost(loose.weights)) best = arrangement;
    [x, y] = turned(x, y);
  }
  // There is at least one start.
  return best as Arrangement;
}

class Arrangement {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly #radii: Float64Array;
  readonly #pulls: Float64Array;
  readonly #room: Room;

  constructor({ areas, weights, xs, ys }: LooseCircles, room: Room, density: number) {
    const { halfWidth, halfHeight, isRound } = room;
    this.xs = xs.slice();
    this.ys = ys.slice();
    this.#room = room;
    this.#pulls = pullsOf(weights, areas.length);
    const whole = areas.reduce((sum, area) => sum + area, 0);
    const space = isRound ? halfWidth * halfHeight : (4 * halfWidth * halfHeight) / Math.PI;
    const perArea = (density * space) / whole;
    const largest = areas.reduce((most, area) => Math.max(most, area), 0);
    const most = Math.min(halfWidth, halfHeight);
    const unit = Math.min(Math.sqrt(perArea), most / Math.sqrt(largest));
    this.#radii = areas.map((area) => unit * Math.sqrt(area));
  }

  /**
   * Scatters circles over the room along a spiral that begins in a direction: the one that draws most in the middle, those that it
   * draws next to it.
   */
  spread(directionX: number, directionY: number): void {
    const { length } = this.xs;
    let [x, y] = [directionX, directionY];
    for (const [index, circle] of chainOf(this.#pulls, length).entries()) {
      const distance = Math.sqrt((index + 0.5) / length) * 0.9;
      this.xs[circle] = x * distance * this.#room.halfWidth;
      this.ys[circle] = y * distance * this.#room.halfHeight;
      [x, y] = turned(x, y);
    }
  }

  /** Places new circles in the midst of those that they are linked with. */
  placeNew(): void {
    const { length } = this.xs;
    const isNew = Uint8Array.from(this.xs, (x) => (Number.isNaN(x) ? 1 : 0));
    let [turnX, turnY] = [1, 0];
    for (let circle = 0; circle < length; circle += 1) {
      if (byteAt(isNew, circle) === 0) continue;
      let [x, y, sum] = [0, 0, 0];
      for (let other = 0; other < length; other += 1) {
        if (byteAt(isNew, other) === 1) continue;
        const pull = floatAt(this.#pulls, circle * length + other);
        x += pull * floatAt(this.xs, other);
        y += pull * floatAt(this.ys, other);
        sum += pull;
      }
      // Not in the very middle of another circle, so that they can part.
      this.xs[circle] = (sum > 0 ? x / sum : 0) + turnX * 0.01 * this.#room.halfWidth;
      this.ys[circle] = (sum > 0 ? y / sum : 0) + turnY * 0.01 * this.#room.halfWidth;
      [turnX, turnY] = turned(turnX, turnY);
    }
  }

  /** Draws circles together by weight. They grow meanwhile, so that they can pass each other at first. */
  draw(steps: number, pushes: number): void {
    const { length } = this.xs;
    const full = this.#radii.slice();
    for (let step = 0; step < steps; step += 1) {
      const share = step / steps;
      const strength = 0.2 * (1 - share);
      const size = Math.min(1, 0.3 + share);
      for (let circle = 0; circle < length; circle += 1) this.#radii[circle] = floatAt(full, circle) * size;
      for (let circle = 0; circle < length; circle += 1) {
        let [x, y] = [0, 0];
        for (let other = 0; other < length; other += 1) {
          const pull = floatAt(this.#pulls, circle * length + other);
          x += pull * (floatAt(this.xs, other) - floatAt(this.xs, circle));
          y += pull * (floatAt(this.ys, other) - floatAt(this.ys, circle));
        }
        this.xs[circle] = floatAt(this.xs, circle) + strength * x;
        this.ys[circle] = floatAt(this.ys, circle) + strength * y;
      }
      this.push(pushes);
    }
    this.#radii.set(full);
  }

  /** Pushes circles apart, and into the room. */
  push(times: number): void {
    for (let count = 0; count < times; count += 1) {
      for (let one = 0; one < this.xs.length; one += 1)
        for (let other = 0; other < one; other += 1) this.#part(one, other);
      for (let circle = 0; circle < this.xs.length; circle += 1) this.#keepIn(circle);
    }
  }

  #part(one: number, other: number): void {
    const radius = floatAt(this.#radii, one);
    const otherRadius = floatAt(this.#radii, other);
    const apart = radius + otherRadius;
    const x = floatAt(this.xs, other) - floatAt(this.xs, one);
    if (x >= apart || x <= -apart) return;
    const y = floatAt(this.ys, other) - floatAt(this.ys, one);
    const square = x * x + y * y;
    if (square >= apart * apart) return;
    const distance = Math.sqrt(square);
    // Circles on one point part sideways.
    const [alongX, alongY] = distance === 0 ? [1, 0] : [x / distance, y / distance];
    const [mass, otherMass] = [radius * radius, otherRadius * otherRadius];
    const push = apart - distance;
    const share = otherMass / (mass + otherMass);
    this.xs[one] = floatAt(this.xs, one) - alongX * push * share;
    this.ys[one] = floatAt(this.ys, one) - alongY * push * share;
    this.xs[other] = floatAt(this.xs, other) + alongX * push * (1 - share);
    this.ys[other] = floatAt(this.ys, other) + alongY * push * (1 - share);
  }

  #keepIn(circle: number): void {
    const { halfWidth, halfHeight, isRound } = this.#room;
    const [x, y, radius] = [floatAt(this.xs, circle), floatAt(this.ys, circle), floatAt(this.#radii, circle)];
    if (isRound) {
      const [distance, most] = [Math.sqrt(x * x + y * y), halfWidth - radius];
      if (distance <= most) return;
      this.xs[circle] = (x * most) / distance;
      this.ys[circle] = (y * most) / distance;
      return;
    }
    this.xs[circle] = Math.max(radius - halfWidth, Math.min(halfWidth - radius, x));
    this.ys[circle] = Math.max(radius - halfHeight, Math.min(halfHeight - radius, y));
  }

  /** The sum of the distances between circles, by the weights between them. */
  cost(weights: Float64Array): number {
    const { length } = this.xs;
    let cost = 0;
    for (let one = 0; one < length; one += 1) {
      for (let other = 0; other < one; other += 1) {
        const [x, y] = [
          floatAt(this.xs, other) - floatAt(this.xs, one),
          floatAt(this.ys, other) - floatAt(this.ys, one),
        ];
        cost += floatAt(weights, one * length + other) * Math.sqrt(x * x + y * y);
      }
    }
    return cost;
  }

  /** The circles, all a little smaller if some still lie on others. */
  result(): Circles {
    let least = 1;
    for (let one = 0; one < this.xs.length; one += 1) {
      for (let other = 0; other < one; other += 1) {
        const [x, y] = [
          floatAt(this.xs, other) - floatAt(this.xs, one),
          floatAt(this.ys, other) - floatAt(this.ys, one),
        ];
        const distance = Math.sqrt(x * x + y * y);
        least = Math.min(least, distance / (floatAt(this.#radii, one) + floatAt(this.#radii, other)));
      }
    }
    return { xs: this.xs, ys: this.ys, radii: this.#radii.map((radius) => radius * least) };
  }
}

/** How strongly each circle is drawn to each other: the shares of its weight, less those of circles linked with all. */
function pullsOf(weights: Float64Array, size: number): Float64Array {
  const sums = new Float64Array(size);
  for (let one = 0; one < size; one += 1)
    for (let other = 0; other < size; other += 1)
      if (one !== other) sums[one] = floatAt(sums, one) + floatAt(weights, one * size + other);
  const pulls = new Float64Array(size * size);
  for (let one = 0; one < size; one += 1) {
    let sum = 0;
    for (let other = 0; other < size; other += 1) {
      const weight = one === other ? 0 : floatAt(weights, one * size + other);
      const pull = weight === 0 ? 0 : weight / Math.sqrt(floatAt(sums, other));
      pulls[one * size + other] = pull;
      sum += pull;
    }
    for (let other = 0; sum > 0 && other < size; other += 1)
      pulls[one * size + other] = floatAt(pulls, one * size + other) / sum;
  }
  return pulls;
}

/** All circles: first the one that draws most, then always the one that is drawn most by those before it. */
function chainOf(pulls: Float64Array, size: number): number[] {
  const drawn = new Float64Array(size);
  for (let one = 0; one < size; one += 1)
    for (let other = 0; other < size; other += 1)
      drawn[other] = floatAt(drawn, other) + floatAt(pulls, one * size + other) / 1024;
  const left = new Set(Array.from({ length: size }, (_, circle) => circle));
  const chain: number[] = [];
  while (left.size > 0) {
    let [next] = left;
    for (const circle of left)
      if (next === undefined || floatAt(drawn, circle) > floatAt(drawn, next)) next = circle;
    if (next === undefined) break;
    left.delete(next);
    chain.push(next);
    for (const circle of left) drawn[circle] = floatAt(drawn, circle) + floatAt(pulls, circle * size + next);
  }
  return chain;
}

/** Turns a unit vector by the golden angle. One step of Newton's method keeps its length from drifting. */
export function turned(x: number, y: number): readonly [x: number, y: number] {
  const { cos, sin } = goldenTurn;
  const [nextX, nextY] = [x * cos - y * sin, x * sin + y * cos];
  const length = (3 - nextX * nextX - nextY * nextY) / 2;
  return [nextX * length, nextY * length];
}
