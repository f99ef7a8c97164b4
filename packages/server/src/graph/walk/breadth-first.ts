import type { Meter } from "./budget.ts";
import type { Reach } from "./reach.ts";
import { eachStep, type Ways } from "./ways.ts";

/**
 * Walks from a node level by level and gives `found` every other node when it is first reached, its level known to
 * `reach`; by then all nearer nodes have theirs. Ends at the depth, at the budget, or where `found` returns false.
 */
export function breadthFirst(
  walk: { ways: Ways; start: number; depth: number; reach: Reach; meter: Meter },
  found: (node: number) => boolean,
): void {
  const { ways, start, depth, reach, meter } = walk;
  reach.begin();
  if (!meter.visit()) return;
  reach.add(start);
  const take = (node: number): boolean => {
    if (reach.isBehind(node)) return true;
    if (!meter.visit()) return false;
    reach.add(node);
    return found(node);
  };
  for (let level = 0; level < depth; level += 1) {
    const frontier = reach.nodesAt(level);
    if (frontier.length === 0) return;
    reach.beginLevel();
    for (const node of frontier) if (!eachStep(ways, node, meter, take)) return;
  }
}
