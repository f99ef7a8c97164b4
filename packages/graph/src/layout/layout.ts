import { at, byteAt, floatAt, sortByKeys, startsOf } from "../columns.ts";
import type { GraphColumns } from "../graph.ts";
import { noParent } from "../node-columns.ts";
import { candidateX, candidateY, seedOf } from "./candidates.ts";
import { DiscGrid } from "./disc-grid.ts";
import { arrangementOf, classCount, nearestInLattice, sizeClassOf } from "./large-children.ts";

/** A disc for each node, within the disc of its parent. That of the whole workspace has radius 1 around (0, 0). */
export interface Layout {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly radii: Float64Array;
  /** 1 for nodes with large children, which push them from the middle of their discs onto the rim. */
  readonly onRim: Uint8Array;
}

/**
 * The zones of a disc, in shares of its radius. Large children are in the core. Small ones are in the rim, and so is the node
 * itself, at the top. Without large children the node is in the middle, and small ones are all around it.
 */
const coreRadius = 0.86;
const rimRadius = 0.99;
const middleRadius = 0.16;
const placeOnRim = (coreRadius + rimRadius) / 2;

/** The largest share of the points for small children that they take: nearly each finds its first place free. */
const maxCover = 0.05;

/** Eight children or fewer have this radius: few families change their scale when a page comes or goes. */
const maxSmall = 0.07;

/** The part of its room that a disc takes: the rest keeps it apart from its neighbours. */
const filled = 0.96;

/** Where none of so many places is free, a disc is made smaller. */
const attemptsPerSize = 48;

/** Far less than a pixel, and more than what sums are rounded by. */
const tolerance = 1e-9;

/**
 * Lays the tree of pages out as nested discs, in linear time (GRAPH-30). The place of a page in the disc of its parent
 * follows from its id: it is the first of its candidates (candidates.ts) that is free. Larger ones choose first, then older
 * ones. So a page that is moved, added or removed moves others only where
 *
 * - it takes or frees a place that a younger or smaller sibling wants as well;
 * - a page above it changes its size class, or a parent the scale of its children.
 */
export function layoutOf(columns: GraphColumns): Layout {
  const { order, children, starts, classes } = familiesOf(columns);
  const nodeCount = order.length;
  const layout: Layout = {
    xs: new Float64Array(nodeCount),
    ys: new Float64Array(nodeCount),
    radii: new Float64Array(nodeCount),
    onRim: new Uint8Array(nodeCount),
  };
  const { xs, ys, radii, onRim } = layout;
  const placement = new Placement(columns, classes, layout);
  const placeFamily = (parent: number, x: number, y: number, radius: number): boolean => {
    const family = children.subarray(at(starts, parent), at(starts, parent + 1));
    if (family.length === 0) return false;
    const hasLarge = placement.place(family);
    for (const child of family) {
      xs[child] = x + floatAt(xs, child) * radius;
      ys[child] = y + floatAt(ys, child) * radius;
      radii[child] = floatAt(radii, child) * radius;
    }
    return hasLarge;
  };
  placeFamily(nodeCount, 0, 0, 1);
  for (const node of order)
    onRim[node] = Number(placeFamily(node, floatAt(xs, node), floatAt(ys, node), floatAt(radii, node)));
  return layout;
}

/** Where a node itself is: in the middle of its disc, or on the rim. */
export const ownY = ({ ys, radii, onRim }: Layout, node: number): number =>
  floatAt(ys, node) - byteAt(onRim, node) * placeOnRim * floatAt(radii, node);

/** The radius of the room that a node itself has in its disc. */
export function ownRadius({ radii, onRim }: Layout, node: number, hasChildren: boolean): number {
  if (!hasChildren) return floatAt(radii, node);
  return (
    floatAt(radii, node) * (byteAt(onRim, node) === 1 ? (rimRadius - coreRadius) / 2 : middleRadius * 0.7)
  );
}

/** The parent of each node in the tree: the node that stands for the root of a cycle has none. */
export function treeParents({ nodes, tree }: GraphColumns): Uint32Array {
  const parents = nodes.parents.slice();
  for (const root of tree.cycleRoots) parents[root] = noParent;
  return parents;
}

/** The children of each node, oldest first; those at the top are in one more node. Parents come before children in `order`. */
function familiesOf(columns: GraphColumns) {
  const { tree, orders } = columns;
  const parents = treeParents(columns);
  const nodeCount = parents.length;
  const keys = orders.created.map((node) => Math.min(at(parents, node), nodeCount));
  const classes = new Uint8Array(nodeCount);
  for (let node = 0; node < nodeCount; node += 1)
    classes[node] = sizeClassOf(at(tree.ends, node) - at(tree.positions, node));
  return {
    order: tree.order,
    children: sortByKeys(orders.created, keys, nodeCount + 1),
    starts: startsOf(keys, nodeCount + 1),
    classes,
  };
}

/** Places the children of one node after the other, in a disc of radius 1 around (0, 0). */
class Placement {
  readonly #columns: GraphColumns;
  readonly #classes: Uint8Array;
  readonly #layout: Layout;
  /** The discs of each size class that have their places. */
  readonly #grids = Array.from({ length: classCount }, () => new DiscGrid());
  readonly #counts = new Uint32Array(classCount);

  constructor(columns: GraphColumns, classes: Uint8Array, layout: Layout) {
    this.#columns = columns;
    this.#classes = classes;
    this.#layout = layout;
  }

  /** Returns whether large ones are among them. */
  place(family: Uint32Array): boolean {
    const counts = this.#counts.fill(0);
    for (const child of family) {
      const sizeClass = byteAt(this.#classes, child);
      counts[sizeClass] = at(counts, sizeClass) + 1;
    }
    const hasLarge = at(counts, 0) < family.length;
    if (hasLarge) this.#placeLarge(family, counts);
    if (at(counts, 0) > 0) this.#placeSmall(family, at(counts, 0), hasLarge);
    return hasLarge;
  }

  #placeLarge(family: Uint32Array, counts: Uint32Array): void {
    const { span, offset } = arrangementOf(counts);
    const larger: DiscGrid[] = [];
    for (let sizeClass = classCount - 1; sizeClass > 0; sizeClass -= 1) {
      if (at(counts, sizeClass) === 0) continue;
      const grid = this.#gridOf(sizeClass);
      grid.reset(at(counts, sizeClass), (coreRadius / span) * 2 ** (sizeClass - 1));
      larger.push(grid);
      for (const child of family) {
        if (byteAt(this.#classes, child) !== sizeClass) continue;
        this.#settle(child, grid, (x, y, room) => {
          const [nearX, nearY] = nearestInLattice(x, y, 2 * room, offset);
          const distance = Math.sqrt(nearX * nearX + nearY * nearY);
          if (distance > coreRadius - room + tolerance) return null;
          return larger.every((each) => each.isFree(nearX, nearY, room - tolerance)) ? [nearX, nearY] : null;
        });
      }
    }
  }

  #placeSmall(family: Uint32Array, count: number, hasLarge: boolean): void {
    const inner = hasLarge ? coreRadius : middleRadius;
    const grid = this.#gridOf(0);
    grid.reset(count + 1, radiusOfSmall(count, inner));
    if (hasLarge) grid.add(0, -placeOnRim);
    for (const child of family) {
      if (byteAt(this.#classes, child) !== 0) continue;
      this.#settle(child, grid, (x, y, room) => {
        // On a lattice, discs of one size share no room unless they want the same point.
        const [nearX, nearY] = nearestInLattice(x, y, 2 * room, 0);
        const distance = Math.sqrt(nearX * nearX + nearY * nearY);
        const isWithin = distance >= inner + room && distance <= rimRadius - room;
        return isWithin && grid.isFree(nearX, nearY, room - tolerance) ? [nearX, nearY] : null;
      });
    }
  }

  #gridOf(sizeClass: number): DiscGrid {
    // There is one for each size class.
    return this.#grids[sizeClass] as DiscGrid;
  }

  /** Tries one candidate after the other. `fit` returns the place that a candidate leads to, null if it is not free. */
  #settle(
    child: number,
    grid: DiscGrid,
    fit: (x: number, y: number, room: number) => readonly [x: number, y: number] | null,
  ): void {
    const seed = seedOf(this.#columns.ids, child);
    let room = grid.radius;
    for (let attempt = 1; ; attempt += 1) {
      const found = fit(candidateX(seed, attempt), candidateY(seed, attempt), room);
      if (found !== null) {
        const [x, y] = found;
        grid.add(x, y);
        this.#layout.xs[child] = x;
        this.#layout.ys[child] = y;
        this.#layout.radii[child] = room * filled;
        return;
      }
      if (attempt % attemptsPerSize === 0) room /= 2;
    }
  }
}

function radiusOfSmall(count: number, inner: number): number {
  let radius = maxSmall;
  while (rimRadius - inner < 2 * radius || count * radius * radius > maxCover * roomFor(radius, inner))
    radius /= 2;
  return radius;
}

/** Where the middle of a disc of this radius can be: an area, as the square of a radius. */
const roomFor = (radius: number, inner: number) =>
  (rimRadius - radius) * (rimRadius - radius) - (inner + radius) * (inner + radius);
