import { at } from "../column.ts";
import { type EdgeFilter, edgeTo, follows } from "./edge-filter.ts";
import type { WalkBudget } from "./walk-budget.ts";

/**
 * Gives `found` every node one step from another, once each, in the order of a breadth-first walk. It reads the node's
 * own rows alone: what a walk notes of each node that it reaches lies far apart in memory, which is most of what one step
 * costs. Ends at the budget, or where `found` returns false.
 */
export function eachOneHop(
  {
    filter,
    start,
    budget,
  }: { readonly filter: EdgeFilter; readonly start: number; readonly budget: WalkBudget },
  found: (node: number) => boolean,
): void {
  if (!budget.visit()) return;
  for (const [index, adjacency] of filter.adjacencies.entries()) {
    const before = { ...filter, adjacencies: filter.adjacencies.slice(0, index) };
    // Edges to the same node follow one another in a row.
    let last = start;
    for (
      let position = at(adjacency.offsets, start);
      position < at(adjacency.offsets, start + 1);
      position += 1
    ) {
      if (!budget.step()) return;
      const node = at(adjacency.nodes, position);
      if (node === last || node === start || !follows(filter, adjacency, position)) continue;
      last = node;
      if (edgeTo(before, start, node) !== null) continue;
      if (!budget.visit() || !found(node)) return;
    }
  }
}
