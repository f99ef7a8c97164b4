import { at, byteAt } from "../columns.ts";
import { type Groups, numbered } from "./communities.ts";
import { limitsOf, withinLimits } from "./partition.ts";
import type { PreorderTree } from "./preorder-tree.ts";
import { noRegion, type Regions } from "./regions.ts";
import { induced, type WeightedGraph } from "./weighted-graph.ts";

/** Regions of pages that are in one folder: a page that has others in it. */
export interface FolderRegions extends Regions {
  /** The folder that each region is called by: a position; the number of pages for the pages at the top. */
  readonly folders: Uint32Array;
}

/** The fewest regions of a division by folders, where the tree has as many. */
const leastFolders = 8;

/** The deepest folders that are regions. Below, trees are mostly chains. */
const mostDepth = 12;

/** A region of fewer pages is not divided. */
const leastDivided = 64;

/** Regions by the tree alone: folders at the least depth that gives enough, and in large ones the folders below. */
export function folderRegionsOf(tree: PreorderTree, graph: WeightedGraph): FolderRegions {
  const all = Uint32Array.from({ length: tree.pageCount }, (_, page) => page);
  const depths = depthsOf(tree);
  const top = divided(tree, graph, { pages: all, depths, from: 1 });
  const homes = Uint16Array.from(top.groups.of);
  const parents = Array.from({ length: top.groups.count }, () => noRegion);
  const folders = [...top.folders];
  const pagesOf = Array.from({ length: top.groups.count }, (): number[] => []);
  for (let page = 0; page < tree.pageCount; page += 1) pagesOf[at(top.groups.of, page)]?.push(page);
  for (const [region, members] of pagesOf.entries()) {
    if (members.length < leastDivided) continue;
    const pages = Uint32Array.from(members);
    const inner = divided(tree, induced(graph, pages), { pages, depths, from: top.depth + 1 });
    if (inner.groups.count < 2) continue;
    pages.forEach((page, index) => {
      homes[page] = parents.length + at(inner.groups.of, index);
    });
    for (const folder of inner.folders) {
      parents.push(region);
      folders.push(folder);
    }
  }
  return { parents: Uint16Array.from(parents), homes, folders: Uint32Array.from(folders) };
}

interface Division {
  readonly groups: Groups;
  /** The folder of each group. */
  readonly folders: Uint32Array;
  /** The depth of the folders. */
  readonly depth: number;
}

function divided(
  tree: PreorderTree,
  graph: WeightedGraph,
  {
    pages,
    depths,
    from,
  }: { readonly pages: Uint32Array; readonly depths: Uint8Array; readonly from: number },
): Division {
  const { most, smallest } = limitsOf(pages.length);
  let best: Division | null = null;
  for (let depth = from; depth <= mostDepth; depth += 1) {
    const folders = foldersAt(tree, pages, depths, depth);
    const groups = withinLimits(graph, numbered(folders.labels), { most, smallest });
    const isMore = best === null || groups.count > best.groups.count;
    if (isMore) best = { groups, folders: namesOf(groups, folders, depths), depth };
    if (groups.count >= leastFolders || !folders.hasDeeper) break;
  }
  return best ?? { groups: { of: new Uint32Array(), count: 0 }, folders: new Uint32Array(), depth: from };
}

interface Folders {
  /** The folder of each page, as the index of its first page. */
  readonly labels: Uint32Array;
  /** The same as a position. */
  readonly folders: Uint32Array;
  /** Whether there are folders below this depth. */
  readonly hasDeeper: boolean;
}

/** The folder of each page that is no deeper than `depth`: itself, if it is one. */
function foldersAt(tree: PreorderTree, pages: Uint32Array, depths: Uint8Array, depth: number): Folders {
  const folders = new Uint32Array(pages.length);
  const labels = new Uint32Array(pages.length);
  const firsts = new Map<number, number>();
  const folderOf = new Map<number, number>();
  let hasDeeper = false;
  pages.forEach((page, index) => {
    const isFolder = at(tree.ends, page) - page > 1;
    const parent = at(tree.parents, page);
    if (isFolder && byteAt(depths, page) > depth) hasDeeper = true;
    const folder = isFolder && byteAt(depths, page) <= depth ? page : (folderOf.get(parent) ?? parent);
    if (isFolder) folderOf.set(page, folder);
    folders[index] = folder;
    const first = firsts.get(folder) ?? index;
    firsts.set(folder, first);
    labels[index] = first;
  });
  return { labels, folders, hasDeeper };
}

/** The highest folder of each group; among those, the one with most pages. */
function namesOf(groups: Groups, { folders }: Folders, depths: Uint8Array): Uint32Array {
  const counts = Array.from({ length: groups.count }, () => new Map<number, number>());
  folders.forEach((folder, index) => {
    const of = counts[at(groups.of, index)];
    of?.set(folder, (of.get(folder) ?? 0) + 1);
  });
  const depthOf = (folder: number) => (folder < depths.length ? byteAt(depths, folder) : 0);
  return Uint32Array.from(counts, (of) => {
    let [best, most] = [depths.length, 0];
    for (const [folder, count] of of) {
      const difference = most === 0 ? -1 : depthOf(folder) - depthOf(best);
      if (difference > 0 || (difference === 0 && count <= most)) continue;
      [best, most] = [folder, count];
    }
    return best;
  });
}

/** The depth of each page, 1 at the top; 255 stands for all below. */
function depthsOf({ pageCount, parents }: PreorderTree): Uint8Array {
  const depths = new Uint8Array(pageCount);
  for (let page = 0; page < pageCount; page += 1) {
    const parent = at(parents, page);
    depths[page] = parent === pageCount ? 1 : Math.min(255, byteAt(depths, parent) + 1);
  }
  return depths;
}
