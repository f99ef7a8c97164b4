import { at } from "./column.ts";
import { addUp, countKeys } from "./counting-sort.ts";
import type { EdgeLabels } from "./edge-labels.ts";
import { coalesced, type EdgeRows, transposed } from "./edge-rows.ts";
import type { ReferenceRows } from "./graph-rows.ts";
import type { IdLookup } from "./id-lookup.ts";
import { collectLabels } from "./label-collector.ts";
import { narrowColumn } from "./narrow-column.ts";
import { noParent } from "./node-columns.ts";
import { packIds, wordsPerId } from "./node-ids.ts";

/** Edges that are alike in everything but their ends. */
interface EdgeRun {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** By the collector's number. */
  readonly label: number;
  readonly count: number;
}

/**
 * All edges of a graph: the references between its nodes, and an edge from each parent to its child. References from or to
 * anything else, and of a node to itself, are left out. They come in rows of the nodes that they leave, each in the
 * order of the other ends, then of the labels: turning rows about twice sorts them. Those that are alike are one.
 */
export function resolveEdges(
  references: Iterable<ReferenceRows>,
  parents: Uint32Array,
  lookUp: IdLookup,
): { edges: EdgeRows; labels: EdgeLabels } {
  const collector = collectLabels();
  const runs = [{ ...childEnds(parents), label: collector.numberOf("child", null), count: 1 }];
  for (const { ends, type, name, count } of references) {
    runs.push({ ...resolvedEnds(ends, lookUp), label: collector.numberOf(type, name), count });
  }
  const { labels, ranks } = collector.sorted();
  const ranked = runs
    .map((run) => ({ ...run, label: at(ranks, run.label) }))
    .sort((a, b) => a.label - b.label);
  return { edges: coalesced(transposed(arriving(ranked, parents.length))), labels };
}

type Ends = Pick<EdgeRun, "from" | "to">;

function childEnds(parents: Uint32Array): Ends {
  const ends = { from: new Uint32Array(parents.length), to: new Uint32Array(parents.length) };
  let length = 0;
  for (let node = 0; node < parents.length; node += 1) {
    const parent = at(parents, node);
    if (parent !== noParent) length = addEdge(ends, length, parent, node);
  }
  return firstEnds(ends, length);
}

function resolvedEnds(bytes: Uint8Array, lookUp: IdLookup): Ends {
  const ids = packIds(bytes);
  const count = ids.length / wordsPerId / 2;
  const ends = { from: new Uint32Array(count), to: new Uint32Array(count) };
  let length = 0;
  for (let reference = 0; reference < count; reference += 1) {
    const from = lookUp(ids, 2 * reference);
    const to = lookUp(ids, 2 * reference + 1);
    if (from >= 0 && to >= 0) length = addEdge(ends, length, from, to);
  }
  return firstEnds(ends, length);
}

/** What leads from a node to itself is no edge. */
function addEdge({ from, to }: Ends, length: number, begin: number, end: number): number {
  if (begin === end) return length;
  from[length] = begin;
  to[length] = end;
  return length + 1;
}

const firstEnds = ({ from, to }: Ends, length: number): Ends => ({
  from: from.subarray(0, length),
  to: to.subarray(0, length),
});

/** The edges in rows of the nodes that they reach, each in the order of the runs. */
function arriving(runs: readonly EdgeRun[], nodeCount: number): EdgeRows {
  const offsets = new Uint32Array(nodeCount + 1);
  for (const { to } of runs) countKeys(to, offsets);
  addUp(offsets);
  const length = at(offsets, nodeCount);
  const largest = (key: "label" | "count") => runs.reduce((most, run) => Math.max(most, run[key]), 0);
  const nodes = new Uint32Array(length);
  const labels = narrowColumn(length, largest("label"));
  const counts = narrowColumn(length, largest("count"));
  const next = offsets.slice();
  for (const { from, to, label, count } of runs) {
    for (let edge = 0; edge < to.length; edge += 1) {
      const node = at(to, edge);
      const place = at(next, node);
      next[node] = place + 1;
      nodes[place] = at(from, edge);
      labels[place] = label;
      counts[place] = count;
    }
  }
  return { offsets, nodes, labels, counts };
}
