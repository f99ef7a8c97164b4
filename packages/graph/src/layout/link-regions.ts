import { at, byteAt, floatAt, unitAt } from "../columns.ts";
import { type Groups, modularityOf, movedVertices } from "./communities.ts";
import type { FormerMap } from "./former-map.ts";
import { partitionOf } from "./partition.ts";
import { noRegion, type Regions, topCount, topOf } from "./regions.ts";
import type { Remembered } from "./slots.ts";
import { aggregated, induced, sumOf, type WeightedGraph } from "./weighted-graph.ts";

/** Regions of linked pages. */
export interface LinkRegions extends Regions {
  /** The region of the map before that each one is; -1 for a new one. */
  readonly origins: Int32Array;
  /** Whether all regions are those of the map before: their pages keep their slots. */
  readonly isKept: boolean;
  /** A key for each page: near in this order is near by links. */
  readonly line: Uint32Array;
  /** The regions as vertices: what binds those that pages are directly in. */
  readonly between: WeightedGraph;
}

type KnownRegions = Omit<LinkRegions, "isKept" | "line" | "between">;

/** The map before, and what it says of the pages of now. */
export interface Past {
  readonly map: FormerMap;
  readonly pages: Remembered;
}

/** Small communities stay whole, so that regions are made of them. */
const atomResolution = 2;

/** A region of fewer pages is not divided. */
const leastDivided = 64;

/** A region is not divided if one part would have more than this share of its pages. */
const mostOfRegion = 0.9;

/**
 * The shares by which the modularity of a new division must be better to replace that of the map before: on the first level 1 %, and
 * more in small workspaces, where chance decides as much; on the second, which differs more from one graph to the next, a quarter.
 */
const leastGains = (pages: number) => [0.01 + 0.25 / Math.sqrt(pages + 1), 0.25] as const;

/**
 * Divides pages into communities of links, and large communities into theirs. The division of the map before stays unless
 * a new one is clearly better: places that stay are worth more than the last percent.
 */
export function linkRegionsOf(graph: WeightedGraph, past: Past | null): LinkRegions {
  const atoms = movedVertices(graph, atomResolution);
  const atomGraph = aggregated(graph, atoms.of, atoms.count);
  const found = dividedAtoms(atomGraph);
  const homes = Uint16Array.from(atoms.of, (atom) => unitAt(found.homes, atom));
  const line = lineOf(atomGraph, found.homes, atoms);
  const fresh = { parents: found.parents, homes };
  if (past !== null) {
    const kept = keptRegions(graph, past);
    if (!isBetter(graph, fresh, kept)) {
      const between = aggregated(graph, Uint32Array.from(kept.homes), kept.parents.length);
      return { ...kept, isKept: true, line, between };
    }
  }
  const numbered =
    past === null
      ? { ...fresh, origins: new Int32Array(fresh.parents.length).fill(-1), numbers: null }
      : likeBefore(fresh, past);
  const atomHomes = Uint32Array.from(found.homes, (home) => numbered.numbers?.[home] ?? home);
  const between = aggregated(atomGraph, atomHomes, fresh.parents.length);
  const { parents, origins } = numbered;
  return { parents, homes: numbered.homes, origins, isKept: false, line, between };
}

/** Whether a division is so much better than another that places may change. */
function isBetter(graph: WeightedGraph, division: Regions, other: Regions): boolean {
  const [now, before] = [qualitiesOf(graph, division), qualitiesOf(graph, other)];
  return leastGains(graph.pages.length).some((gain, level) => {
    const quality = floatAt(before, level);
    return floatAt(now, level) > quality + gain * Math.abs(quality);
  });
}

/** The modularity of the regions of the first level, and that of the innermost ones. */
function qualitiesOf(graph: WeightedGraph, regions: Regions): Float64Array {
  const { parents, homes } = regions;
  const tops = Uint32Array.from(homes, (home) => topOf(regions, home));
  return Float64Array.of(
    modularityOf(graph, tops, parents.length),
    modularityOf(graph, Uint32Array.from(homes), parents.length),
  );
}

/** Divides atoms into regions: those with most pages first. */
function dividedAtoms(atomGraph: WeightedGraph): Regions {
  const tops = bySize(atomGraph, partitionOf(atomGraph));
  const parents = Array.from({ length: tops.count }, () => noRegion);
  const homes = Uint16Array.from(tops.of);
  for (const [top, members] of membersOf(tops).entries()) {
    const part = induced(atomGraph, members);
    if (sumOf(part.pages) < leastDivided) continue;
    const inner = bySize(part, partitionOf(part));
    if (at(aggregated(part, inner.of, inner.count).pages, 0) > mostOfRegion * sumOf(part.pages)) continue;
    const first = parents.length;
    for (let count = 0; count < inner.count; count += 1) parents.push(top);
    members.forEach((atom, index) => {
      homes[atom] = first + at(inner.of, index);
    });
  }
  return { parents: Uint16Array.from(parents), homes };
}

/** The same groups, those with most pages first. */
function bySize(graph: WeightedGraph, { of, count }: Groups): Groups {
  const { pages } = aggregated(graph, of, count);
  const numbers = new Uint32Array(count);
  [...pages.keys()]
    .sort((a, b) => at(pages, b) - at(pages, a) || a - b)
    .forEach((group, number) => {
      numbers[group] = number;
    });
  return { of: of.map((group) => at(numbers, group)), count };
}

function membersOf({ of, count }: Groups): Uint32Array[] {
  const members = Array.from({ length: count }, (): number[] => []);
  of.forEach((group, member) => {
    members[group]?.push(member);
  });
  return members.map((each) => Uint32Array.from(each));
}

/** The atoms of each region one after the other, so that an atom follows those that it is linked with. */
function lineOf(atomGraph: WeightedGraph, homes: Uint16Array, atoms: Groups): Uint32Array {
  const ranks = new Uint32Array(atoms.count);
  const isSeen = new Uint8Array(atoms.count);
  const queue = new Uint32Array(atoms.count);
  let [end, next] = [0, 0];
  for (let first = 0; first < atoms.count; first += 1) {
    if (byteAt(isSeen, first) === 1) continue;
    isSeen[first] = 1;
    queue[end] = first;
    end += 1;
    for (; next < end; next += 1) {
      const atom = at(queue, next);
      ranks[atom] = next;
      for (let edge = at(atomGraph.offsets, atom); edge < at(atomGraph.offsets, atom + 1); edge += 1) {
        const other = at(atomGraph.others, edge);
        if (byteAt(isSeen, other) === 1 || unitAt(homes, other) !== unitAt(homes, atom)) continue;
        isSeen[other] = 1;
        queue[end] = other;
        end += 1;
      }
    }
  }
  return atoms.of.map((atom) => at(ranks, atom));
}

/** The division of the map before. A new page joins the region that it is bound to most, or that of the page before it. */
function keptRegions(graph: WeightedGraph, { map, pages }: Past): KnownRegions {
  const homes = pages.homes.slice();
  const weights = new Float64Array(map.parents.length);
  let last = homes.find((home) => home !== noRegion) ?? 0;
  for (let page = 0; page < homes.length; page += 1) {
    if (unitAt(homes, page) === noRegion) homes[page] = strongestHome(graph, page, homes, weights) ?? last;
    last = unitAt(homes, page);
  }
  return withoutEmpty({ parents: map.parents, homes });
}

/** `weights` is scratch memory: a 0 for each region. */
function strongestHome(
  { offsets, others, weights: edgeWeights }: WeightedGraph,
  page: number,
  homes: Uint16Array,
  weights: Float64Array,
): number | null {
  let best: number | null = null;
  const [start, end] = [at(offsets, page), at(offsets, page + 1)];
  for (let edge = start; edge < end; edge += 1) {
    const home = unitAt(homes, at(others, edge));
    if (home === noRegion) continue;
    weights[home] = floatAt(weights, home) + floatAt(edgeWeights, edge);
    if (best === null || floatAt(weights, home) > floatAt(weights, best)) best = home;
  }
  for (let edge = start; edge < end; edge += 1) weights[unitAt(homes, at(others, edge))] = 0;
  return best;
}

/** Leaves out regions without pages. */
function withoutEmpty({ parents, homes }: Regions): KnownRegions {
  const isUsed = new Uint8Array(parents.length);
  for (const home of homes) {
    isUsed[home] = 1;
    isUsed[topOf({ parents }, home)] = 1;
  }
  const origins = Int32Array.from(parents.keys()).filter((region) => byteAt(isUsed, region) === 1);
  const numbers = new Uint16Array(parents.length);
  origins.forEach((origin, region) => {
    numbers[origin] = region;
  });
  return {
    parents: Uint16Array.from(origins, (origin) => {
      const parent = unitAt(parents, origin);
      return parent === noRegion ? noRegion : unitAt(numbers, parent);
    }),
    homes: homes.map((home) => unitAt(numbers, home)),
    origins,
  };
}

/** Numbers regions of the first level like those of the map before that they share most pages with, so that colours stay. */
function likeBefore(
  { parents, homes }: Regions,
  { map, pages }: Past,
): KnownRegions & { readonly numbers: Uint16Array } {
  const [count, countBefore] = [topCount({ parents }), topCount(map)];
  const shared = new Float64Array(count * countBefore);
  homes.forEach((home, page) => {
    const before = unitAt(pages.homes, page);
    if (before === noRegion) return;
    const pair = topOf({ parents }, home) * countBefore + topOf(map, before);
    shared[pair] = floatAt(shared, pair) + 1;
  });
  const before = new Int32Array(count).fill(-1);
  const taken = new Set<number>();
  const pairs = [...shared.keys()].filter((pair) => floatAt(shared, pair) > 0);
  for (const pair of pairs.sort((a, b) => floatAt(shared, b) - floatAt(shared, a) || a - b)) {
    const [top, other] = [Math.floor(pair / countBefore), pair % countBefore];
    if (before[top] !== -1 || taken.has(other)) continue;
    before[top] = other;
    taken.add(other);
  }
  // Those that were there before in their order, then new ones in theirs.
  const order = [...before.keys()].sort((a, b) => rankOf(before, a) - rankOf(before, b) || a - b);
  const numbers = Uint16Array.from(parents.keys());
  for (const [number, top] of order.entries()) numbers[top] = number;
  return {
    parents: parents.map((parent) => (parent === noRegion ? noRegion : unitAt(numbers, parent))),
    homes: homes.map((home) => unitAt(numbers, home)),
    numbers,
    origins: Int32Array.from(parents, (_, region) => before[order[region] ?? -1] ?? -1),
  };
}

const rankOf = (before: Int32Array, top: number): number => {
  const rank = before[top] ?? -1;
  return rank < 0 ? noRegion : rank;
};
