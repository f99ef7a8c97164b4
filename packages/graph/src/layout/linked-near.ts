import { at, floatAt } from "../columns.ts";
import type { Circles } from "./arrangement.ts";
import { mixed } from "./former-map.ts";
import type { Regions } from "./regions.ts";
import { pagesByHome, placeOf, type Slots, slotTurns, tierBounds } from "./slots.ts";
import type { WeightedGraph } from "./weighted-graph.ts";

/** Swaps that are tried for each page: many in small graphs, in which they cost little, and none in very large ones. */
const triesOf = (pages: number): number => Math.min(256, Math.floor(150_000 / Math.max(1, pages)));

/**
 * Brings linked pages nearer to each other: two pages of one tier in one region swap their slots if that makes their links
 * shorter, those to other regions included. The same pages are tried on every machine. Changes `slots`.
 */
export function bringNearer(graph: WeightedGraph, regions: Regions, circles: Circles, slots: Slots): void {
  const swapping = new SlotSwapping(graph, regions, circles, slots);
  const tries = triesOf(regions.homes.length);
  for (const pages of pagesByHome(regions)) {
    const bySlot = pages.slice().sort((a, b) => at(slots.of, a) - at(slots.of, b));
    for (const [from, to] of tierBounds(pages.length)) swapping.swapWithin(bySlot.subarray(from, to), tries);
  }
}

class SlotSwapping {
  readonly #graph: WeightedGraph;
  readonly #slots: Slots;
  readonly #xs: Float64Array;
  readonly #ys: Float64Array;

  constructor(graph: WeightedGraph, { homes }: Regions, circles: Circles, slots: Slots) {
    this.#graph = graph;
    this.#slots = slots;
    this.#xs = new Float64Array(homes.length);
    this.#ys = new Float64Array(homes.length);
    const turns = slotTurns(slots);
    homes.forEach((region, page) => {
      const radius = floatAt(circles.radii, region);
      const { x, y } = placeOf(turns, at(slots.of, page), at(slots.counts, region), radius);
      this.#xs[page] = floatAt(circles.xs, region) + x;
      this.#ys[page] = floatAt(circles.ys, region) + y;
    });
  }

  /** Tries to swap each of these pages with others of them. */
  swapWithin(pages: Uint32Array, tries: number): void {
    const { length } = pages;
    for (let round = 0; round < tries; round += 1) {
      for (let index = 0; index < length; index += 1) {
        const [one, other] = [at(pages, index), at(pages, mixed(round * length + index) % length)];
        if (one !== other) this.#swapIfNearer(one, other);
      }
    }
  }

  #swapIfNearer(one: number, other: number): void {
    const [xs, ys, { of }] = [this.#xs, this.#ys, this.#slots];
    const [x, y, otherX, otherY] = [
      floatAt(xs, one),
      floatAt(ys, one),
      floatAt(xs, other),
      floatAt(ys, other),
    ];
    const now = this.#lengthFrom(one, x, y, other) + this.#lengthFrom(other, otherX, otherY, one);
    const then = this.#lengthFrom(one, otherX, otherY, other) + this.#lengthFrom(other, x, y, one);
    if (then >= now) return;
    [xs[one], ys[one], xs[other], ys[other]] = [otherX, otherY, x, y];
    [of[one], of[other]] = [at(of, other), at(of, one)];
  }

  /** The length of a page's links if it lay at a point, by weight, without those to one page. */
  #lengthFrom(page: number, x: number, y: number, except: number): number {
    const { offsets, others, weights } = this.#graph;
    let sum = 0;
    for (let edge = at(offsets, page); edge < at(offsets, page + 1); edge += 1) {
      const other = at(others, edge);
      if (other === except) continue;
      const [dx, dy] = [floatAt(this.#xs, other) - x, floatAt(this.#ys, other) - y];
      sum += floatAt(weights, edge) * Math.sqrt(dx * dx + dy * dy);
    }
    return sum;
  }
}
