import { cell } from "./cell.ts";
import { titleOf } from "./titles.ts";
import { noParent } from "./tree.ts";
import { joinedPages, type Workspace } from "./workspace.ts";

/** Statistics of a generated workspace, to compare with those that the generator aims at. */
export interface Shape {
  readonly nodes: number;
  readonly edges: number;
  /** Percentiles of the degree of a node, and the degree of the largest hub. */
  readonly degree: { readonly p50: number; readonly p90: number; readonly p99: number; readonly max: number };
  /** Percentiles of the depth of pages without children; a page at the top has depth 1. */
  readonly depth: { readonly p10: number; readonly p50: number; readonly max: number };
  readonly words: number;
  readonly vocabulary: number;
  readonly otherScripts: number;
}

export function shapeOf(workspace: Workspace): Shape {
  const { size, seed } = workspace;
  const degrees = new Uint32Array(size);
  let edges = 0;
  for (const ends of joinedPages(workspace)) {
    edges += 1;
    for (const end of ends) degrees[end] = cell(degrees, end) + 1;
  }
  degrees.sort();
  const vocabulary = new Set<string>();
  let words = 0;
  let others = 0;
  for (let page = 0; page < size; page += 1) {
    const title = titleOf(seed, page);
    words += title.words.length;
    if (title.script !== "Latin") others += 1;
    for (const word of title.words) vocabulary.add(word.toLowerCase());
  }
  const depths = leafDepths(workspace);
  return {
    nodes: size,
    edges,
    degree: { p50: at(degrees, 0.5), p90: at(degrees, 0.9), p99: at(degrees, 0.99), max: at(degrees, 1) },
    depth: { p10: at(depths, 0.1), p50: at(depths, 0.5), max: at(depths, 1) },
    words,
    vocabulary: vocabulary.size,
    otherScripts: others / size,
  };
}

const at = (sorted: Uint32Array, share: number) =>
  cell(sorted, Math.min(sorted.length - 1, Math.floor(share * sorted.length)));

function leafDepths({ parents }: Workspace): Uint32Array {
  const hasChildren = new Uint8Array(parents.length);
  for (const parent of parents) if (parent !== noParent) hasChildren[parent] = 1;
  const depths: number[] = [];
  parents.forEach((_, page) => {
    if (cell(hasChildren, page) === 1) return;
    let depth = 1;
    for (let above = cell(parents, page); above !== noParent; above = cell(parents, above)) depth += 1;
    depths.push(depth);
  });
  return Uint32Array.from(depths).sort();
}
