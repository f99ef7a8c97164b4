import { type MapColour, nodeTypes } from "@clew/contract/vocabulary";
import { at, byteAt, floatAt } from "../columns.ts";
import type { GraphColumns } from "../graph.ts";
import type { FolderRegions } from "./folder-regions.ts";
import type { PreorderTree } from "./preorder-tree.ts";
import { titleOf } from "./region-names.ts";
import { topCount, topOf } from "./regions.ts";

/** A colour for each page, and what the colours mean. */
export interface Palette {
  readonly colour: Exclude<MapColour, "region">;
  readonly values: Uint8Array;
  readonly legend: readonly { readonly value: number; readonly pages: number; readonly name: string }[];
}

/** The colours of pages but those of their regions, in the order of the contract. */
export function palettesOf(
  columns: GraphColumns,
  tree: PreorderTree,
  folders: FolderRegions,
): readonly Palette[] {
  return [folderPalette(columns, folders), databasePalette(columns, tree), editedPalette(columns)];
}

/** The number of the folder that each page is in, as the map by folders has it. */
function folderPalette(columns: GraphColumns, regions: FolderRegions): Palette {
  const values = Uint8Array.from(regions.homes, (home) => topOf(regions, home));
  const names = Array.from({ length: topCount(regions) }, (_, region) =>
    titleOf(columns, at(regions.folders, region)),
  );
  return { colour: "folder", values, legend: legendOf(values, names) };
}

const database = nodeTypes.indexOf("database");

/** The databases with most pages have colours of their own. */
const mostDatabases = 254;

/** The nearest database that each page is in, itself included, the largest first from 1 on: 0 for none or a smaller one. */
function databasePalette(columns: GraphColumns, { pageCount, parents }: PreorderTree): Palette {
  const { order } = columns.tree;
  const nearest = new Uint32Array(pageCount);
  const counts = new Uint32Array(pageCount + 1);
  for (let page = 0; page < pageCount; page += 1) {
    const parent = at(parents, page);
    const isDatabase = byteAt(columns.nodes.types, at(order, page)) === database;
    const around = parent === pageCount ? pageCount : at(nearest, parent);
    nearest[page] = isDatabase ? page : around;
    const of = at(nearest, page);
    counts[of] = at(counts, of) + 1;
  }
  const largest = [...counts.keys()]
    .filter((page) => page < pageCount && at(counts, page) > 0)
    .sort((a, b) => at(counts, b) - at(counts, a) || a - b)
    .slice(0, mostDatabases);
  const numbers = new Map(largest.map((page, index) => [page, index + 1]));
  const values = Uint8Array.from(nearest, (page) => numbers.get(page) ?? 0);
  return {
    colour: "database",
    values,
    legend: legendOf(values, ["", ...largest.map((page) => titleOf(columns, page))]),
  };
}

const dayMs = 86_400_000;

/** Days before the latest edit of the workspace: a page's colour is the number of those that its own latest edit is before. */
const editedDays = [1, 2, 4, 7, 14, 30, 61, 122, 244, 365, 730];

/** How long before the latest edit of all each page was last edited. Legends have the day from which on a colour holds. */
function editedPalette({ nodes, tree }: GraphColumns): Palette {
  const latest = nodes.updatedAt.reduce((last, time) => Math.max(last, time), Number.NEGATIVE_INFINITY);
  const times = Float64Array.from(tree.order, (node) => floatAt(nodes.updatedAt, node));
  const values = Uint8Array.from(times, (time) => {
    const age = (latest - time) / dayMs;
    const value = editedDays.findIndex((days) => age < days);
    return value < 0 ? editedDays.length : value;
  });
  const oldest = times.reduce((first, time) => Math.min(first, time), latest);
  const names = [...editedDays.map((days) => Math.max(oldest, latest - days * dayMs)), oldest].map(dayOf);
  return { colour: "edited", values, legend: legendOf(values, names) };
}

const dayOf = (time: number) => (Number.isFinite(time) ? new Date(time).toISOString().slice(0, 10) : "");

/** The values that pages have, with their names. */
function legendOf(values: Uint8Array, names: readonly string[]): Palette["legend"] {
  const counts = new Uint32Array(256);
  for (const value of values) counts[value] = at(counts, value) + 1;
  return names.flatMap((name, value) =>
    at(counts, value) > 0 ? [{ value, pages: at(counts, value), name }] : [],
  );
}
