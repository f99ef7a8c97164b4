import { edgeTypes } from "@clew/contract/vocabulary";
import { type Adjacency, rowLength } from "../adjacency.ts";
import { addUp, at, byteAt, floatAt, identityOrder, narrowAt, sortByKeys, startsOf } from "../columns.ts";
import type { GraphColumns } from "../graph.ts";
import type { PreorderTree } from "./preorder-tree.ts";

/**
 * An undirected graph whose edges have weights: whole numbers, so that sums do not depend on their order. A vertex stands for
 * a page or for a set of pages. Each edge is in the rows of both its ends.
 */
export interface WeightedGraph {
  /** The number of pages that each vertex stands for. */
  readonly pages: Uint32Array;
  /** The start of each vertex's row; the last element is the end of the last row. */
  readonly offsets: Uint32Array;
  readonly others: Uint32Array;
  readonly weights: Float64Array;
  /** The weight of the edges within each vertex, both ends counted. */
  readonly inner: Float64Array;
}

/** The weight of 1 to 8 references between two pages: 10 000 × (1 + ln(1 + count)). More weigh as much as 8. */
const weightsOfCounts = Float64Array.of(16_931, 20_986, 23_863, 26_094, 27_918, 29_459, 30_794, 31_972);

/** A subpage that its parent does not link binds the two a little. */
const weightOfSubpage = 1_500;

/** A page that is linked with more pages than this is a hub, which binds each of them less. */
const hubDegree = 60;

const child = edgeTypes.indexOf("child");

/** The pages by their positions in preorder, each bound to its parent alone. */
export function treeGraphOf({ pageCount, parents }: PreorderTree): WeightedGraph {
  const offsets = new Uint32Array(pageCount + 1);
  for (let page = 0; page < pageCount; page += 1) {
    const parent = at(parents, page);
    if (parent === pageCount) continue;
    offsets[page + 1] = at(offsets, page + 1) + 1;
    offsets[parent + 1] = at(offsets, parent + 1) + 1;
  }
  addUp(offsets);
  const next = offsets.slice();
  const others = new Uint32Array(at(offsets, pageCount));
  const add = (page: number, other: number) => {
    others[at(next, page)] = other;
    next[page] = at(next, page) + 1;
  };
  for (let page = 0; page < pageCount; page += 1) {
    const parent = at(parents, page);
    if (parent === pageCount) continue;
    add(page, parent);
    add(parent, page);
  }
  return {
    pages: new Uint32Array(pageCount).fill(1),
    offsets,
    others,
    weights: new Float64Array(others.length).fill(1),
    inner: new Float64Array(pageCount),
  };
}

/**
 * The pages by their positions in preorder, and what binds them: links and subpages. A link weighs less the more pages both its
 * ends are linked with, and less again if one end is a hub: an index of all pages says little about each.
 */
export function pageGraphOf(columns: GraphColumns): WeightedGraph {
  const { order, positions } = columns.tree;
  const { types } = columns.labels;
  const size = order.length;
  const bound = 2 * columns.out.nodes.length;
  const others = new Uint32Array(bound);
  const counts = new Uint32Array(bound);
  const isSubpage = new Uint8Array(bound);
  const offsets = new Uint32Array(size + 1);
  // One more than the place of each page in the row that is being written.
  const places = new Uint32Array(size);
  let end = 0;
  const read = (adjacency: Adjacency, node: number, start: number) => {
    const first = at(adjacency.offsets, node);
    for (let edge = first; edge < first + rowLength(adjacency, node); edge += 1) {
      const isChild = byteAt(types, narrowAt(adjacency.labels, edge)) === child;
      const other = at(positions, at(adjacency.nodes, edge));
      let place = at(places, other) - 1;
      if (place < start) {
        place = end;
        others[place] = other;
        end += 1;
        places[other] = end;
      }
      if (isChild) isSubpage[place] = 1;
      else counts[place] = Math.min(8, at(counts, place) + narrowAt(adjacency.counts, edge));
    }
  };
  for (let page = 0; page < size; page += 1) {
    const node = at(order, page);
    const start = end;
    read(columns.out, node, start);
    read(columns.in, node, start);
    offsets[page + 1] = end;
  }
  const shares = sharesOf(offsets, counts);
  const weights = new Float64Array(end);
  for (let page = 0; page < size; page += 1) {
    for (let place = at(offsets, page); place < at(offsets, page + 1); place += 1) {
      const other = at(others, place);
      const count = at(counts, place);
      const share = count === 0 ? 0 : shares.of(page, other) * floatAt(weightsOfCounts, count - 1);
      weights[place] = Math.ceil(share) + byteAt(isSubpage, place) * weightOfSubpage;
    }
  }
  return {
    pages: new Uint32Array(size).fill(1),
    offsets,
    others: others.slice(0, end),
    weights,
    inner: new Float64Array(size),
  };
}

/** The share of its weight that a link has, by the numbers of pages that its ends are linked with. */
function sharesOf(offsets: Uint32Array, counts: Uint32Array) {
  const degrees = new Uint32Array(offsets.length - 1);
  for (let page = 0; page < degrees.length; page += 1) {
    for (let place = at(offsets, page); place < at(offsets, page + 1); place += 1)
      if (at(counts, place) > 0) degrees[page] = at(degrees, page) + 1;
  }
  return {
    of(one: number, other: number): number {
      const least = Math.min(at(degrees, one), at(degrees, other));
      const most = Math.max(at(degrees, one), at(degrees, other));
      return Math.sqrt(1 / least) * (most > hubDegree ? Math.sqrt(hubDegree / most) : 1);
    },
  };
}

/** The graph whose vertices are the groups of another's. Groups are numbered from 0. */
export function aggregated(graph: WeightedGraph, groups: Uint32Array, groupCount: number): WeightedGraph {
  const members = sortByKeys(identityOrder(groups.length), groups, groupCount);
  const starts = startsOf(groups, groupCount);
  const pages = new Uint32Array(groupCount);
  const inner = new Float64Array(groupCount);
  const offsets = new Uint32Array(groupCount + 1);
  const others = new Uint32Array(graph.others.length);
  const weights = new Float64Array(graph.others.length);
  const places = new Uint32Array(groupCount);
  let end = 0;
  for (let group = 0; group < groupCount; group += 1) {
    const start = end;
    for (let index = at(starts, group); index < at(starts, group + 1); index += 1) {
      const member = at(members, index);
      pages[group] = at(pages, group) + at(graph.pages, member);
      inner[group] = floatAt(inner, group) + floatAt(graph.inner, member);
      for (let edge = at(graph.offsets, member); edge < at(graph.offsets, member + 1); edge += 1) {
        const other = at(groups, at(graph.others, edge));
        if (other === group) {
          inner[group] = floatAt(inner, group) + floatAt(graph.weights, edge);
          continue;
        }
        let place = at(places, other) - 1;
        if (place < start) {
          place = end;
          others[place] = other;
          end += 1;
          places[other] = end;
        }
        weights[place] = floatAt(weights, place) + floatAt(graph.weights, edge);
      }
    }
    offsets[group + 1] = end;
  }
  return { pages, offsets, others: others.slice(0, end), weights: weights.slice(0, end), inner };
}

/** The part of a graph that some of its vertices make up, in their order. */
export function induced(graph: WeightedGraph, vertices: Uint32Array): WeightedGraph {
  // One more than the number of each vertex in the part.
  const numbers = new Map<number, number>();
  vertices.forEach((vertex, index) => {
    numbers.set(vertex, index);
  });
  const others: number[] = [];
  const weights: number[] = [];
  const offsets = new Uint32Array(vertices.length + 1);
  vertices.forEach((vertex, index) => {
    for (let edge = at(graph.offsets, vertex); edge < at(graph.offsets, vertex + 1); edge += 1) {
      const other = numbers.get(at(graph.others, edge));
      if (other === undefined) continue;
      others.push(other);
      weights.push(floatAt(graph.weights, edge));
    }
    offsets[index + 1] = others.length;
  });
  return {
    pages: vertices.map((vertex) => at(graph.pages, vertex)),
    offsets,
    others: Uint32Array.from(others),
    weights: Float64Array.from(weights),
    inner: Float64Array.from(vertices, (vertex) => floatAt(graph.inner, vertex)),
  };
}

/** The weight of each vertex's edges, both ends of those within it counted. */
export function strengthsOf({ offsets, weights, inner }: WeightedGraph): Float64Array {
  const strengths = inner.slice();
  for (let vertex = 0; vertex < strengths.length; vertex += 1) {
    for (let edge = at(offsets, vertex); edge < at(offsets, vertex + 1); edge += 1)
      strengths[vertex] = floatAt(strengths, vertex) + floatAt(weights, edge);
  }
  return strengths;
}

/** The sum of a column. */
export const sumOf = (column: Float64Array | Uint32Array): number => {
  let sum = 0;
  for (const value of column) sum += value;
  return sum;
};
