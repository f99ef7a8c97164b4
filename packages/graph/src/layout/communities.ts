import { at, byteAt, floatAt, identityOrder } from "../columns.ts";
import { aggregated, strengthsOf, sumOf, type WeightedGraph } from "./weighted-graph.ts";

/*
 * Louvain's method (Blondel and others, "Fast unfolding of communities in large networks", 2008): vertices move to the
 * community of a neighbour as long as modularity gains, then communities become the vertices of the next round. Vertices are taken
 * in their order, and only arithmetic that is exact or rounded by IEEE 754 is used: every machine finds the same communities.
 */

/** A vertex joins others more readily the lower the resolution is; 1 is that of plain modularity. */
export type Resolution = number;

/** A partition of the vertices of a graph: the group of each, numbered by their first members. */
export interface Groups {
  readonly of: Uint32Array;
  readonly count: number;
}

/** Rounds in which vertices are moved. Later ones would move hardly any. */
const maxRounds = 12;

/** Rounds end after one that moved less than this share of the vertices. */
const leastShareMoved = 1 / 500;

/** The connected communities that Louvain's method finds. */
export function communitiesOf(graph: WeightedGraph, resolution: Resolution): Groups {
  let groups: Groups = { of: identityOrder(graph.pages.length), count: graph.pages.length };
  for (let level = graph; ; ) {
    const next = movedVertices(level, resolution);
    if (next.count === level.pages.length) return groups;
    groups = numbered(groups.of.map((vertex) => at(next.of, vertex)));
    level = aggregated(level, next.of, next.count);
  }
}

/** The first level of Louvain's method: connected communities, small ones in a large graph. */
export function movedVertices(graph: WeightedGraph, resolution: Resolution): Groups {
  const { offsets, others, weights } = graph;
  const size = graph.pages.length;
  const strengths = strengthsOf(graph);
  const total = sumOf(strengths);
  const communities = identityOrder(size);
  const totals = strengths.slice();
  /** The weight of a vertex's edges to each community; 0 but while the vertex is looked at. */
  const weightsTo = new Float64Array(size);
  const isSettled = new Uint8Array(size);
  for (let round = 0; round < maxRounds; round += 1) {
    let moved = 0;
    for (let vertex = 0; vertex < size; vertex += 1) {
      if (byteAt(isSettled, vertex) === 1) continue;
      isSettled[vertex] = 1;
      const [start, end] = [at(offsets, vertex), at(offsets, vertex + 1)];
      for (let edge = start; edge < end; edge += 1) {
        const community = at(communities, at(others, edge));
        weightsTo[community] = floatAt(weightsTo, community) + floatAt(weights, edge);
      }
      const own = at(communities, vertex);
      const strength = floatAt(strengths, vertex);
      totals[own] = floatAt(totals, own) - strength;
      const cost = total === 0 ? 0 : (resolution * strength) / total;
      let best = own;
      let bestGain = floatAt(weightsTo, own) - cost * floatAt(totals, own);
      for (let edge = start; edge < end; edge += 1) {
        const community = at(communities, at(others, edge));
        const weight = floatAt(weightsTo, community);
        if (weight === 0) continue;
        weightsTo[community] = 0;
        const gain = weight - cost * floatAt(totals, community);
        const isBetter = gain > bestGain || (gain === bestGain && best !== own && community < best);
        if (community === own || !isBetter) continue;
        best = community;
        bestGain = gain;
      }
      totals[best] = floatAt(totals, best) + strength;
      if (best === own) continue;
      communities[vertex] = best;
      moved += 1;
      for (let edge = start; edge < end; edge += 1) {
        const other = at(others, edge);
        if (at(communities, other) !== best) isSettled[other] = 0;
      }
    }
    if (moved <= size * leastShareMoved) break;
  }
  return connectedParts(graph, communities);
}

/** The parts of communities that are connected within them. */
function connectedParts({ offsets, others }: WeightedGraph, communities: Uint32Array): Groups {
  const size = communities.length;
  const none = size;
  const parts = new Uint32Array(size).fill(none);
  const waiting = new Uint32Array(size);
  let count = 0;
  for (let first = 0; first < size; first += 1) {
    if (at(parts, first) !== none) continue;
    const community = at(communities, first);
    parts[first] = count;
    waiting[0] = first;
    for (let length = 1; length > 0; ) {
      length -= 1;
      const vertex = at(waiting, length);
      for (let edge = at(offsets, vertex); edge < at(offsets, vertex + 1); edge += 1) {
        const other = at(others, edge);
        if (at(parts, other) !== none || at(communities, other) !== community) continue;
        parts[other] = count;
        waiting[length] = other;
        length += 1;
      }
    }
    count += 1;
  }
  return { of: parts, count };
}

/** Numbers groups by their first members. Their numbers so far are below the number of members. */
export function numbered(groups: Uint32Array): Groups {
  const none = groups.length;
  const numbers = new Uint32Array(groups.length).fill(none);
  let count = 0;
  const of = groups.map((group) => {
    if (at(numbers, group) === none) {
      numbers[group] = count;
      count += 1;
    }
    return at(numbers, group);
  });
  return { of, count };
}

/** The modularity of groups, -0.5 to 1: the share of weight within them, less what chance would put there. */
export function modularityOf(graph: WeightedGraph, groups: Uint32Array, groupCount: number): number {
  const strengths = strengthsOf(graph);
  const total = sumOf(strengths);
  if (total === 0) return 0;
  const totals = new Float64Array(groupCount);
  let within = 0;
  for (let vertex = 0; vertex < groups.length; vertex += 1) {
    const group = at(groups, vertex);
    totals[group] = floatAt(totals, group) + floatAt(strengths, vertex);
    within += floatAt(graph.inner, vertex);
    for (let edge = at(graph.offsets, vertex); edge < at(graph.offsets, vertex + 1); edge += 1)
      if (at(groups, at(graph.others, edge)) === group) within += floatAt(graph.weights, edge);
  }
  let expected = 0;
  for (let group = 0; group < groupCount; group += 1) {
    const share = floatAt(totals, group) / total;
    expected += share * share;
  }
  return within / total - expected;
}
