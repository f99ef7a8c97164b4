import { type NodeTrait, type NodeType, nodeTypes } from "@clew/contract/vocabulary";
import { at, byteAt, firstPosition, floatAt, unitAt } from "../columns.ts";
import type { Graph } from "../graph.ts";
import type { NodeId } from "../node.ts";
import { traitSet } from "../traits.ts";
import { subtreeOf } from "../tree.ts";
import { authorTest } from "./named-authors.ts";

/** A condition on the nodes of a list (GRAPH-19). Times are milliseconds since the Unix epoch. An absent member excludes nothing. */
export interface NodeFilter {
  readonly type?: NodeType | undefined;
  /** A node of the graph: only it and what is below it. */
  readonly under?: NodeId | undefined;
  /** These include their moment, the other two do not. */
  readonly updatedAfter?: number | undefined;
  readonly createdAfter?: number | undefined;
  readonly updatedBefore?: number | undefined;
  readonly createdBefore?: number | undefined;
  /** The id or the name of somebody who made a node or edited it last. */
  readonly by?: string | undefined;
  /** Traits that a node must have. */
  readonly is?: readonly NodeTrait[] | undefined;
  /** Traits that it must not have. */
  readonly isNot?: readonly NodeTrait[] | undefined;
}

/** The nodes that pass a filter. */
export interface FilteredNodes {
  readonly has: (node: number) => boolean;
  /** Visits all of them, in no order: looks at those below `under`, else at those since a time, else at all nodes. */
  readonly each: (visit: (node: number) => void) => void;
}

/** null if every node passes. Throws a RangeError if `under` is not in the graph. */
export function filteredNodes(graph: Graph, filter: NodeFilter): FilteredNodes | null {
  if (Object.values(filter).every((value) => value === undefined)) return null;
  const { order, positions } = graph.columns.tree;
  const { under } = filter;
  const passes = factsTest(graph, filter);
  if (under === undefined) {
    const latest = nodesSince(graph, filter);
    return { has: passes, each: latest === null ? eachOf(graph.nodeCount, passes) : eachIn(latest, passes) };
  }
  const { from, to } = subtreeOf(graph.columns.tree, graph.indexOf(under));
  return {
    has: (node) => at(positions, node) >= from && at(positions, node) < to && passes(node),
    each(visit) {
      for (let position = from; position < to; position += 1)
        if (passes(at(order, position))) visit(at(order, position));
    },
  };
}

function eachOf(nodeCount: number, passes: FilteredNodes["has"]): FilteredNodes["each"] {
  return (visit) => {
    for (let node = 0; node < nodeCount; node += 1) if (passes(node)) visit(node);
  };
}

function eachIn(nodes: Uint32Array, passes: FilteredNodes["has"]): FilteredNodes["each"] {
  return (visit) => {
    for (const node of nodes) if (passes(node)) visit(node);
  };
}

/**
 * The nodes that were edited or created late enough; null if the filter does not ask for that, or if reading all nodes in
 * the order of memory is faster.
 */
function nodesSince(graph: Graph, { updatedAfter, createdAfter }: NodeFilter): Uint32Array | null {
  const { orders, nodes } = graph.columns;
  const [order, times, since] =
    updatedAfter === undefined
      ? [orders.created, nodes.createdAt, createdAfter]
      : [orders.updated, nodes.updatedAt, updatedAfter];
  if (since === undefined) return null;
  const latest = order.subarray(firstPosition(order, (node) => floatAt(times, node) >= since));
  return latest.length * 8 < graph.nodeCount ? latest : null;
}

/** Tests all but where a node is. Written out: a call for each column would take several times as long. */
function factsTest(graph: Graph, filter: NodeFilter): (node: number) => boolean {
  const { traits, nodes } = graph.columns;
  const { types, updatedAt, createdAt } = nodes;
  const type = filter.type === undefined ? -1 : nodeTypes.indexOf(filter.type);
  const [required, forbidden] = [traitSet(filter.is ?? []), traitSet(filter.isNot ?? [])];
  const { updatedAfter, updatedBefore, createdAfter, createdBefore } = filter;
  const isBy = filter.by === undefined ? null : authorTest(graph, filter.by);
  return (node) => {
    const set = unitAt(traits, node);
    return (
      (set & required) === required &&
      (set & forbidden) === 0 &&
      (type < 0 || byteAt(types, node) === type) &&
      (updatedAfter === undefined || floatAt(updatedAt, node) >= updatedAfter) &&
      (updatedBefore === undefined || floatAt(updatedAt, node) < updatedBefore) &&
      (createdAfter === undefined || floatAt(createdAt, node) >= createdAfter) &&
      (createdBefore === undefined || floatAt(createdAt, node) < createdBefore) &&
      (isBy === null || isBy(node))
    );
  };
}
