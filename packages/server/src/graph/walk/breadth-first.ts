import type { Meter } from "./budget.ts";
import type { Levels } from "./levels.ts";
import { eachStep, type Ways } from "./ways.ts";

/**
 * Walks from a node level by level and gives `found` every other node when it is first reached, its level set in
 * `levels`; by then all nearer nodes have theirs. Ends at the depth, at the budget, or where `found` returns false.
 */
export function breadthFirst(
  walk: { ways: Ways; start: number; depth: number; levels: Levels; meter: Meter },
  found: (node: number) => boolean,
): void {
  const { ways, start, depth, levels, meter } = walk;
  levels.begin();
  if (!meter.visit()) return;
  levels.set(start, 0);
  let frontier = [start];
  for (let level = 1; level <= depth && frontier.length > 0; level += 1) {
    const next: number[] = [];
    const take = (node: number): boolean => {
      if (levels.of(node) >= 0) return true;
      if (!meter.visit()) return false;
      levels.set(node, level);
      next.push(node);
      return found(node);
    };
    for (const node of frontier) if (!eachStep(ways, node, meter, take)) return;
    frontier = next;
  }
}
