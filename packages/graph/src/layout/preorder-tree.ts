import { at } from "../columns.ts";
import type { GraphColumns } from "../graph.ts";

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
}

export function preorderTreeOf({ tree }: GraphColumns): PreorderTree {
  const ends = tree.order.map((node) => at(tree.ends, node));
  const parents = new Uint32Array(ends.length).fill(ends.length);
  for (let page = 0; page < ends.length; page += 1) {
    for (let child = page + 1; child < at(ends, page); child = at(ends, child)) parents[child] = page;
  }
  return { pageCount: ends.length, parents, ends };
}
