import type { Edge, Node, Paths } from "@clew/client";

/** A page in the drawing of paths: how many steps from the start, and which of the pages beside it. */
interface PlacedPage {
  readonly node: Node;
  readonly step: number;
  readonly slot: number;
}

/** Paths as layers: each page once, at the earliest step that any path has for it. */
export interface PathDrawing {
  readonly pages: ReadonlyMap<string, PlacedPage>;
  readonly links: readonly { readonly from: string; readonly to: string; readonly type: Edge["type"] }[];
  readonly steps: number;
  /** The number of pages in the fullest layer. */
  readonly slots: number;
}

type Path = Paths["paths"][number];

export function drawPaths(paths: readonly Path[]): PathDrawing {
  const steps = new Map<string, { node: Node; step: number }>();
  for (const { nodes } of paths)
    for (const [step, node] of nodes.entries()) {
      const known = steps.get(node.id);
      if (known === undefined || step < known.step) steps.set(node.id, { node, step });
    }
  const last = Math.max(0, ...paths.map(({ length }) => length));
  const end = paths[0]?.nodes.at(-1);
  // The end comes last, though a shorter path reaches it earlier.
  if (end !== undefined && last > 0) steps.set(end.id, { node: end, step: last });
  const filled = new Map<number, number>();
  const pages = new Map<string, PlacedPage>();
  for (const [id, { node, step }] of steps) {
    const slot = filled.get(step) ?? 0;
    filled.set(step, slot + 1);
    pages.set(id, { node, step, slot });
  }
  const links = new Map<string, PathDrawing["links"][number]>();
  for (const { nodes, edges } of paths)
    for (const [index, { type }] of edges.entries()) {
      const [from, to] = [nodes[index]?.id, nodes[index + 1]?.id];
      if (from !== undefined && to !== undefined && !links.has(`${from} ${to}`))
        links.set(`${from} ${to}`, { from, to, type });
    }
  return {
    pages,
    links: [...links.values()],
    steps: last,
    slots: Math.max(1, ...filled.values()),
  };
}

/** The middle of each page in a box, as shares of its width and height. */
export function placesOf(
  { pages, steps }: PathDrawing,
  isUpright: boolean,
): ReadonlyMap<string, { readonly x: number; readonly y: number }> {
  const counts = new Map<number, number>();
  for (const { step } of pages.values()) counts.set(step, (counts.get(step) ?? 0) + 1);
  return new Map(
    [...pages].map(([id, { step, slot }]) => {
      const along = (step + 0.5) / (steps + 1);
      const across = (slot + 0.5) / (counts.get(step) ?? 1);
      return [id, isUpright ? { x: across, y: along } : { x: along, y: across }];
    }),
  );
}
