import { at, floatAt } from "../columns.ts";
import { communitiesOf, type Groups, numbered } from "./communities.ts";
import { aggregated, sumOf, type WeightedGraph } from "./weighted-graph.ts";

/** The numbers of regions a number of pages is divided into, where its links allow it. */
interface RegionLimits {
  readonly least: number;
  readonly most: number;
  /** The pages of the smallest region. */
  readonly smallest: number;
}

/** More regions than this could not be told apart in one picture. */
const mostRegions = 40;

export const limitsOf = (pages: number): RegionLimits => ({
  least: Math.min(12, Math.floor(pages / 16)),
  most: mostRegions,
  smallest: Math.max(4, Math.ceil(pages / 250)),
});

/** Each doubles the resolution. */
const maxAttempts = 5;

/**
 * Divides the vertices of a graph into regions: communities, small ones merged. The resolution is raised until there are enough;
 * the attempt with the most regions counts if there never are.
 */
export function partitionOf(graph: WeightedGraph): Groups {
  const limits = limitsOf(sumOf(graph.pages));
  let best: Groups | null = null;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const found = communitiesOf(graph, 2 ** attempt);
    const merged = withinLimits(graph, found, limits);
    if (best === null || merged.count > best.count) best = merged;
    if (best.count >= limits.least || found.count === graph.pages.length) break;
  }
  return best ?? { of: new Uint32Array(), count: 0 };
}

/** Merges groups until none is too small, and there are not too many. */
export function withinLimits(
  graph: WeightedGraph,
  groups: Groups,
  { most, smallest }: Pick<RegionLimits, "most" | "smallest">,
): Groups {
  let merged = groups;
  for (;;) {
    const next = withoutSmall(graph, merged, smallest);
    if (next.count === merged.count) break;
    merged = next;
  }
  merged = withoutLoose(graph, merged, smallest);
  return merged.count > most ? mergedTo(graph, merged, most) : merged;
}

/** Merges each group that is too small with the one that it has most weight with. */
function withoutSmall(graph: WeightedGraph, groups: Groups, smallest: number): Groups {
  const regions = aggregated(graph, groups.of, groups.count);
  const joined = new Joined(groups.count);
  for (let group = 0; group < groups.count; group += 1) {
    if (at(regions.pages, group) >= smallest) continue;
    const nearest = nearestOf(regions, group);
    if (nearest !== null) joined.join(group, nearest);
  }
  return numbered(groups.of.map((group) => joined.find(group)));
}

/** The group that another has most weight with; null if it has none. */
function nearestOf({ offsets, others, weights }: WeightedGraph, group: number): number | null {
  let [nearest, most]: [number | null, number] = [null, 0];
  for (let edge = at(offsets, group); edge < at(offsets, group + 1); edge += 1) {
    const [other, weight] = [at(others, edge), floatAt(weights, edge)];
    if (weight < most || (weight === most && nearest !== null && nearest < other)) continue;
    [nearest, most] = [other, weight];
  }
  return nearest;
}

/** Merges small groups that are linked with no other: they are one region together, or a part of the last one. */
function withoutLoose(graph: WeightedGraph, groups: Groups, smallest: number): Groups {
  const { pages } = aggregated(graph, groups.of, groups.count);
  const loose = [...pages.keys()].filter((group) => at(pages, group) < smallest);
  const [first] = loose;
  if (first === undefined) return groups;
  const together = loose.reduce((sum, group) => sum + at(pages, group), 0);
  const last = pages.findLastIndex((count) => count >= smallest);
  const target = together >= smallest || last < 0 ? first : last;
  const isLoose = new Set(loose);
  return numbered(groups.of.map((group) => (isLoose.has(group) ? target : group)));
}

/** Merges the smallest group, again and again, with the one that it has most weight with, or with the next smallest one. */
function mergedTo(graph: WeightedGraph, groups: Groups, most: number): Groups {
  const { count } = groups;
  const regions = aggregated(graph, groups.of, count);
  const sizes = Float64Array.from(regions.pages);
  const weights = matrixOf(regions);
  const targets = Uint32Array.from({ length: count }, (_, group) => group);
  const left = new Set(targets);
  while (left.size > most) {
    const bySize = [...left].sort((a, b) => floatAt(sizes, a) - floatAt(sizes, b) || a - b);
    const [smallest = 0, ...others] = bySize;
    let [nearest = 0] = others;
    for (const other of others) {
      const isNearer =
        floatAt(weights, smallest * count + other) > floatAt(weights, smallest * count + nearest);
      if (isNearer) nearest = other;
    }
    left.delete(smallest);
    targets.forEach((target, group) => {
      if (target === smallest) targets[group] = nearest;
    });
    sizes[nearest] = floatAt(sizes, nearest) + floatAt(sizes, smallest);
    for (const other of left) {
      const weight = floatAt(weights, nearest * count + other) + floatAt(weights, smallest * count + other);
      weights[nearest * count + other] = weight;
      weights[other * count + nearest] = weight;
    }
  }
  return numbered(groups.of.map((group) => at(targets, group)));
}

/** The weight between any two vertices of a small graph. */
export function matrixOf({ pages, offsets, others, weights }: WeightedGraph): Float64Array {
  const matrix = new Float64Array(pages.length * pages.length);
  for (let vertex = 0; vertex < pages.length; vertex += 1) {
    for (let edge = at(offsets, vertex); edge < at(offsets, vertex + 1); edge += 1)
      matrix[vertex * pages.length + at(others, edge)] = floatAt(weights, edge);
  }
  return matrix;
}

/** Sets that are joined, each named by one of its members. */
class Joined {
  readonly #parents: Uint32Array;

  constructor(size: number) {
    this.#parents = Uint32Array.from({ length: size }, (_, member) => member);
  }

  find(member: number): number {
    let root = member;
    while (at(this.#parents, root) !== root) {
      this.#parents[root] = at(this.#parents, at(this.#parents, root));
      root = at(this.#parents, root);
    }
    return root;
  }

  join(one: number, other: number): void {
    this.#parents[this.find(one)] = this.find(other);
  }
}
