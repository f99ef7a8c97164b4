import type { Reference } from "../edge.ts";
import type { Graph } from "../graph.ts";
import type { NodeId } from "../node.ts";
import type { WalkLimits } from "../walk/walk-budget.ts";
import { buildGraph, type GraphInput, type NamedNode } from "./graph-input.ts";

/** The id of a test's nth node. Ids ascend with n. */
export function id(n: number): NodeId {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
}

/** The n of an id. */
export function numberOf(nodeId: NodeId): number {
  return Number.parseInt(nodeId.slice(-12), 16);
}

export function page(n: number, facts: Partial<NamedNode> = {}): NamedNode {
  return {
    id: id(n),
    type: "page",
    title: `Page ${n}`,
    icon: null,
    url: null,
    parentId: null,
    createdAt: 0,
    updatedAt: 0,
    ...facts,
  };
}

export function reference(
  from: number,
  to: number,
  type: Reference["type"] = "link",
  { name = null, count = 1 }: { name?: string | null; count?: number } = {},
): GraphInput["references"][number] {
  return { from: id(from), reference: { type, targetId: id(to), name, count } };
}

/** A graph of pages 0 to `size` - 1 and links between them. */
export function linked(size: number, links: readonly (readonly [from: number, to: number])[]): Graph {
  return buildGraph({
    nodes: Array.from({ length: size }, (_, n) => page(n)),
    references: links.map(([from, to]) => reference(from, to)),
  });
}

/** A graph in which pages 1 to `edges` link to page 0. */
export function hub(edges: number): Graph {
  return linked(
    edges + 1,
    Array.from({ length: edges }, (_, n) => [n + 1, 0] as const),
  );
}

/** A graph of pages 0, 1, … with these titles and nothing between them. */
export function titled(...titles: string[]): Graph {
  return buildGraph({ nodes: titles.map((title, n) => page(n, { title })), references: [] });
}

export const unlimited: WalkLimits = { visits: Number.POSITIVE_INFINITY, expired: () => false };
