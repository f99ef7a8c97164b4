import { mapFormat, nodeTypes } from "@clew/contract/vocabulary";
import { firstIndex } from "@clew/text/basics";
import { at, byteAt, floatAt, unitAt } from "../columns.ts";
import type { GraphColumns } from "../graph.ts";
import { maxImportance } from "../importance.ts";
import { mixed } from "./candidates.ts";
import { type Layout, layoutOf, ownRadius } from "./layout.ts";
import { mapWidth, Places } from "./places.ts";
import { hasChildren, type PreorderTree, preorderTreeOf, sizeOf } from "./preorder-tree.ts";

const {
  magic,
  version: formatVersion,
  headerBytes,
  discBytes,
  nodeBytes,
  maxDiscs,
  sizesPerDoubling,
  smallestSize,
} = mapFormat;

/**
 * The map of a graph, in the format that the contract describes (GRAPH-30), in memory that threads can share. The same graph
 * gives the same bytes.
 */
export function mapOf(columns: GraphColumns, graphVersion: number): Uint8Array {
  const tree = preorderTreeOf(columns);
  const layout = layoutOf(tree);
  const discs = largestDiscs(columns, tree, layout);
  const start = headerBytes + discs.length * discBytes;
  const bytes = new Uint8Array(new SharedArrayBuffer(start + tree.pageCount * nodeBytes));
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < magic.length; index += 1) view.setUint8(index, magic.charCodeAt(index));
  view.setUint16(4, formatVersion, true);
  view.setUint16(6, discBytes, true);
  view.setUint32(8, tree.pageCount, true);
  view.setUint32(12, discs.length, true);
  view.setUint32(16, start, true);
  view.setFloat64(24, graphVersion, true);
  for (const [index, page] of discs.entries())
    writeDisc(view, headerBytes + index * discBytes, tree, layout, page);
  writePages(view, start, columns, tree, layout);
  return bytes;
}

/** The pages with the largest discs among those that have something in them, larger ones first, then by id. */
function largestDiscs(columns: GraphColumns, tree: PreorderTree, { radii }: Layout): readonly number[] {
  const { order } = columns.tree;
  const withChildren = order.map((_, page) => page).filter((page) => hasChildren(tree, page));
  const sizes = Float64Array.from(withChildren, (page) => floatAt(radii, page)).sort();
  const least = sizes.length > maxDiscs ? floatAt(sizes, sizes.length - maxDiscs) : 0;
  return [...withChildren.filter((page) => floatAt(radii, page) >= least)]
    .sort((a, b) => floatAt(radii, b) - floatAt(radii, a) || at(order, a) - at(order, b))
    .slice(0, maxDiscs);
}

/** From -1 … 1 to 16 bits. */
const toUnits = (coordinate: number) => Math.round(((coordinate + 1) / 2) * mapWidth);

function writeDisc(
  view: DataView,
  offset: number,
  { ends }: PreorderTree,
  { xs, ys, radii }: Layout,
  page: number,
): void {
  view.setUint32(offset, page, true);
  view.setUint32(offset + 4, at(ends, page), true);
  view.setUint16(offset + 8, toUnits(floatAt(xs, page)), true);
  view.setUint16(offset + 10, toUnits(floatAt(ys, page)), true);
  view.setUint16(offset + 12, Math.round((floatAt(radii, page) * mapWidth) / 2), true);
}

function writePages(
  view: DataView,
  start: number,
  columns: GraphColumns,
  tree: PreorderTree,
  layout: Layout,
): void {
  const { importance } = columns;
  const { order } = columns.tree;
  const colours = coloursOf(columns, tree);
  const places = new Places(tree, layout);
  for (let page = 0; page < tree.pageCount; page += 1) {
    const offset = start + page * nodeBytes;
    const room = ownRadius(tree, layout, page);
    const share = leastShare + ((1 - leastShare) * unitAt(importance, at(order, page))) / maxImportance;
    const [x, y] = places.of(page);
    view.setUint16(offset, toUnits(x), true);
    view.setUint16(offset + 2, toUnits(y), true);
    view.setUint8(offset + 4, markSizeOf((room * share * mapWidth) / 2));
    view.setUint8(offset + 5, byteAt(colours, page));
  }
}

/** The share of its room that the least important page fills. */
const leastShare = 0.4;

/** The radius of each size. */
const radiusOfSizes = Float64Array.from({ length: 256 });
const perSize = 2 ** (1 / sizesPerDoubling);
radiusOfSizes.forEach((_, size) => {
  radiusOfSizes[size] = size === 0 ? smallestSize : floatAt(radiusOfSizes, size - 1) * perSize;
});

/** The largest size whose radius is not above this one, in units of the map. */
function markSizeOf(radius: number): number {
  return firstIndex(1, radiusOfSizes.length, (size) => floatAt(radiusOfSizes, size) > radius) - 1;
}

const database = nodeTypes.indexOf("database");

/**
 * The colour of each page: that of the nearest database that it is in, itself included, otherwise that of its region.
 * Regions are the pages at the top; if one of them holds most of the workspace, the pages directly in that one, and so on.
 */
function coloursOf(columns: GraphColumns, tree: PreorderTree): Uint8Array {
  const { pageCount, parents, seeds } = tree;
  const { order } = columns.tree;
  const containers = mainPages(tree).add(pageCount);
  const colours = new Uint8Array(pageCount);
  for (let page = 0; page < pageCount; page += 1) {
    const parent = at(parents, page);
    const isRegion = containers.has(parent) || byteAt(columns.nodes.types, at(order, page)) === database;
    colours[page] = isRegion ? mixed(at(seeds, page)) & 0xff : byteAt(colours, parent);
  }
  return colours;
}

/** A page that holds more than this share of what it is in holds most of it. */
const mainShare = 0.75;

/** The page that holds most of the workspace, the page in it that holds most of that, and so on. */
function mainPages(tree: PreorderTree): Set<number> {
  const main = new Set<number>();
  let [page, end] = [0, tree.pageCount];
  let most = mainShare * end;
  while (page < end) {
    const size = sizeOf(tree, page);
    if (size <= most) {
      page += size;
      continue;
    }
    main.add(page);
    most = mainShare * size;
    [page, end] = [page + 1, page + size];
  }
  return main;
}
