import { at, floatAt, unitAt } from "../columns.ts";
import type { Circles } from "./arrangement.ts";
import { mixed } from "./former-map.ts";
import type { Regions } from "./regions.ts";
import { pagesByHome, placeOf, type Slots, slotTurns, tierBounds } from "./slots.ts";
import type { WeightedGraph } from "./weighted-graph.ts";

/** Swaps that are tried for each page: more in small graphs, in which they cost little. */
const triesOf = (pages: number): number => Math.max(1, Math.min(256, Math.floor(150_000 / Math.max(1, pages))));

/**
 * Brings linked pages nearer to each other: two pages of one tier in one region swap their slots if that makes their links
 * shorter, those to other regions included. The same pages are tried on every machine. Changes `slots`.
 */
export function bringNearer(graph: WeightedGraph, regions: Regions, circles: Circles, slots: Slots): void {
  const size = regions.homes.length;
  const turns = slotTurns(slots);
  const xs = new Float64Array(size);
  const ys = new Float64Array(size);
  for (let page = 0; page < size; page += 1) {
    const region = unitAt(regions.homes, page);
    const place = placeOf(turns, at(slots.of, page), at(slots.counts, region), floatAt(circles.radii, region));
    xs[page] = floatAt(circles.xs, region) + place.x;
    ys[page] = floatAt(circles.ys, region) + place.y;
  }
  const lengthFrom = (page: number, x: number, y: number, except: number): number => {
    let sum = 0;
    for (let edge = at(graph.offsets, page); edge < at(graph.offsets, page + 1); edge += 1) {
      const other = at(graph.others, edge);
      if (other === except) continue;
      const [dx, dy] = [floatAt(xs, other) - x, floatAt(ys, other) - y];
      sum += floatAt(graph.weights, edge) * Math.sqrt(dx * dx + dy * dy);
    }
    return sum;
  };
  const swapIfNearer = (one: number, other: number): void => {
    const [x, y, otherX, otherY] = [floatAt(xs, one), floatAt(ys, one), floatAt(xs, other), floatAt(ys, other)];
    const now = lengthFrom(one, x, y, other) + lengthFrom(other, otherX, otherY, one);
    const then = lengthFrom(one, otherX, otherY, other) + lengthFrom(other, x, y, one);
    if (then >= now) return;
    [xs[one], ys[one], xs[other], ys[other]] = [otherX, otherY, x, y];
    const slot = at(slots.of, one);
    slots.of[one] = at(slots.of, other);
    slots.of[other] = slot;
  };
  const tries = triesOf(size);
  for (const pages of pagesByHome(regions)) {
    const bySlot = pages.slice().sort((a, b) => at(slots.of, a) - at(slots.of, b));
    for (const [from, to] of tierBounds(pages.length)) {
      const inTier = bySlot.subarray(from, to);
      if (inTier.length < 2) continue;
      for (let round = 0; round < tries; round += 1) {
        for (let index = 0; index < inTier.length; index += 1) {
          const one = at(inTier, index);
          const other = at(inTier, mixed(round * inTier.length + index) % inTier.length);
          if (one !== other) swapIfNearer(one, other);
        }
      }
    }
  }
}
