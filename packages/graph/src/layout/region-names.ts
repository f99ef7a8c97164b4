import { edgeTypes } from "@clew/contract/vocabulary";
import { edgesBetween } from "../adjacency.ts";
import {
  at,
  byteAt,
  firstPosition,
  floatAt,
  identityOrder,
  narrowAt,
  sortByKeys,
  startsOf,
  unitAt,
} from "../columns.ts";
import type { GraphColumns } from "../graph.ts";
import { textAt } from "../text-column.ts";
import type { PreorderTree } from "./preorder-tree.ts";
import { noRegion, type Regions, topOf } from "./regions.ts";

/** The name of a region, and the page that it is called by: a position; the number of pages for none. */
export interface RegionName {
  readonly name: string;
  readonly page: number;
}

/** The share of a region's pages that a folder must have to name it. */
const leastShared = 0.6;

/** A folder with more than this share of the workspace says nothing about a region. */
const mostOfAll = 0.5;

const [child, relation] = [edgeTypes.indexOf("child"), edgeTypes.indexOf("relation")];

export const titleOf = ({ nodes, tree }: GraphColumns, page: number): string =>
  page < tree.order.length ? (textAt(nodes.titles, at(tree.order, page)) ?? "") : "";

/** A page names a region only if this share of its pages, and at least four, link to it. */
const leastLinking = 0.05;

/**
 * Names regions of linked pages. A region is called by the nearest folder that most of its pages are in. If several regions are in one
 * folder, each is also called by its most central page in it. A region of many folders is called by its two most central pages, or if
 * none is central by its two largest folders.
 */
export function namesOf(columns: GraphColumns, tree: PreorderTree, regions: Regions): readonly RegionName[] {
  const { parents } = regions;
  const { pageCount } = tree;
  const pages = pagesByRegion(regions);
  const { inTop, inHome } = centralityOf(columns, tree, regions);
  const folders = pages.map((of) => sharedFolder(tree, of, Math.max(pageCount * mostOfAll, of.length)));
  const siblings = Map.groupBy(parents.keys(), (region) => `${unitAt(parents, region)} ${folders[region]}`);
  const named = (all: readonly number[], join: string): RegionName => ({
    name: [...new Set(all.map((page) => titleOf(columns, page)))].filter((title) => title !== "").join(join),
    page: all.at(-1) ?? pageCount,
  });
  return pages.map((of, region) => {
    const parent = unitAt(parents, region);
    const folder = folders[region] ?? pageCount;
    const centrality = parent === noRegion ? inTop : inHome;
    if (folder === pageCount) {
      const central = mostCentral(of, centrality, of.length);
      return central.length > 0 ? named(central.toReversed(), ", ") : named(largestFolders(tree, of), ", ");
    }
    const isShared = (siblings.get(`${parent} ${folder}`)?.length ?? 0) > 1;
    const isParents = parent !== noRegion && folders[parent] === folder;
    if (!isShared && !isParents) return named([folder], "");
    const end = at(tree.ends, folder);
    const [central] = mostCentral(
      of.filter((page) => page > folder && page < end),
      centrality,
      of.length,
    );
    if (central === undefined) return named([folder], "");
    return isParents ? named([central], "") : named([folder, central], ": ");
  });
}

/** The pages of each region, in preorder. */
function pagesByRegion({ parents, homes }: Regions): Uint32Array[] {
  const count = parents.length;
  const split = (keys: Uint32Array) => {
    const pages = sortByKeys(identityOrder(homes.length), keys, count);
    const starts = startsOf(keys, count);
    return Array.from({ length: count }, (_, region) =>
      pages.subarray(at(starts, region), at(starts, region + 1)),
    );
  };
  const own = split(Uint32Array.from(homes));
  const whole = split(Uint32Array.from(homes, (home) => topOf({ parents }, home)));
  return own.map((pages, region) =>
    unitAt(parents, region) === noRegion ? (whole[region] ?? pages) : pages,
  );
}

/**
 * The deepest folder that has enough of these pages, and no more than `most` in all; the number of all pages if there is none. It
 * has the middle one of them, because a folder is a range of positions.
 */
function sharedFolder({ pageCount, parents, ends }: PreorderTree, pages: Uint32Array, most: number): number {
  let folder = at(pages, pages.length >>> 1);
  for (; folder < pageCount; folder = at(parents, folder)) {
    const end = at(ends, folder);
    if (end - folder === 1) continue;
    if (end - folder > most) return pageCount;
    const inside =
      firstPosition(pages, (page) => page >= end) - firstPosition(pages, (page) => page >= folder);
    if (inside >= leastShared * pages.length) return folder;
  }
  return pageCount;
}

/** The one or two pages that most of these pages are directly in. */
function largestFolders({ pageCount, parents }: PreorderTree, pages: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const page of pages) {
    const parent = at(parents, page);
    if (parent < pageCount) counts.set(parent, (counts.get(parent) ?? 0) + 1);
  }
  return [...counts.entries()]
    .sort(([a, count], [b, other]) => other - count || a - b)
    .slice(0, 2)
    .map(([folder]) => folder);
}

/** The facts of how central each page is to its region. */
interface Centrality {
  /** The number of links from inside the region. */
  readonly inside: Uint32Array;
  /** The same number, times its share of all links to the page: hubs are linked from everywhere. */
  readonly scores: Float64Array;
}

/** The one or two pages with the highest scores, of those that enough pages link to. */
function mostCentral(pages: Uint32Array, { inside, scores }: Centrality, regionPages: number): number[] {
  const least = Math.max(4, leastLinking * regionPages);
  let [first, second]: [number | undefined, number | undefined] = [undefined, undefined];
  for (const page of pages) {
    if (at(inside, page) < least) continue;
    const score = floatAt(scores, page);
    if (first === undefined || score > floatAt(scores, first)) [first, second] = [page, first];
    else if (second === undefined || score > floatAt(scores, second)) second = page;
  }
  return [first, second].filter((page) => page !== undefined);
}

/**
 * How central pages are to their groups. A link in a text that its target answers with one of its own does not count as from
 * inside. Pages of which most links are of that kind, and those of a folder in which that is so, are not central: authors and
 * what they wrote name each other.
 */
function centralityOf(
  columns: GraphColumns,
  { pageCount, parents }: PreorderTree,
  { parents: parentRegions, homes }: Regions,
): { readonly inTop: Centrality; readonly inHome: Centrality } {
  const { order, positions } = columns.tree;
  const { offsets, nodes, labels } = columns.in;
  const tops = homes.map((home) => topOf({ parents: parentRegions }, home));
  const [top, home] = [new Centralities(pageCount), new Centralities(pageCount)];
  for (let page = 0; page < pageCount; page += 1) {
    const node = at(order, page);
    let all = 0;
    for (let edge = at(offsets, node); edge < at(offsets, node + 1); edge += 1) {
      const type = byteAt(columns.labels.types, narrowAt(labels, edge));
      if (type === child) continue;
      all += 1;
      const other = at(nodes, edge);
      const from = at(positions, other);
      if (unitAt(tops, from) !== unitAt(tops, page)) continue;
      const isAnswered = type !== relation && linksTo(columns, node, other);
      top.add(isAnswered);
      if (unitAt(homes, from) === unitAt(homes, page)) home.add(isAnswered);
    }
    top.close(page, at(parents, page), all);
    home.close(page, at(parents, page), all);
  }
  return { inTop: top.result(parents), inHome: home.result(parents) };
}

/** Adds up the links of pages from inside their groups. */
class Centralities {
  readonly #inside: Uint32Array;
  readonly #scores: Float64Array;
  /** Of each folder: the links to its pages that are not answered, less those that are. */
  readonly #unanswered: Int32Array;
  /** Those of the page that links are being added to, and those of them that are answered. */
  #count = 0;
  #answered = 0;

  constructor(pageCount: number) {
    this.#inside = new Uint32Array(pageCount);
    this.#scores = new Float64Array(pageCount);
    this.#unanswered = new Int32Array(pageCount + 1);
  }

  add(isAnswered: boolean): void {
    if (isAnswered) this.#answered += 1;
    else this.#count += 1;
  }

  /** Ends a page that has `all` links from everywhere. */
  close(page: number, folder: number, all: number): void {
    const [count, answered] = [this.#count, this.#answered];
    this.#count = 0;
    this.#answered = 0;
    this.#unanswered[folder] = (this.#unanswered[folder] ?? 0) + count - answered;
    if (count <= answered) return;
    this.#inside[page] = count;
    this.#scores[page] = (count * count) / all;
  }

  result(parents: Uint32Array): Centrality {
    this.#inside.forEach((_, page) => {
      if ((this.#unanswered[at(parents, page)] ?? 0) < 0) this.#inside[page] = 0;
    });
    return { inside: this.#inside, scores: this.#scores };
  }
}

/** Whether a node's text links another. */
function linksTo({ out, labels }: GraphColumns, node: number, other: number): boolean {
  const [first, end] = edgesBetween(out, node, other);
  for (let edge = first; edge < end; edge += 1) {
    const type = byteAt(labels.types, narrowAt(out.labels, edge));
    if (type !== child && type !== relation) return true;
  }
  return false;
}
