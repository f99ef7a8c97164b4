import { unitAt } from "../columns.ts";

/** How the pages of a map are divided: regions of the first level, and in large ones those of the second. */
export interface Regions {
  /** The region that each one is in; `noRegion` on the first level. Those of the first level come first. */
  readonly parents: Uint16Array;
  /** The innermost region of each page, by its position in preorder. */
  readonly homes: Uint16Array;
}

export const noRegion = 0xffff;

/** The number of regions of the first level. */
export function topCount({ parents }: Pick<Regions, "parents">): number {
  let count = 0;
  while (count < parents.length && unitAt(parents, count) === noRegion) count += 1;
  return count;
}

/** The region of the first level that a region is in, or is. */
export function topOf({ parents }: Pick<Regions, "parents">, region: number): number {
  const parent = unitAt(parents, region);
  return parent === noRegion ? region : parent;
}

/** The pages of each region, those in its own regions included. */
export function pageCounts({ parents, homes }: Regions): Uint32Array {
  const counts = new Uint32Array(parents.length);
  const add = (region: number) => {
    counts[region] = (counts[region] ?? 0) + 1;
  };
  for (const home of homes) {
    add(home);
    const parent = unitAt(parents, home);
    if (parent !== noRegion) add(parent);
  }
  return counts;
}

/** The regions that are directly in each one, and those of the first level last. */
export function childRegions({ parents }: Pick<Regions, "parents">): readonly (readonly number[])[] {
  const children = Array.from({ length: parents.length + 1 }, (): number[] => []);
  parents.forEach((parent, region) => {
    children[parent === noRegion ? parents.length : parent]?.push(region);
  });
  return children;
}
