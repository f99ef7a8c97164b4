import { mapFormat, nodeTypes } from "@clew/contract/vocabulary";
import { at, byteAt, floatAt, narrowAt, unitAt } from "../columns.ts";
import type { GraphColumns } from "../graph.ts";
import { maxImportance } from "../importance.ts";
import { noParent } from "../node-columns.ts";
import { sortByFloats } from "../radix-sort.ts";
import type { TreeColumns } from "../tree.ts";
import { mixed, seedOf } from "./candidates.ts";
import { type Layout, layoutOf, ownRadius, treeParents } from "./layout.ts";
import { mapWidth, Places } from "./places.ts";

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
  const layout = layoutOf(columns);
  const discs = largestDiscs(columns, layout);
  const nodeCount = columns.tree.order.length;
  const start = headerBytes + discs.length * discBytes;
  const bytes = new Uint8Array(new SharedArrayBuffer(start + nodeCount * nodeBytes));
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < magic.length; index += 1) view.setUint8(index, magic.charCodeAt(index));
  view.setUint16(4, formatVersion, true);
  view.setUint16(6, discBytes, true);
  view.setUint32(8, nodeCount, true);
  view.setUint32(12, discs.length, true);
  view.setUint32(16, start, true);
  view.setFloat64(24, graphVersion, true);
  for (const [index, node] of discs.entries())
    writeDisc(view, headerBytes + index * discBytes, columns, layout, node);
  writeNodes(view, start, columns, layout);
  return bytes;
}

/** The pages with the largest discs among those that have something in them, larger ones first. */
function largestDiscs({ tree }: GraphColumns, { radii }: Layout): Uint32Array {
  const withChildren = tree.order.filter((node) => narrowAt(tree.childCounts, node) > 0).sort();
  const sizes = Float64Array.from(withChildren, (node) => floatAt(radii, node));
  const order = sortByFloats(
    withChildren.map((_, index) => index),
    sizes,
    "descending",
  );
  return order.slice(0, maxDiscs).map((index) => at(withChildren, index));
}

/** From -1 … 1 to 16 bits. */
const toUnits = (coordinate: number) => Math.round(((coordinate + 1) / 2) * mapWidth);

function writeDisc(
  view: DataView,
  offset: number,
  { tree }: GraphColumns,
  { xs, ys, radii }: Layout,
  node: number,
): void {
  view.setUint32(offset, at(tree.positions, node), true);
  view.setUint32(offset + 4, at(tree.ends, node), true);
  view.setUint16(offset + 8, toUnits(floatAt(xs, node)), true);
  view.setUint16(offset + 10, toUnits(floatAt(ys, node)), true);
  view.setUint16(offset + 12, Math.round((floatAt(radii, node) * mapWidth) / 2), true);
}

function writeNodes(view: DataView, start: number, columns: GraphColumns, layout: Layout): void {
  const { tree, importance } = columns;
  const colours = coloursOf(columns);
  const places = new Places(columns, layout);
  const { order } = tree;
  for (let position = 0; position < order.length; position += 1) {
    const node = at(order, position);
    const offset = start + position * nodeBytes;
    const room = ownRadius(layout, node, narrowAt(tree.childCounts, node) > 0);
    const share = leastShare + ((1 - leastShare) * unitAt(importance, node)) / maxImportance;
    const [x, y] = places.of(node);
    view.setUint16(offset, toUnits(x), true);
    view.setUint16(offset + 2, toUnits(y), true);
    view.setUint8(offset + 4, sizeOf((room * share * mapWidth) / 2));
    view.setUint8(offset + 5, byteAt(colours, node));
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
function sizeOf(radius: number): number {
  let [low, high] = [0, 255];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (floatAt(radiusOfSizes, middle) <= radius) low = middle;
    else high = middle - 1;
  }
  return low;
}

const database = nodeTypes.indexOf("database");

/**
 * The colour of each node: that of the nearest database that it is in, itself included, otherwise that of its region.
 * Regions are the pages at the top; where one of them holds most of the workspace, what is directly in that one, and so on.
 */
function coloursOf(columns: GraphColumns): Uint8Array {
  const { ids, nodes, tree } = columns;
  const parents = treeParents(columns);
  const main = mainPages(tree);
  const colours = new Uint8Array(parents.length);
  for (const node of tree.order) {
    const parent = at(parents, node);
    const isRegion = parent === noParent || main.has(parent) || byteAt(nodes.types, node) === database;
    colours[node] = isRegion ? mixed(seedOf(ids, node)) & 0xff : byteAt(colours, parent);
  }
  return colours;
}

/** The page that holds most of the workspace, the page in it that holds most of that, and so on. */
function mainPages({ order, ends }: TreeColumns): Set<number> {
  const main = new Set<number>();
  let [position, end] = [0, order.length];
  let most = mostOf * end;
  while (position < end) {
    const node = at(order, position);
    const behind = at(ends, node);
    if (behind - position <= most) {
      position = behind;
      continue;
    }
    main.add(node);
    most = mostOf * (behind - position);
    [position, end] = [position + 1, behind];
  }
  return main;
}

const mostOf = 0.75;
