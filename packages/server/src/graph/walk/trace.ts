import type { Meter } from "./budget.ts";
import { isBarred, type Route } from "./route.ts";
import type { Side } from "./side.ts";
import { eachStep, edgesAhead, edgeTo, type Ways } from "./ways.ts";

/** Nodes that a step may lead to. */
interface Layer {
  readonly nodes: readonly number[];
  readonly has: (node: number) => boolean;
}

/**
 * Finds the path, once the walks from its two ends have met: of the shortest ones through the meeting the first in the
 * order of ids. Empty where time is up before that.
 */
export function trace(
  route: Route,
  start: Side,
  end: Side,
  meeting: readonly number[],
  meter: Meter,
): number[] {
  const layers = layersOf(start, end, meeting, meter);
  const path = [route.from];
  let node = route.from;
  for (let left = start.steps + end.steps - 1; left >= 0; left -= 1) {
    const layer = { nodes: layers[left] ?? [], has: (next: number) => end.levels.of(next) === left };
    let first = Number.POSITIVE_INFINITY;
    eachStepInto(layer, route.ways, node, meter, (next) => {
      if (next < first && !isBarred(route, node, next)) first = next;
    });
    if (meter.exhausted) return [];
    path.push(first);
    node = first;
  }
  return path;
}

/**
 * The nodes that may lie on the path, by the steps left from there to its end. Past the meeting that is every node that
 * the walk from the end reached; before it, those from which the meeting is reached: they get their levels here.
 */
function layersOf(start: Side, end: Side, meeting: readonly number[], meter: Meter): (readonly number[])[] {
  const layers = [...end.reached.slice(0, end.steps), meeting];
  for (let steps = start.steps - 1; steps > 0; steps -= 1) {
    const left = layers.length;
    const layer = {
      nodes: start.reached[steps] ?? [],
      has: (node: number) => start.levels.of(node) === steps && end.levels.of(node) < 0,
    };
    const found: number[] = [];
    for (const node of layers.at(-1) ?? []) {
      if (found.length === layer.nodes.length) break;
      eachStepInto(layer, end.ways, node, meter, (previous) => {
        end.levels.set(previous, left);
        found.push(previous);
      });
    }
    layers.push(found);
  }
  return layers;
}

/** Looking an edge up costs about as much as looking at this many. */
const costOfLookup = 16;

/** Gives `take` the nodes of a layer that are one step from a node, by way of the layer where the node is a hub. */
function eachStepInto(
  layer: Layer,
  ways: Ways,
  node: number,
  meter: Meter,
  take: (next: number) => void,
): void {
  const takeIfThere = (next: number): boolean => {
    if (layer.has(next)) take(next);
    return true;
  };
  if (layer.nodes.length * costOfLookup > edgesAhead(ways, node)) {
    eachStep(ways, node, meter, takeIfThere);
    return;
  }
  for (const next of layer.nodes) {
    if (!meter.step()) return;
    if (edgeTo(ways, node, next)) takeIfThere(next);
  }
}
