import type { GraphNode, Reference } from "@clew/graph";
import { pick, seededRandom } from "@clew/stand-in/testing/random";
import { cell } from "./cell.ts";
import { drawDegrees } from "./degrees.ts";
import { mix } from "./random.ts";
import { generateReferences, propertyCount, type ReferenceColumns } from "./references.ts";
import { titleOf } from "./titles.ts";
import { growTree, noParent } from "./tree.ts";
import { ornaments, scripts, wordOf } from "./words.ts";

/** A generated workspace of any size, in columns. Pages are numbers; their facts are computed on demand. */
export interface Workspace extends ReferenceColumns {
  readonly seed: number;
  readonly size: number;
  /** The parent of each page, `noParent` at the top. */
  readonly parents: Int32Array;
  /** The largest hubs, the largest first. */
  readonly hubs: readonly number[];
}

/** Generates a workspace with 5 edges per page, child edges included. The same seed and size give the same workspace. */
export function makeWorkspace(seed: number, size: number): Workspace {
  const random = seededRandom(mix(seed, size));
  const { wanted: room, hubs } = drawDegrees(random, size);
  const parents = growTree(random, room);
  const references = generateReferences(random, room, hubs);
  return { seed, size, parents, hubs: hubs.slice(0, 100), ...references };
}

/** The UUID of a page. Ids have the order of page numbers, which is unrelated to the tree. */
export function idOf({ seed, size }: Pick<Workspace, "seed" | "size">, page: number): string {
  const hex = (number: number, digits: number) => number.toString(16).padStart(digits, "0").slice(-digits);
  const first = hex(Math.floor((page + 0.5) * (2 ** 48 / size)), 12);
  const [middle, last] = [hex(mix(seed, page), 8), hex(mix(page, seed), 8)];
  return `${first.slice(0, 8)}-${first.slice(8)}-4${middle.slice(0, 3)}-8${middle.slice(3, 6)}-${last}${middle.slice(4)}`;
}

const hour = 3_600_000;
const epoch = Date.UTC(2018, 0);

export function nodeOf(workspace: Workspace, page: number): GraphNode {
  const random = seededRandom(mix(page, workspace.seed));
  const parent = cell(workspace.parents, page);
  const id = idOf(workspace, page);
  const createdAt = epoch + Math.floor(random() * 60_000) * hour;
  return {
    id,
    type: random() < 0.04 ? "database" : "page",
    title: titleOf(workspace.seed, page).text,
    icon: random() < 0.3 ? pick(random, ornaments) : null,
    url: `https://www.notion.so/${id.replaceAll("-", "")}`,
    parentId: parent === noParent ? null : idOf(workspace, parent),
    createdAt,
    updatedAt: createdAt + Math.floor(random() * 10_000) * hour,
  };
}

const relations = Array.from({ length: propertyCount }, (_, number) => {
  const [script] = scripts;
  return script === undefined ? "" : wordOf(script, 1000 + number);
});

/** The references that leave a page. */
export function referencesOf(workspace: Workspace, page: number): Reference[] {
  const { offsets, targets, kinds } = workspace;
  const references: Reference[] = [];
  for (let place = cell(offsets, page); place < cell(offsets, page + 1); place += 1) {
    const targetId = idOf(workspace, cell(targets, place));
    const kind = cell(kinds, place);
    if (kind < 2) references.push({ type: kind === 0 ? "mention" : "link", targetId, name: null, count: 1 });
    else references.push({ type: "relation", targetId, name: relations[kind - 2] ?? "", count: 1 });
  }
  return references;
}

/** Every edge as its two pages, child edges first. */
export function* joinedPages({ parents, offsets, targets, size }: Workspace): Generator<[number, number]> {
  for (let page = 0; page < size; page += 1) {
    if (cell(parents, page) !== noParent) yield [page, cell(parents, page)];
  }
  for (let page = 0; page < size; page += 1) {
    for (let place = cell(offsets, page); place < cell(offsets, page + 1); place += 1) {
      yield [page, cell(targets, place)];
    }
  }
}
