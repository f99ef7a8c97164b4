import type { Edge, Neighbors, Node } from "@clew/client";
import type { Regions } from "./regions.ts";
import { type Group, type Scene, type SceneNode, startScene } from "./scene.ts";

type Item = Neighbors["items"][number];

/** A hub has more neighbours: its picture shows them in groups. */
export const mostNeighbours = 60;
/** Smaller groups are one. */
export const mostGroups = 20;
/** Pages that an unfolded group shows, the most important ones; the others are listed. */
const mostUnfolded = 60;
/** The key of the group of all that is in none of the largest. */
const others = "others";

/** The id of a group's mark in a scene. */
export const groupId = (key: string): string => `group ${key}`;

/**
 * The scene of a hub: a mark for each region of its neighbours, and a page for itself where a region has no other. Around the
 * marks in `unfolded` are their most important pages.
 */
export function groupScene(
  center: Node,
  items: readonly Item[],
  { regions, unfolded, nameOf }: GroupOptions,
): Scene {
  const byKey = Map.groupBy(items, ({ node }) => keyIn(regions, node.id));
  const nodes = new Map<string, SceneNode>(startScene(center).nodes);
  const edges: Edge[] = [];
  for (const [key, members] of byKey) {
    const region = regions.all.find((each) => each.key === key) ?? null;
    const colour = region?.colour ?? 0;
    const [only] = members;
    if (members.length === 1 && only !== undefined) {
      nodes.set(only.node.id, { node: only.node, depth: 1, colour });
      edges.push(...only.edges);
      continue;
    }
    const isOpen = unfolded.has(key);
    const shown = isOpen ? members.toSorted(byImportance).slice(0, mostUnfolded) : [];
    const group = { key, region, count: members.length, hidden: members.length - shown.length, isOpen };
    const id = groupId(key);
    const mark = { ...center, id, title: nameOf(group), icon: null, type: "page" as const, degree: none };
    nodes.set(id, { node: mark, depth: 1, colour, group });
    edges.push(lineTo(center.id, id, commonType(members)));
    for (const { node, edges: links } of shown) {
      nodes.set(node.id, { node, depth: 2, colour, hubLinks: links });
      edges.push(lineTo(id, node.id, links[0]?.type ?? "link"));
    }
  }
  return { center: center.id, nodes, edges, across: [], isGrouped: true };
}

interface GroupOptions {
  readonly regions: Regions;
  /** Keys of groups. */
  readonly unfolded: ReadonlySet<string>;
  readonly nameOf: (group: Group) => string;
}

const none = { in: 0, out: 0 };

function keyIn({ regionOf, all }: Regions, id: string): string {
  const region = regionOf.get(id);
  const isLarge = region !== undefined && (all.length <= mostGroups || all.indexOf(region) < mostGroups - 1);
  return isLarge ? region.key : others;
}

const lineTo = (from: string, to: string, type: Edge["type"]): Edge => ({
  from,
  to,
  type,
  name: null,
  count: 1,
});

/** The type of most of the links with the hub. */
function commonType(members: readonly Item[]): Edge["type"] {
  const counts = new Map<Edge["type"], number>();
  for (const { type } of members.flatMap(({ edges }) => edges)) counts.set(type, (counts.get(type) ?? 0) + 1);
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most?.[0] ?? "link";
}

const byImportance = (a: Item, b: Item): number =>
  b.node.importance - a.node.importance || (a.node.id < b.node.id ? -1 : 1);
