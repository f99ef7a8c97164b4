import { at } from "../column.ts";
import type { Meter } from "./budget.ts";
import { edgeTo, follows, type Ways } from "./ways.ts";

/**
 * Gives `found` every node one step from another, once each, in the order of a breadth-first walk. It reads the node's
 * own rows alone: what a walk notes of each node that it reaches lies far apart in memory, which is most of what one step
 * costs. Ends at the budget, or where `found` returns false.
 */
export function eachBeside(
  { ways, start, meter }: { readonly ways: Ways; readonly start: number; readonly meter: Meter },
  found: (node: number) => boolean,
): void {
  if (!meter.visit()) return;
  for (const [index, adjacency] of ways.adjacencies.entries()) {
    const before = { ...ways, adjacencies: ways.adjacencies.slice(0, index) };
    // Edges to the same node follow one another in a row.
    let last = start;
    for (
      let position = at(adjacency.offsets, start);
      position < at(adjacency.offsets, start + 1);
      position += 1
    ) {
      if (!meter.step()) return;
      const node = at(adjacency.nodes, position);
      if (node === last || node === start || !follows(ways, adjacency, position)) continue;
      last = node;
      if (edgeTo(before, start, node) !== null) continue;
      if (!meter.visit() || !found(node)) return;
    }
  }
}
