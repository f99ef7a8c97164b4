import { type EdgeFilter, eachStep } from "./edge-filter.ts";
import type { VisitedSet } from "./visited-set.ts";
import type { WalkBudget } from "./walk-budget.ts";

/**
 * Walks from a node level by level and gives `found` every other node when it is first reached, its level known to
 * `reach`; by then all nearer nodes have theirs. Ends at the depth, at the budget, or where `found` returns false.
 */
export function breadthFirst(
  walk: { filter: EdgeFilter; start: number; depth: number; visited: VisitedSet; budget: WalkBudget },
  found: (node: number) => boolean,
): void {
  const { filter, start, depth, visited, budget } = walk;
  visited.begin();
  if (!budget.visit()) return;
  visited.add(start);
  const take = (node: number): boolean => {
    if (visited.isBehind(node)) return true;
    if (!budget.visit()) return false;
    visited.add(node);
    return found(node);
  };
  for (let level = 0; level < depth; level += 1) {
    const frontier = visited.nodesAt(level);
    if (frontier.length === 0) return;
    visited.beginLevel();
    for (const node of frontier) if (!eachStep(filter, node, budget, take)) return;
  }
}
