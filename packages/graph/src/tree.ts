import { at, identityOrder, type NarrowColumn, narrowed, sortByKeys, startsOf } from "./columns.ts";
import { noParent } from "./node-columns.ts";

/**
 * The tree of pages. In **preorder**, a node is followed by its descendants, and siblings are ordered by title, then id: the
 * descendants of a node are a range of positions.
 *
 * Parents may form a cycle, which has no top. Its node with the lowest id then stands for the root, and everything in the
 * cycle is below everything else in it.
 */
export interface TreeColumns {
  /** The nodes in preorder. */
  readonly order: Uint32Array;
  /** The position of each node in `order`. */
  readonly positions: Uint32Array;
  /** The position after the last descendant of each node. */
  readonly ends: Uint32Array;
  /** The number of children of each node. */
  readonly childCounts: NarrowColumn;
  /** The nodes in cycles of parents, ascending, and the node that stands for the root of each. */
  readonly cycleNodes: Uint32Array;
  readonly cycleRoots: Uint32Array;
}

/** A range of positions in preorder, `to` excluded. */
export interface PreorderRange {
  readonly from: number;
  readonly to: number;
}

/** @param titleOrder all nodes by title, then id */
export function treeOf(parents: Uint32Array, titleOrder: Uint32Array): TreeColumns {
  const { cycleNodes, cycleRoots } = findCycles(parents);
  const containers = parents.slice();
  for (const root of cycleRoots) containers[root] = noParent;
  return { ...preorder(containers, titleOrder), cycleNodes, cycleRoots };
}

/** The node and everything below it: all nodes that have it in their breadcrumbs. */
export function subtreeOf(tree: TreeColumns, node: number): PreorderRange {
  const cycle = tree.cycleNodes.indexOf(node);
  const top = cycle < 0 ? node : at(tree.cycleRoots, cycle);
  return { from: at(tree.positions, top), to: at(tree.ends, top) };
}

/** Goes up from each node until a root or a node that was seen before. */
function findCycles(parents: Uint32Array): Pick<TreeColumns, "cycleNodes" | "cycleRoots"> {
  const rootOf = new Map<number, number>();
  // The walk that saw each node, numbered from 1.
  const walks = new Uint32Array(parents.length);
  for (let start = 0; start < parents.length; start += 1) {
    let node = start;
    while (node !== noParent && at(walks, node) === 0) {
      walks[node] = start + 1;
      node = at(parents, node);
    }
    if (node === noParent || at(walks, node) !== start + 1) continue;
    const cycle = [node];
    for (let next = at(parents, node); next !== node; next = at(parents, next)) cycle.push(next);
    const root = cycle.reduce((lowest, member) => Math.min(lowest, member));
    for (const member of cycle) rootOf.set(member, root);
  }
  const cycleNodes = Uint32Array.from(rootOf.keys()).sort();
  return { cycleNodes, cycleRoots: cycleNodes.map((node) => rootOf.get(node) ?? node) };
}

/** Goes through a tree without cycles, depth first. */
function preorder(
  parents: Uint32Array,
  titleOrder: Uint32Array,
): Pick<TreeColumns, "order" | "positions" | "ends" | "childCounts"> {
  const nodeCount = parents.length;
  // The children of each node, by title. Nodes at the top come last, as if they were in one more node.
  const keys = titleOrder.map((node) => Math.min(at(parents, node), nodeCount));
  const children = sortByKeys(titleOrder, keys, nodeCount + 1);
  const starts = startsOf(keys, nodeCount + 1);
  const order = new Uint32Array(nodeCount);
  const positions = new Uint32Array(nodeCount);
  const ends = new Uint32Array(nodeCount);
  const next = starts.slice();
  let position = 0;
  let here = nodeCount;
  while (here !== nodeCount || at(next, here) < at(starts, here + 1)) {
    const child = at(next, here);
    if (child < at(starts, here + 1)) {
      next[here] = child + 1;
      here = at(children, child);
      order[position] = here;
      positions[here] = position;
      position += 1;
    } else {
      ends[here] = position;
      here = Math.min(at(parents, here), nodeCount);
    }
  }
  const childCounts = identityOrder(nodeCount).map((node) => at(starts, node + 1) - at(starts, node));
  return { order, positions, ends, childCounts: narrowed(childCounts) };
}
