import { nodeTypes } from "@clew/contract/vocabulary";
import { at, byteAt, narrowAt } from "./columns.ts";
import type { Graph } from "./graph.ts";
import type { NodeId } from "./node.ts";
import { noParent } from "./node-columns.ts";

export interface TreeOptions {
  /** Lists what is in this node; everything if absent. */
  readonly under?: NodeId | undefined;
  /** Levels to list, at least 1. */
  readonly depth: number;
  /** The position in preorder to continue from: that of a listed node. */
  readonly from?: number | undefined;
  readonly limit: number;
}

export interface TreeItem {
  /** The index of a node, and its position in preorder. */
  readonly node: number;
  readonly position: number;
  /** 1 at the top of the list. */
  readonly depth: number;
  /** The number of its children. */
  readonly children: number;
  /** The number of its descendants. */
  readonly below: number;
}

const database = nodeTypes.indexOf("database");

/**
 * Lists the tree of pages, each node before what is in it (GRAPH-25). The rows of a database are passed over, unless it is
 * `under` itself. Costs as much as it lists: whatever is passed over is passed over at once.
 */
export function listTree(graph: Graph, { under, depth, from, limit }: TreeOptions): TreeItem[] {
  const { tree, nodes } = graph.columns;
  const { order, positions, ends, childCounts } = tree;
  const top = under === undefined ? noParent : graph.indexOf(under);
  const [first, end] = top === noParent ? [0, graph.nodeCount] : [at(positions, top) + 1, at(ends, top)];
  let position = from ?? first;
  const open = position < end ? endsAbove(graph, at(order, position), top) : [];
  const items: TreeItem[] = [];
  while (position < end && items.length < limit) {
    while (open.length > 0 && (open.at(-1) ?? 0) <= position) open.pop();
    const node = at(order, position);
    const behind = at(ends, node);
    const level = open.length + 1;
    const [children, below] = [narrowAt(childCounts, node), behind - position - 1];
    items.push({ node, position, depth: level, children, below });
    if (level < depth && byteAt(nodes.types, node) !== database) {
      open.push(behind);
      position += 1;
    } else position = behind;
  }
  return items;
}

/** The end of the descendants of each ancestor of a listed node, from the top down. */
function endsAbove({ columns }: Graph, node: number, top: number): number[] {
  const { nodes, tree } = columns;
  const above: number[] = [];
  for (let here = node; ; ) {
    const parent = at(nodes.parents, here);
    // The parent of a node that stands for the root of a cycle comes after it.
    if (parent === top || parent === noParent || at(tree.positions, parent) >= at(tree.positions, here))
      return above.reverse();
    above.push(at(tree.ends, parent));
    here = parent;
  }
}
