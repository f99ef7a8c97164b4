import type { Outline, Planned } from "./outline.ts";
import type { Random } from "./random.ts";

/** Chooses what a page links to: mostly what lies near, now and then anything, and hubs that everybody knows. */
export type ChooseTarget = (from: Planned) => Planned;

/** Prepares the choice. */
export function chooseTargets(random: Random, { pages, rows, databases }: Outline): ChooseTarget {
  const all = [...pages, ...rows, ...databases];
  const places = new Map(all.map((one, index) => [one, index]));
  const hubs = Array.from({ length: Math.max(1, Math.round(all.length / 500)) }, () => random.pick(pages));
  return (from) => {
    const kind = random.next();
    // The first hub is the greatest, the next half as great (Zipf's law).
    if (kind < 0.08) return hubs[Math.floor(hubs.length ** random.next()) - 1] ?? random.pick(hubs);
    if (kind < 0.4) return random.pick(all);
    const near = (places.get(from) ?? 0) + random.whole(-25, 25);
    return all[near] ?? random.pick(all);
  };
}
