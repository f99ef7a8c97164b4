import { edgeTypes } from "@clew/contract/vocabulary";
import { at, byteAt, narrowAt } from "../columns.ts";
import type { Graph, GraphColumns } from "../graph.ts";
import type { ReadMap, ReadRegion } from "./read-map.ts";

/** The side of the squares in which a picture is looked at, in pixels. */
const cellSide = 32;

const topsOf = ({ regions }: ReadMap): readonly ReadRegion[] => regions.filter(({ level }) => level === 1);

/**
 * The shares of a picture's cells that are outside every region of the first level, the map being as large as the picture
 * allows: `whole` cells that no region touches, and cells whose `middle` is in none.
 */
export function emptyShares(map: ReadMap, width: number, height: number): { whole: number; middle: number } {
  const tops = topsOf(map);
  const left = Math.min(...tops.map(({ x, radius }) => x - radius));
  const right = Math.max(...tops.map(({ x, radius }) => x + radius));
  const top = Math.min(...tops.map(({ y, radius }) => y - radius));
  const bottom = Math.max(...tops.map(({ y, radius }) => y + radius));
  const scale = Math.min(width / (right - left), height / (bottom - top));
  const [columns, rows] = [Math.ceil(width / cellSide), Math.ceil(height / cellSide)];
  const circles = tops.map((region) => ({
    x: width / 2 + (region.x - (left + right) / 2) * scale,
    y: height / 2 + (region.y - (top + bottom) / 2) * scale,
    radius: region.radius * scale,
  }));
  let [whole, middle] = [0, 0];
  for (let cell = 0; cell < rows * columns; cell += 1) {
    const x = ((cell % columns) + 0.5) * cellSide;
    const y = (Math.floor(cell / columns) + 0.5) * cellSide;
    const beyond = (from: number, to: number) => Math.max(0, Math.abs(from - to) - cellSide / 2);
    if (!circles.some((each) => Math.hypot(beyond(each.x, x), beyond(each.y, y)) < each.radius)) whole += 1;
    if (!circles.some((each) => Math.hypot(each.x - x, each.y - y) < each.radius)) middle += 1;
  }
  return { whole: whole / (rows * columns), middle: middle / (rows * columns) };
}

/** The largest deviation of a region's radius from the root of its pages, among those of one region and among all of the first level. */
export function radiusDeviation({ regions }: ReadMap): number {
  let largest = 0;
  for (const [, group] of Map.groupBy(regions, ({ parent }) => parent)) {
    const ratios = group.map(({ radius, pages }) => radius / Math.sqrt(pages));
    const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
    for (const ratio of ratios) largest = Math.max(largest, Math.abs(ratio / mean - 1));
  }
  return largest;
}

const child = edgeTypes.indexOf("child");

/** Pages that are linked with more pages than this are hubs. */
const hubDegree = 60;

/** The mean distance of linked pages, those of hubs left out, over that of random pairs. */
export function linkedDistance(map: ReadMap, columns: GraphColumns, random: () => number): number {
  const { out, in: incoming, labels, tree } = columns;
  const isLink = (rows: typeof out, edge: number) =>
    byteAt(labels.types, narrowAt(rows.labels, edge)) !== child;
  const degrees = new Uint32Array(map.count);
  for (const rows of [out, incoming]) {
    for (let node = 0; node < map.count; node += 1)
      for (let edge = at(rows.offsets, node); edge < at(rows.offsets, node + 1); edge += 1)
        if (isLink(rows, edge)) degrees[node] = at(degrees, node) + 1;
  }
  const distance = (one: number, other: number) =>
    Math.hypot(map.x(one) - map.x(other), map.y(one) - map.y(other));
  let [sum, count] = [0, 0];
  for (let node = 0; node < map.count; node += 1) {
    for (let edge = at(out.offsets, node); edge < at(out.offsets, node + 1); edge += 1) {
      const other = at(out.nodes, edge);
      if (!isLink(out, edge) || at(degrees, node) > hubDegree || at(degrees, other) > hubDegree) continue;
      sum += distance(at(tree.positions, node), at(tree.positions, other));
      count += 1;
    }
  }
  const pairs = 200_000;
  let randomSum = 0;
  const any = () => Math.floor(random() * map.count);
  for (let pair = 0; pair < pairs; pair += 1) randomSum += distance(any(), any());
  return sum / count / (randomSum / pairs);
}

/** The share of the pages of both maps that moved less than 2 % of the width of a map. `positions` are those of the same pages. */
export function stayedShare(
  before: ReadMap,
  after: ReadMap,
  positions: Iterable<readonly [before: number, after: number]>,
): number {
  let [stayed, all] = [0, 0];
  for (const [one, other] of positions) {
    const moved = Math.hypot(before.x(one) - after.x(other), before.y(one) - after.y(other));
    all += 1;
    if (moved < 0.02 * 0xffff) stayed += 1;
  }
  return all === 0 ? 1 : stayed / all;
}

/** The positions of the pages that two graphs both have. */
export function* samePages(before: Graph, after: Graph): Generator<readonly [before: number, after: number]> {
  for (const [position, node] of before.columns.tree.order.entries()) {
    const { id } = before.nodeAt(node);
    if (after.has(id)) yield [position, at(after.columns.tree.positions, after.indexOf(id))];
  }
}

/** The pages that lie outside the region of the first level whose colour they have. */
export function outsideCount(map: ReadMap): number {
  const tops = topsOf(map);
  let outside = 0;
  for (let page = 0; page < map.count; page += 1) {
    const region = tops[map.colourOf(page)];
    if (region === undefined || Math.hypot(map.x(page) - region.x, map.y(page) - region.y) > region.radius)
      outside += 1;
  }
  return outside;
}
