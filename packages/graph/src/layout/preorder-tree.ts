import { at, sortByKeys, startsOf } from "../columns.ts";
import type { GraphColumns } from "../graph.ts";
import { seedOf } from "./candidates.ts";

/**
 * The tree of pages as the layout reads it. Here and in the whole layout, a page is named by its position in preorder
 * instead of its number as a node: pages that are near each other in the tree are then near each other in memory. Nodes
 * have the order of their random ids, so columns of them would be read and written at random.
 */
export interface PreorderTree {
  readonly pageCount: number;
  /** The parent of each page; `pageCount` at the top. In a cycle of parents, the page that stands for the root is at the top. */
  readonly parents: Uint32Array;
  /** The position after the last page below each page. */
  readonly ends: Uint32Array;
  /**
   * The children of each page, oldest first, beginning at `starts[page]`. Pages at the top come last, as if they were in one
   * more page.
   */
  readonly children: Uint32Array;
  readonly starts: Uint32Array;
  /** The number from which the candidate points of each page follow. */
  readonly seeds: Uint32Array;
}

export function preorderTreeOf({ ids, tree, orders }: GraphColumns): PreorderTree {
  const { order, positions } = tree;
  const pageCount = order.length;
  const ends = order.map((node) => at(tree.ends, node));
  const parents = parentsOf(ends);
  const byAge = orders.created.map((node) => at(positions, node));
  const parentsByAge = byAge.map((page) => at(parents, page));
  return {
    pageCount,
    parents,
    ends,
    children: sortByKeys(byAge, parentsByAge, pageCount + 1),
    starts: startsOf(parents, pageCount + 1),
    seeds: order.map((node) => seedOf(ids, node)),
  };
}

function parentsOf(ends: Uint32Array): Uint32Array {
  const parents = new Uint32Array(ends.length).fill(ends.length);
  for (let page = 0; page < ends.length; page += 1) {
    for (let child = page + 1; child < at(ends, page); child = at(ends, child)) parents[child] = page;
  }
  return parents;
}

/** The number of pages in the subtree of a page, itself included. */
export const sizeOf = ({ ends }: PreorderTree, page: number): number => at(ends, page) - page;

export const hasChildren = (tree: PreorderTree, page: number): boolean => sizeOf(tree, page) > 1;
