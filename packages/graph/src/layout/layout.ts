import { at, byteAt, floatAt } from "../columns.ts";
import { candidateX, candidateY } from "./candidates.ts";
import { DiscGrid } from "./disc-grid.ts";
import { arrangementOf, classCount, nearestInLattice, sizeClassOf } from "./large-children.ts";
import { hasChildren, type PreorderTree, sizeOf } from "./preorder-tree.ts";

/** A disc for each page, within the disc of its parent. That of the whole workspace has radius 1 around (0, 0). */
export interface Layout {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly radii: Float64Array;
  /** 1 for pages with large children, which push them from the middle of their discs onto the rim. */
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

/** The number of positions that are tried. If none is free, the disc shrinks. */
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
export function layoutOf(tree: PreorderTree): Layout {
  const { pageCount, children, starts } = tree;
  const layout: Layout = {
    xs: new Float64Array(pageCount),
    ys: new Float64Array(pageCount),
    radii: new Float64Array(pageCount),
    onRim: new Uint8Array(pageCount),
  };
  const { xs, ys, radii, onRim } = layout;
  const placement = new Placement(tree, layout);
  const placeFamily = (parent: number, x: number, y: number, radius: number): boolean => {
    const [from, to] = [at(starts, parent), at(starts, parent + 1)];
    if (from === to) return false;
    const hasLarge = placement.place(from, to);
    for (let index = from; index < to; index += 1) {
      const child = at(children, index);
      xs[child] = x + floatAt(xs, child) * radius;
      ys[child] = y + floatAt(ys, child) * radius;
      radii[child] = floatAt(radii, child) * radius;
    }
    return hasLarge;
  };
  placeFamily(pageCount, 0, 0, 1);
  for (let page = 0; page < pageCount; page += 1)
    onRim[page] = Number(placeFamily(page, floatAt(xs, page), floatAt(ys, page), floatAt(radii, page)));
  return layout;
}

/** The height of a page itself: in the middle of its disc, or on the rim. */
export const ownY = ({ ys, radii, onRim }: Layout, page: number): number =>
  floatAt(ys, page) - byteAt(onRim, page) * placeOnRim * floatAt(radii, page);

/** The radius of the room that a page itself has in its disc. */
export function ownRadius(tree: PreorderTree, { radii, onRim }: Layout, page: number): number {
  if (!hasChildren(tree, page)) return floatAt(radii, page);
  return (
    floatAt(radii, page) * (byteAt(onRim, page) === 1 ? (rimRadius - coreRadius) / 2 : middleRadius * 0.7)
  );
}

/** Places the children of one page after the other, in a disc of radius 1 around (0, 0). */
class Placement {
  readonly #tree: PreorderTree;
  readonly #layout: Layout;
  readonly #classes: Uint8Array;
  /** The discs of each size class that have their places. */
  readonly #grids = Array.from({ length: classCount }, () => new DiscGrid());
  readonly #counts = new Uint32Array(classCount);

  constructor(tree: PreorderTree, layout: Layout) {
    this.#tree = tree;
    this.#layout = layout;
    this.#classes = new Uint8Array(tree.pageCount).map((_, page) => sizeClassOf(sizeOf(tree, page)));
  }

  /** Places a range of `children`. Returns whether large ones are among them. */
  place(from: number, to: number): boolean {
    const counts = this.#counts.fill(0);
    for (let index = from; index < to; index += 1) {
      const sizeClass = this.#classAt(index);
      counts[sizeClass] = at(counts, sizeClass) + 1;
    }
    const hasLarge = at(counts, 0) < to - from;
    if (hasLarge) this.#placeLarge(from, to, counts);
    if (at(counts, 0) > 0) this.#placeSmall(from, to, at(counts, 0), hasLarge);
    return hasLarge;
  }

  /** The size class of a child. */
  #classAt(index: number): number {
    return byteAt(this.#classes, at(this.#tree.children, index));
  }

  #placeLarge(from: number, to: number, counts: Uint32Array): void {
    const { span, offset } = arrangementOf(counts);
    const larger: DiscGrid[] = [];
    for (let sizeClass = classCount - 1; sizeClass > 0; sizeClass -= 1) {
      if (at(counts, sizeClass) === 0) continue;
      const grid = this.#gridOf(sizeClass);
      grid.reset(at(counts, sizeClass), (coreRadius / span) * 2 ** (sizeClass - 1));
      larger.push(grid);
      const fit: Fit = (x, y, room) => {
        const [nearX, nearY] = nearestInLattice(x, y, 2 * room, offset);
        const distance = Math.sqrt(nearX * nearX + nearY * nearY);
        if (distance > coreRadius - room + tolerance) return null;
        return larger.every((each) => each.isFree(nearX, nearY, room - tolerance)) ? [nearX, nearY] : null;
      };
      for (let index = from; index < to; index += 1) {
        if (this.#classAt(index) === sizeClass) this.#settle(at(this.#tree.children, index), grid, fit);
      }
    }
  }

  #placeSmall(from: number, to: number, count: number, hasLarge: boolean): void {
    const inner = hasLarge ? coreRadius : middleRadius;
    const grid = this.#gridOf(0);
    grid.reset(count + 1, radiusOfSmall(count, inner));
    if (hasLarge) grid.add(0, -placeOnRim);
    const fit: Fit = (x, y, room) => {
      // On a lattice, discs of one size share no room unless they want the same point.
      const [nearX, nearY] = nearestInLattice(x, y, 2 * room, 0);
      const distance = Math.sqrt(nearX * nearX + nearY * nearY);
      const isWithin = distance >= inner + room && distance <= rimRadius - room;
      return isWithin && grid.isFree(nearX, nearY, room - tolerance) ? [nearX, nearY] : null;
    };
    for (let index = from; index < to; index += 1) {
      if (this.#classAt(index) === 0) this.#settle(at(this.#tree.children, index), grid, fit);
    }
  }

  #gridOf(sizeClass: number): DiscGrid {
    // There is one for each size class.
    return this.#grids[sizeClass] as DiscGrid;
  }

  /** Tries one candidate after the other. */
  #settle(child: number, grid: DiscGrid, fit: Fit): void {
    const seed = at(this.#tree.seeds, child);
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

/** The place that a candidate leads to; null if it is not free. */
type Fit = (x: number, y: number, room: number) => readonly [x: number, y: number] | null;

function radiusOfSmall(count: number, inner: number): number {
  let radius = maxSmall;
  while (rimRadius - inner < 2 * radius || count * radius * radius > maxCover * roomFor(radius, inner))
    radius /= 2;
  return radius;
}

/** The area in which the middle of a disc of this radius can be, as the square of a radius. */
const roomFor = (radius: number, inner: number) =>
  (rimRadius - radius) * (rimRadius - radius) - (inner + radius) * (inner + radius);
