import { type Adjacency, edgesBetween } from "../adjacency.ts";
import { at } from "../column.ts";
import { edgeAt, type IndexedEdge } from "../indexed-edge.ts";
import type { Meter } from "./budget.ts";
import type { Reach } from "./reach.ts";
import { follows, type Ways } from "./ways.ts";

/** A walk that has come by some nodes. */
interface Walked {
  readonly start: number;
  /** The ways of the walk, backwards. */
  readonly back: Ways;
  readonly reach: Reach;
  readonly meter: Meter;
}

/**
 * The edges over which the walk reaches a node from nodes one step nearer, but no more than `room`.
 * `complete` is false where there are more, or where time was up before all were seen.
 */
export function nearerEdges(
  walked: Walked,
  node: number,
  room: number,
): { edges: IndexedEdge[]; complete: boolean } {
  const { back, reach, meter } = walked;
  const nearer = reach.levelOf(node) - 1;
  const edges: IndexedEdge[] = [];
  for (const adjacency of back.adjacencies) {
    const [first, end] = candidates(walked, adjacency, node);
    for (let position = first; position < end; position += 1) {
      if (!meter.step()) return { edges, complete: false };
      if (reach.levelOf(at(adjacency.nodes, position)) !== nearer) continue;
      if (!follows(back, adjacency, position)) continue;
      if (edges.length >= room) return { edges, complete: false };
      edges.push(edgeAt(adjacency, node, position));
    }
  }
  return { edges, complete: true };
}

/** Where in a node's row such edges may be: beside the beginning itself, a hub's row is not gone through. */
function candidates({ start, reach }: Walked, adjacency: Adjacency, node: number): [number, number] {
  if (reach.levelOf(node) === 1) return edgesBetween(adjacency, node, start);
  return [at(adjacency.offsets, node), at(adjacency.offsets, node + 1)];
}
