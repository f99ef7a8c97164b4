import { type NodeTrait, type NodeType, nodeTypes } from "@clew/contract";
import { at, byteAt, floatAt } from "../columns.ts";
import type { Graph } from "../graph.ts";
import type { NodeId } from "../node.ts";
import { traitSet } from "../traits.ts";
import { subtreeOf } from "../tree.ts";

/** Which nodes a list has (GRAPH-19). Times are milliseconds since the Unix epoch; what is absent excludes nothing. */
export interface NodeFilter {
  readonly type?: NodeType | undefined;
  /** A node of the graph: only it and what is below it. */
  readonly under?: NodeId | undefined;
  /** These include their moment, the other two do not. */
  readonly updatedAfter?: number | undefined;
  readonly createdAfter?: number | undefined;
  readonly updatedBefore?: number | undefined;
  readonly createdBefore?: number | undefined;
  /** Traits that a node must have. */
  readonly is?: readonly NodeTrait[] | undefined;
  /** Traits that it must not have. */
  readonly isNot?: readonly NodeTrait[] | undefined;
}

/**
 * Tests whether the node at an index passes a filter; null if every node does. Throws a RangeError if `under` is not in the
 * graph.
 */
export function nodeTest(graph: Graph, filter: NodeFilter): ((node: number) => boolean) | null {
  if (Object.values(filter).every((value) => value === undefined)) return null;
  const { nodes, traits, tree } = graph.columns;
  const { types, updatedAt, createdAt } = nodes;
  const { is = [], isNot = [], under } = filter;
  const { positions } = tree;
  const { from, to } =
    under === undefined ? { from: 0, to: graph.nodeCount } : subtreeOf(tree, graph.indexOf(under));
  const type = filter.type === undefined ? -1 : nodeTypes.indexOf(filter.type);
  const [required, forbidden] = [traitSet(is), traitSet(isNot)];
  const [always, never] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const { updatedAfter = always, updatedBefore = never } = filter;
  const { createdAfter = always, createdBefore = never } = filter;
  const hasUpdated = updatedAfter > always || updatedBefore < never;
  const hasCreated = createdAfter > always || createdBefore < never;
  const within = (time: number, after: number, before: number) => time >= after && time < before;
  return (node) => {
    const position = at(positions, node);
    const set = byteAt(traits, node);
    return (
      position >= from &&
      position < to &&
      (set & required) === required &&
      (set & forbidden) === 0 &&
      (type < 0 || byteAt(types, node) === type) &&
      (!hasUpdated || within(floatAt(updatedAt, node), updatedAfter, updatedBefore)) &&
      (!hasCreated || within(floatAt(createdAt, node), createdAfter, createdBefore))
    );
  };
}
