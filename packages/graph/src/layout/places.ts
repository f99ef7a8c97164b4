import { at, floatAt } from "../columns.ts";
import { candidateX, candidateY } from "./candidates.ts";
import { classCount, largestOfClass, sizeClassOf } from "./large-children.ts";
import { type Layout, ownY } from "./layout.ts";
import { type PreorderTree, sizeOf } from "./preorder-tree.ts";

/** The width and height of a map, in its units. */
export const mapWidth = 0xffff;

/** A page whose disc is smaller has no place of its own in the discs: 2 units. */
const leastDisc = (2 * 2) / mapWidth;

/** The least radius of a disc, by size class, in which each page of the class has two square units. */
const leastAnchor = Float64Array.from(
  { length: classCount },
  (_, sizeClass) => (2 * Math.sqrt(2 * largestOfClass(sizeClass))) / mapWidth,
);

/**
 * The position of each page on the map, from -1 to 1. The discs of deep trees become smaller than the map can tell apart.
 * Their pages are scattered over the nearest disc around them that has room for all, each at a point that follows from its
 * id.
 */
export class Places {
  readonly #tree: PreorderTree;
  readonly #layout: Layout;
  /** The nearest disc around each page with room for all its pages; `pageCount` for the whole map. */
  readonly #anchors: Uint32Array;

  constructor(tree: PreorderTree, layout: Layout) {
    this.#tree = tree;
    this.#layout = layout;
    const { pageCount, parents } = tree;
    this.#anchors = new Uint32Array(pageCount + 1).fill(pageCount);
    for (let page = 0; page < pageCount; page += 1) {
      const least = floatAt(leastAnchor, sizeClassOf(sizeOf(tree, page)));
      const hasRoom = floatAt(layout.radii, page) >= least;
      this.#anchors[page] = hasRoom ? page : at(this.#anchors, at(parents, page));
    }
  }

  of(page: number): readonly [x: number, y: number] {
    const { xs, ys, radii } = this.#layout;
    if (floatAt(radii, page) >= leastDisc) return [floatAt(xs, page), ownY(this.#layout, page)];
    const [x, y] = pointInDisc(at(this.#tree.seeds, page));
    const anchor = at(this.#anchors, page);
    if (anchor === this.#tree.pageCount) return [x, y];
    const radius = floatAt(radii, anchor);
    return [floatAt(xs, anchor) + x * radius, floatAt(ys, anchor) + y * radius];
  }
}

/** The first candidate that lies within the unit disc. */
function pointInDisc(seed: number): readonly [x: number, y: number] {
  for (let n = 1; ; n += 1) {
    const [x, y] = [candidateX(seed, n), candidateY(seed, n)];
    if (x * x + y * y <= 1) return [x, y];
  }
}
