import { edgeTypes, mapFormat } from "@clew/contract/vocabulary";
import { firstIndex } from "@clew/text/basics";
import { at, byteAt, floatAt, narrowAt, unitAt } from "../columns.ts";
import type { GraphColumns } from "../graph.ts";
import { maxImportance } from "../importance.ts";
import type { Circles } from "./arrangement.ts";
import { palettesOf } from "./colours.ts";
import { folderRegionsOf } from "./folder-regions.ts";
import { type FormerMap, keyOf, mixed, readFormer, remembered, writeFormer } from "./former-map.ts";
import { type LinkRegions, linkRegionsOf } from "./link-regions.ts";
import { bringNearer } from "./linked-near.ts";
import { type Bundle, writeMap } from "./map-file.ts";
import { preorderTreeOf } from "./preorder-tree.ts";
import { circlesOf, mapWidth, type StartingCircles } from "./region-circles.ts";
import { namesOf, titleOf } from "./region-names.ts";
import { noRegion, pageCounts, type Regions, topCount, topOf } from "./regions.ts";
import { hashedSlots, keptSlots, numberedSlots, placeOf, roomFor, type Slots, slotTurns } from "./slots.ts";
import { aggregated, pageGraphOf, treeGraphOf } from "./weighted-graph.ts";

/**
 * The map of a graph by folders (GRAPH-30), as `writeMap` writes it. It follows from the graph alone: the same graph gives the same
 * bytes. No link shows in it.
 */
export function folderMapOf(columns: GraphColumns, graphVersion: number): Uint8Array {
  const tree = preorderTreeOf(columns);
  const graph = treeGraphOf(tree);
  const regions = folderRegionsOf(tree, graph);
  const keys = pageKeysOf(columns);
  const counts = pageCounts(regions);
  // Regions have room in steps, so that a few more pages move none.
  const sizes = { pages: counts, room: counts.map(roomFor) };
  const folderKeys = Uint32Array.from(regions.folders, (folder) => keys[folder] ?? 0);
  const between = aggregated(graph, Uint32Array.from(regions.homes), regions.parents.length);
  const circles = circlesOf(between, regions, sizes, scattered(regions, folderKeys));
  const { order, positions } = columns.tree;
  const slots = hashedSlots(regions, {
    keys,
    byAge: columns.orders.created.map((node) => at(positions, node)),
    importance: Uint16Array.from(order, (node) => unitAt(columns.importance, node)),
  });
  return writeMap({
    graphVersion,
    isByLinks: false,
    regions,
    circles,
    pageCounts: counts,
    names: Array.from(regions.folders, (page) => ({ name: titleOf(columns, page), page })),
    bundles: [],
    palettes: palettesOf(columns, tree, regions),
    writePages: (view, start) => writePages(view, start, columns, regions, circles, slots),
  });
}

/** A map by links, and what the next one needs of it. */
export interface LinkMap {
  readonly map: Uint8Array;
  readonly state: Uint8Array;
}

/**
 * The map of a graph by links (GRAPH-30), as `writeMap` writes it. `before` is the state of the map before it: the same graph and
 * the same state give the same bytes.
 */
export function linkMapOf(columns: GraphColumns, graphVersion: number, before: Uint8Array | null): LinkMap {
  const tree = preorderTreeOf(columns);
  const graph = pageGraphOf(columns);
  const keys = pageKeysOf(columns);
  const former = before === null ? null : readFormer(before);
  const past = former === null ? null : { map: former, pages: remembered(former, keys) };
  const regions = linkRegionsOf(graph, past);
  const counts = pageCounts(regions);
  const sizes = { pages: counts, room: counts };
  const circles = circlesOf(regions.between, regions, sizes, startsOf(regions, former));
  const pageOrder = {
    ranks: columns.tree.order.map((node) => at(columns.ranks, node)),
    line: regions.line,
  };
  const slots =
    past !== null && regions.isKept
      ? keptSlots(regions, pageOrder, {
          ...past.pages,
          numberedFor: past.map.numberedFor,
          origins: regions.origins,
        })
      : numberedSlots(regions, pageOrder);
  if (!regions.isKept) bringNearer(graph, regions, circles, slots);
  const folders = folderRegionsOf(tree, treeGraphOf(tree));
  const map = writeMap({
    graphVersion,
    isByLinks: true,
    regions,
    circles,
    pageCounts: counts,
    names: namesOf(columns, tree, regions),
    bundles: bundlesOf(columns, regions),
    palettes: palettesOf(columns, tree, folders),
    writePages: (view, start) => writePages(view, start, columns, regions, circles, slots),
  });
  return { map, state: writeFormer(keys, regions, slots, circles) };
}

function pageKeysOf({ ids, tree }: GraphColumns): Uint32Array {
  return tree.order.map((node) => keyOf(ids, node));
}

/** Regions start at points that follow from their keys alone, so that a region that comes or goes moves others little. */
function scattered({ parents }: Regions, keys: Uint32Array): StartingCircles {
  const spread = (hash: number) => (hash / 2 ** 32 - 0.5) * mapWidth;
  const xs = new Float64Array(parents.length);
  const ys = new Float64Array(parents.length);
  parents.forEach((parent, region) => {
    const [middleX, middleY] =
      parent === noRegion ? [mapWidth / 2, mapWidth / 2] : [floatAt(xs, parent), floatAt(ys, parent)];
    const scale = parent === noRegion ? 0.6 : 0.1;
    xs[region] = middleX + spread(mixed(at(keys, region))) * scale;
    ys[region] = middleY + spread(mixed(~at(keys, region))) * scale;
  });
  return { xs, ys, radii: null, isScattered: true };
}

/** The circles of regions on the map before. */
function startsOf({ origins, isKept }: LinkRegions, former: FormerMap | null): StartingCircles {
  const from = (column: Float64Array | undefined) =>
    Float64Array.from(origins, (origin) => (origin < 0 ? Number.NaN : (column?.[origin] ?? Number.NaN)));
  const { xs, ys, radii } = former?.circles ?? {};
  return { xs: from(xs), ys: from(ys), radii: isKept ? from(radii) : null, isScattered: false };
}

const child = edgeTypes.indexOf("child");

/** The links between regions of the first level, most first. */
function bundlesOf({ out, labels, tree }: GraphColumns, regions: Regions): Bundle[] {
  const count = topCount(regions);
  const links = new Uint32Array(count * count);
  const tops = regions.homes.map((home) => topOf(regions, home));
  for (let node = 0; node < tops.length; node += 1) {
    const top = unitAt(tops, at(tree.positions, node));
    for (let edge = at(out.offsets, node); edge < at(out.offsets, node + 1); edge += 1) {
      if (byteAt(labels.types, narrowAt(out.labels, edge)) === child) continue;
      const other = unitAt(tops, at(tree.positions, at(out.nodes, edge)));
      const pair = Math.min(top, other) * count + Math.max(top, other);
      if (top !== other) links[pair] = at(links, pair) + 1;
    }
  }
  return [...links.keys()]
    .filter((pair) => at(links, pair) > 0)
    .sort((a, b) => at(links, b) - at(links, a) || a - b)
    .slice(0, mapFormat.maxBundles)
    .map((pair) => ({ from: Math.floor(pair / count), to: pair % count, links: at(links, pair) }));
}

/** The share of its room that the least important page fills. */
const leastShare = 0.4;

function writePages(
  view: DataView,
  start: number,
  columns: GraphColumns,
  { homes }: Regions,
  circles: Circles,
  slots: Slots,
): void {
  const { order } = columns.tree;
  const turns = slotTurns(slots);
  for (let page = 0; page < order.length; page += 1) {
    const offset = start + page * mapFormat.nodeBytes;
    const region = unitAt(homes, page);
    const { x, y, room } = placeOf(
      turns,
      at(slots.of, page),
      at(slots.counts, region),
      floatAt(circles.radii, region),
    );
    view.setUint16(offset, Math.round(floatAt(circles.xs, region) + x), true);
    view.setUint16(offset + 2, Math.round(floatAt(circles.ys, region) + y), true);
    const share =
      leastShare + ((1 - leastShare) * unitAt(columns.importance, at(order, page))) / maxImportance;
    view.setUint8(offset + 4, markSizeOf(room * share));
  }
}

/** The radius of each size. */
const radiusOfSizes = Float64Array.from({ length: 256 });
const perSize = 2 ** (1 / mapFormat.sizesPerDoubling);
radiusOfSizes.forEach((_, size) => {
  radiusOfSizes[size] = size === 0 ? mapFormat.smallestSize : floatAt(radiusOfSizes, size - 1) * perSize;
});

/** The largest size whose radius is not above this one, in units of the map. */
function markSizeOf(radius: number): number {
  return Math.max(
    0,
    firstIndex(1, radiusOfSizes.length, (size) => floatAt(radiusOfSizes, size) > radius) - 1,
  );
}
