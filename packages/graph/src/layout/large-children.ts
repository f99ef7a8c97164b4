import { at } from "../columns.ts";

/**
 * Pages have a size class by how many pages they and everything below them are: class 0 (small) up to 128, class 1 up to 1 024,
 * then eight times as many for each further class. Within a class, a page that grows changes nothing around it. The first
 * class is wide, because most pages that are moved or added are few beside it.
 */
export function sizeClassOf(pages: number): number {
  let sizeClass = 0;
  while (sizeClass < classCount - 1 && pages > largestOfClass(sizeClass)) sizeClass += 1;
  return sizeClass;
}

export const classCount = 7;

/** The largest number of pages in the subtree of a page of this class. */
export const largestOfClass = (sizeClass: number): number => 128 << (3 * sizeClass);

/** The arrangement of a page's large children around the middle of its disc, at points of a hexagonal lattice. */
export interface Arrangement {
  /** The radius of the zone where that of class 1 is 1. Each further class has twice the radius. */
  readonly span: number;
  /** The origin of the lattice, in multiples of its spacing. */
  readonly offset: number;
}

/** From a point of the lattice to the middle of three: a third of the square root of 3. */
const toMiddle = 0.5773502691896257;

/**
 * Discs of one size fit exactly into these: three; one and six around it; three and nine; one, six and twelve; and so on.
 * From one to the next there is room for about twice as many.
 */
const arrangements: readonly Arrangement[] = [
  { span: 2.1547005383792515, offset: toMiddle },
  { span: 3, offset: 0 },
  { span: 4.055050463303893, offset: toMiddle },
  { span: 5, offset: 0 },
  ...(function* () {
    for (let rings = 3; rings < 2 ** 20; rings += Math.ceil(rings / 3))
      yield { span: 2 * rings + 1, offset: 0 };
  })(),
];

/** The largest share of their zone's area that large children take, as the squares of their radii. */
const maxTaken = 0.53;

/** The arrangement for `counts` children of each class. */
export function arrangementOf(counts: Uint32Array): Arrangement {
  let [taken, largest] = [0, 1];
  for (let sizeClass = 1; sizeClass < classCount; sizeClass += 1) {
    const radius = 2 ** (sizeClass - 1);
    taken += at(counts, sizeClass) * radius * radius;
    if (at(counts, sizeClass) > 0) largest = radius;
  }
  // A single one takes all of the zone.
  if (taken === largest * largest) return { span: largest, offset: 0 };
  const fits = ({ span }: Arrangement) => span >= 2.15 * largest && taken <= maxTaken * span * span;
  // The last one is for more nodes than a graph can have.
  return arrangements.find(fits) as Arrangement;
}

/** Of a hexagonal lattice, in multiples of its spacing: half the square root of 3. */
const rowDistance = 0.8660254037844386;

/** The point of a lattice that is nearest to a point. */
export function nearestInLattice(
  x: number,
  y: number,
  spacing: number,
  offset: number,
): readonly [x: number, y: number] {
  const shift = offset * spacing;
  const row = (y - shift) / (spacing * rowDistance);
  const column = x / spacing - row / 2;
  let [nearRow, nearColumn] = [Math.round(row), Math.round(column)];
  // The third coordinate of hexagons; the one that was rounded most follows from the others.
  const third = Math.round(-row - column);
  if (nearRow + nearColumn + third !== 0) {
    const [ofRow, ofColumn] = [Math.abs(nearRow - row), Math.abs(nearColumn - column)];
    const ofThird = Math.abs(third + row + column);
    if (ofRow > ofColumn && ofRow > ofThird) nearRow = -nearColumn - third;
    else if (ofColumn > ofThird) nearColumn = -nearRow - third;
  }
  return [(nearColumn + nearRow / 2) * spacing, nearRow * spacing * rowDistance + shift];
}
