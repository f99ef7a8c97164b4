import type { Random } from "@clew/stand-in/testing/random";
import { cell } from "./cell.ts";
import { below, shuffle, weighted } from "./random.ts";

/** The parent of a page at the top. */
export const noParent = -1;

/** Shares of the pages at each depth of the tree. */
const levels = [0.002, 0.012, 0.06, 0.2, 0.3, 0.22, 0.13, 0.06, 0.016];

/**
 * Gives every page a parent one level above. Pages with room for more edges get more children, so large databases contain
 * most rows. Subtracts the child edges from `room`.
 */
export function growTree(random: Random, room: Uint32Array): Int32Array {
  const parents = new Int32Array(room.length).fill(noParent);
  const byLevel = intoLevels(random, room.length);
  byLevel.slice(1).forEach((pages, index) => {
    const above = byLevel[index] ?? new Uint32Array();
    const slots = shuffle(random, slotsOf(above, room));
    pages.forEach((page, place) => {
      const parent = slots[place] ?? cell(above, below(random, above.length));
      parents[page] = parent;
      take(room, parent);
      take(room, page);
    });
  });
  return parents;
}

function intoLevels(random: Random, size: number): Uint32Array[] {
  const drawn = Uint8Array.from({ length: size }, () => weighted(random, levels));
  const pages = levels.map((): number[] => []);
  drawn.forEach((level, page) => {
    pages[level]?.push(page);
  });
  // A small workspace may leave levels empty: they are dropped.
  return pages.filter(({ length }) => length > 0).map((level) => Uint32Array.from(level));
}

/** Each page once for every child that it has room for. Two edges of each page are reserved for references. */
function slotsOf(pages: Uint32Array, room: Uint32Array): Uint32Array {
  const slots: number[] = [];
  for (const page of pages) for (let left = cell(room, page); left > 2; left -= 1) slots.push(page);
  return Uint32Array.from(slots);
}

function take(room: Uint32Array, page: number): void {
  room[page] = Math.max(0, cell(room, page) - 1);
}
