import type { Edge, Neighbors, Node } from "@clew/client";
import type { LinkKind } from "../../../api/link-kinds.ts";
import type { Region, Regions } from "./regions.ts";

/** The pages and links of a local graph. */
export interface Scene {
  readonly center: string;
  readonly nodes: ReadonlyMap<string, SceneNode>;
  /** The links that led to its pages. Where the pages stand follows from them. */
  readonly edges: readonly Edge[];
  /** The other links among its pages. */
  readonly across: readonly Edge[];
  /** Whether marks of groups stand for the pages around a hub. */
  readonly isGrouped?: boolean;
}

export interface SceneNode {
  readonly node: Node;
  /** Links between it and the center; in the picture of a hub, one more for a page around the mark of its group. */
  readonly depth: number;
  /** The number of its region's colour; 0 or absent for none. */
  readonly colour?: number;
  /** The group that it stands for. */
  readonly group?: Group;
  /** Of a page around the mark of its group: its links with the hub. */
  readonly hubLinks?: readonly Edge[];
}

/** Many pages that one mark of a picture stands for. */
export interface Group {
  readonly key: string;
  /** Null for what is in none of the other groups. */
  readonly region: Region | null;
  readonly count: number;
  /** Its pages that the picture does not show. */
  readonly hidden: number;
  readonly isOpen: boolean;
}

/** The number of links between a page and the center. */
export const stepsOf = ({ depth, hubLinks }: SceneNode): number => (hubLinks === undefined ? depth : 1);

/** More pages make no picture that anyone reads. */
export const mostNodes = 300;
/** The number of pages linked to one page alone that are shown until the person asks for more. */
const leavesOfHub = 8;

export const startScene = (center: Node): Scene => ({
  center: center.id,
  nodes: new Map([[center.id, { node: center, depth: 0 }]]),
  edges: [],
  across: [],
});

type Item = Neighbors["items"][number];

/** A scene with neighbours of one of its pages, as far as there is room. What it had stays. */
export function growScene(scene: Scene, from: string, items: readonly Item[]): Scene {
  const nodes = new Map(scene.nodes);
  const start = nodes.get(from)?.depth ?? 0;
  for (const { node, depth } of items)
    if (!nodes.has(node.id) && nodes.size < mostNodes) nodes.set(node.id, { node, depth: start + depth });
  const edges = new Map(scene.edges.map((edge) => [keyOf(edge), edge]));
  for (const edge of items.flatMap((item) => item.edges))
    if (nodes.has(edge.from) && nodes.has(edge.to)) edges.set(keyOf(edge), edge);
  return { center: scene.center, nodes, edges: [...edges.values()], across: [] };
}

/** A scene whose pages have the colours of their regions. */
export function withColours(scene: Scene, { regionOf }: Regions): Scene {
  const coloured = ([id, each]: [string, SceneNode]) =>
    [id, { ...each, colour: regionOf.get(id)?.colour ?? 0 }] as const;
  return { ...scene, nodes: new Map([...scene.nodes].map(coloured)) };
}

/** A scene with all links among its pages. Those of a hub are in its groups. */
export function withLinksAmong(scene: Scene, links: readonly Edge[]): Scene {
  const known = new Set(scene.edges.map(keyOf));
  const isOfHub = ({ from, to }: Edge) => scene.isGrouped && (from === scene.center || to === scene.center);
  const across = new Map(
    links
      .filter((edge) => scene.nodes.has(edge.from) && scene.nodes.has(edge.to) && !isOfHub(edge))
      .map((edge) => [keyOf(edge), edge] as const)
      .filter(([key]) => !known.has(key)),
  );
  return { ...scene, across: [...across.values()] };
}

export const keyOf = ({ from, to, type, name }: Edge): string => `${from} ${to} ${type} ${name ?? ""}`;

/**
 * Leaves out most of the pages that hang on one hub alone: of each page's own leaves two steps away, the most important
 * stay. A number stands for the rest.
 */
export function foldHubs(items: readonly Item[]): readonly Item[] {
  const leaves = new Map<string, Item[]>();
  for (const item of items) {
    const [hub, ...others] = new Set(item.edges.map(({ from, to }) => (from === item.node.id ? to : from)));
    if (item.depth < 2 || hub === undefined || others.length > 0) continue;
    leaves.set(hub, [...(leaves.get(hub) ?? []), item]);
  }
  const folded = new Set(
    [...leaves.values()].flatMap((each) => each.toSorted(byImportance).slice(leavesOfHub)),
  );
  return items.filter((item) => !folded.has(item));
}

const byImportance = (a: Item, b: Item): number =>
  b.node.importance - a.node.importance || (a.node.id < b.node.id ? -1 : 1);

/** The number of links of a page that the scene does not have. */
export function hiddenLinks({ nodes, edges, across, isGrouped = false }: Scene, id: string): number {
  const { degree } = nodes.get(id)?.node ?? {};
  // The marks of groups stand for the links of a hub.
  if (degree === undefined || isGrouped) return 0;
  const shown = [...edges, ...across].filter(({ from, to }) => from === id || to === id).length;
  return Math.max(0, degree.in + degree.out - shown);
}

/** The part of a scene with links of some kinds alone: the center, and the pages that they connect with it. */
export function visibleScene({ center, nodes, edges, across }: Scene, kinds: readonly LinkKind[]): Scene {
  const shown = edges.filter(({ type }) => kinds.includes(type));
  const reached = new Set([center]);
  const near = neighboursOf(shown);
  for (const id of reached) for (const next of near.get(id) ?? []) reached.add(next);
  const isShown = ({ from, to, type }: Edge) => kinds.includes(type) && reached.has(from) && reached.has(to);
  return {
    center,
    nodes: new Map([...nodes].filter(([id]) => reached.has(id))),
    edges: edges.filter(isShown),
    across: across.filter(isShown),
  };
}

/** The pages that are linked with each page, in either direction. */
export function neighboursOf(edges: readonly Edge[]): ReadonlyMap<string, ReadonlySet<string>> {
  const near = new Map<string, Set<string>>();
  const add = (from: string, to: string) => {
    const known = near.get(from);
    if (known === undefined) near.set(from, new Set([to]));
    else known.add(to);
  };
  for (const { from, to } of edges) {
    add(from, to);
    add(to, from);
  }
  return near;
}
