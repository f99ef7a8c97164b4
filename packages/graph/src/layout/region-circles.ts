import { at, floatAt } from "../columns.ts";
import { arranged, type Circles, type Room } from "./arrangement.ts";
import { matrixOf } from "./partition.ts";
import { childRegions, type Regions } from "./regions.ts";
import { aggregated, induced, type WeightedGraph } from "./weighted-graph.ts";

/** The width and height of a map, in its units. */
export const mapWidth = 0xffff;
const middle = mapWidth / 2;

/** The regions lie in a rectangle three units wide for two units high: between a screen and a square. */
const room: Room = { halfWidth: 1, halfHeight: 2 / 3, isRound: false };
const disc: Room = { halfWidth: 1, halfHeight: 1, isRound: true };

/** Units of the map between the middle of its width and the outermost region. */
const span = middle - 8;

/** The units that a region keeps free at its rim, so that rounding puts nothing outside of it. */
const rim = 2;

/** The places of regions before, in units of the map. */
export interface StartingCircles {
  /** NaN for a region that was nowhere. */
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  /** The radii of the same regions before, if they are to stay where they were; otherwise null. */
  readonly radii: Float64Array | null;
  /** Whether they were nowhere, but are scattered so that each has its own place. */
  readonly isScattered: boolean;
}

/** The pages of regions, and the pages that each has room for: at least as many. */
export interface RegionSizes {
  readonly pages: Uint32Array;
  readonly room: Uint32Array;
}

/** The circles of all regions, in units of the map. `between` has the regions as vertices. */
export function circlesOf(
  between: WeightedGraph,
  regions: Regions,
  sizes: RegionSizes,
  starts: StartingCircles,
): Circles {
  const total = regions.parents.length;
  const circles = {
    xs: new Float64Array(total),
    ys: new Float64Array(total),
    radii: new Float64Array(total),
  };
  for (const [parent, members] of [...childRegions(regions).entries()].reverse()) {
    if (members.length === 0) continue;
    const isTop = parent === total;
    const frame = isTop
      ? { x: middle, y: middle, unit: span }
      : {
          x: floatAt(circles.xs, parent),
          y: floatAt(circles.ys, parent),
          unit: floatAt(circles.radii, parent) - rim,
        };
    const before = isTop
      ? frame
      : {
          x: floatAt(starts.xs, parent),
          y: floatAt(starts.ys, parent),
          unit: starts.radii === null ? frame.unit : floatAt(starts.radii, parent) - rim,
        };
    const numbers = Uint32Array.from(members);
    const part = isTop ? topsOf(between, regions, numbers.length) : induced(between, numbers);
    const within = arranged(
      {
        areas: Float64Array.from(numbers, (region) => at(sizes.room, region)),
        weights: matrixOf(part),
        xs: Float64Array.from(numbers, (region) => (floatAt(starts.xs, region) - before.x) / before.unit),
        ys: Float64Array.from(numbers, (region) => (floatAt(starts.ys, region) - before.y) / before.unit),
        isScattered: starts.isScattered,
        density: densityOf(numbers, starts.radii, before.unit, isTop),
      },
      isTop ? room : disc,
    );
    numbers.forEach((region, index) => {
      circles.xs[region] = frame.x + floatAt(within.xs, index) * frame.unit;
      circles.ys[region] = frame.y + floatAt(within.ys, index) * frame.unit;
      const share = Math.sqrt(at(sizes.pages, region) / at(sizes.room, region));
      circles.radii[region] = floatAt(within.radii, index) * frame.unit * share;
    });
  }
  return circles;
}

/** The graph of the regions of the first level. */
function topsOf(between: WeightedGraph, { parents }: Regions, count: number): WeightedGraph {
  return aggregated(
    between,
    Uint32Array.from(parents, (parent, region) => (parent < count ? parent : region)),
    count,
  );
}

/** The share of the room that these regions filled; null if one of them was not there. */
function densityOf(
  numbers: Uint32Array,
  radii: Float64Array | null,
  unit: number,
  isTop: boolean,
): number | null {
  if (radii === null) return null;
  let sum = 0;
  for (const region of numbers) {
    const radius = floatAt(radii, region) / unit;
    // A region without a former one fills what it takes from others.
    if (!Number.isNaN(radius)) sum += radius * radius;
  }
  if (sum === 0) return null;
  return isTop ? (sum * Math.PI) / (4 * room.halfWidth * room.halfHeight) : sum;
}
