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
  const moving = new VertexMoving(graph, resolution);
  for (let round = 0; round < maxRounds; round += 1)
    if (moving.moveAll() <= graph.pages.length * leastShareMoved) break;
  return connectedParts(graph, moving.communities);
}

/** Moves the vertices of a graph to the communities of their neighbours. */
class VertexMoving {
  readonly communities: Uint32Array;
  readonly #graph: WeightedGraph;
  /** The share of a community's strength that a vertex of strength 1 would meet in it by chance. */
  readonly #chance: number;
  readonly #strengths: Float64Array;
  /** The strength of each community. */
  readonly #totals: Float64Array;
  /** The weight of a vertex's edges to each community; 0 but while the vertex is looked at. */
  readonly #weightsTo: Float64Array;
  /** 1 for a vertex whose neighbours have not moved since it was looked at. */
  readonly #isSettled: Uint8Array;

  constructor(graph: WeightedGraph, resolution: Resolution) {
    const size = graph.pages.length;
    this.#graph = graph;
    this.#strengths = strengthsOf(graph);
    const total = sumOf(this.#strengths);
    this.#chance = total === 0 ? 0 : resolution / total;
    this.communities = identityOrder(size);
    this.#totals = this.#strengths.slice();
    this.#weightsTo = new Float64Array(size);
    this.#isSettled = new Uint8Array(size);
  }

  /** Looks at each vertex that is not settled. Returns how many moved. */
  moveAll(): number {
    let moved = 0;
    for (let vertex = 0; vertex < this.communities.length; vertex += 1) {
      if (byteAt(this.#isSettled, vertex) === 1) continue;
      this.#isSettled[vertex] = 1;
      const own = at(this.communities, vertex);
      const best = this.#bestFor(vertex, own);
      if (best === own) continue;
      this.#move(vertex, own, best);
      moved += 1;
    }
    return moved;
  }

  /** The community in which a vertex gains most; of several the one with the lowest number, unless it is in one of them. */
  #bestFor(vertex: number, own: number): number {
    const { offsets, others, weights } = this.#graph;
    const [start, end] = [at(offsets, vertex), at(offsets, vertex + 1)];
    const weightsTo = this.#weightsTo;
    for (let edge = start; edge < end; edge += 1) {
      const community = at(this.communities, at(others, edge));
      weightsTo[community] = floatAt(weightsTo, community) + floatAt(weights, edge);
    }
    const strength = floatAt(this.#strengths, vertex);
    const cost = this.#chance * strength;
    let best = own;
    let bestGain = floatAt(weightsTo, own) - cost * (floatAt(this.#totals, own) - strength);
    for (let edge = start; edge < end; edge += 1) {
      const community = at(this.communities, at(others, edge));
      const weight = floatAt(weightsTo, community);
      weightsTo[community] = 0;
      if (weight === 0 || community === own) continue;
      const gain = weight - cost * floatAt(this.#totals, community);
      if (gain > bestGain || (gain === bestGain && best !== own && community < best)) {
        best = community;
        bestGain = gain;
      }
    }
    return best;
  }

  #move(vertex: number, from: number, to: number): void {
    const { offsets, others } = this.#graph;
    const strength = floatAt(this.#strengths, vertex);
    this.#totals[from] = floatAt(this.#totals, from) - strength;
    this.#totals[to] = floatAt(this.#totals, to) + strength;
    this.communities[vertex] = to;
    for (let edge = at(offsets, vertex); edge < at(offsets, vertex + 1); edge += 1) {
      const other = at(others, edge);
      if (at(this.communities, other) !== to) this.#isSettled[other] = 0;
    }
  }
}

/** The parts of communities that are connected within them. */
export function connectedParts({ offsets, others }: WeightedGraph, communities: Uint32Array): Groups {
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
