import { at, floatAt } from "../columns.ts";
import type { GraphColumns } from "../graph.ts";
import { noParent } from "../node-columns.ts";
import { candidateX, candidateY, seedOf } from "./candidates.ts";
import { classCount, largestOfClass, sizeClassOf } from "./large-children.ts";
import { type Layout, ownY, treeParents } from "./layout.ts";

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
 * Where each node is on the map, from -1 to 1. The discs of deep trees become smaller than the map can tell apart. What would
 * be in these is scattered over the nearest disc around it that has room for all its pages, each at a point that follows
 * from its id.
 */
export class Places {
  readonly #columns: GraphColumns;
  readonly #layout: Layout;
  /** The nearest disc around each node with room for all its pages; `noParent` for the whole map. */
  readonly #anchors: Uint32Array;

  constructor(columns: GraphColumns, layout: Layout) {
    this.#columns = columns;
    this.#layout = layout;
    const { order, positions, ends } = columns.tree;
    const parents = treeParents(columns);
    this.#anchors = new Uint32Array(order.length).fill(noParent);
    for (const node of order) {
      const least = floatAt(leastAnchor, sizeClassOf(at(ends, node) - at(positions, node)));
      const parent = at(parents, node);
      if (floatAt(layout.radii, node) >= least) this.#anchors[node] = node;
      else if (parent !== noParent) this.#anchors[node] = at(this.#anchors, parent);
    }
  }

  of(node: number): readonly [x: number, y: number] {
    const { xs, ys, radii } = this.#layout;
    if (floatAt(radii, node) >= leastDisc) return [floatAt(xs, node), ownY(this.#layout, node)];
    const [x, y] = pointInDisc(seedOf(this.#columns.ids, node));
    const anchor = at(this.#anchors, node);
    if (anchor === noParent) return [x, y];
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
