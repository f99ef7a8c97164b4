import type { EdgeRows } from "./adjacency.ts";
import { addUp, at, countKeys, narrowAt, narrowColumn, narrowed, startsOf } from "./columns.ts";
import { type EdgeLabels, LabelCollector } from "./edge.ts";
import type { ReferenceRows } from "./graph-rows.ts";
import { noParent } from "./node-columns.ts";
import { type IdLookup, packIds, wordsPerId } from "./node-ids.ts";

interface Ends {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

/** Edges that differ only in their ends. */
interface EdgeBatch extends Ends {
  readonly label: number;
  readonly count: number;
}

/** The edges of a graph, in rows of their sources. */
export interface ResolvedEdges {
  readonly edges: EdgeRows;
  readonly labels: EdgeLabels;
  /** 1 for each node with a reference to something that is not in the graph. */
  readonly broken: Uint8Array;
}

/**
 * The edges of a graph: the given references between its nodes, and an edge from each parent to its child. References from or to anything else, and of a node to itself, are left out; equal edges become one.
 *
 * Transposing twice sorts each row: rows of targets are filled in the order of labels, and their transposition visits
 * the targets in order.
 */
export function resolveEdges(
  references: Iterable<ReferenceRows>,
  parents: Uint32Array,
  lookUp: IdLookup,
): ResolvedEdges {
  const broken = new Uint8Array(parents.length);
  const collector = new LabelCollector();
  const batches = [{ ...childEnds(parents), label: collector.numberOf("child", null), count: 1 }];
  for (const { ends, type, name, count } of references) {
    const resolved = resolvedEnds(ends, lookUp, broken);
    if (resolved.from.length > 0) batches.push({ ...resolved, label: collector.numberOf(type, name), count });
  }
  const { labels, indexes } = collector.sorted();
  const sorted = batches
    .map((batch) => ({ ...batch, label: indexes.get(batch.label) ?? 0 }))
    .sort((a, b) => a.label - b.label);
  return { edges: coalesced(transposed(rowsOfTargets(sorted, parents.length))), labels, broken };
}

function childEnds(parents: Uint32Array): Ends {
  const ends = { from: new Uint32Array(parents.length), to: new Uint32Array(parents.length) };
  let length = 0;
  for (let node = 0; node < parents.length; node += 1) {
    const parent = at(parents, node);
    if (parent !== noParent) length = addEdge(ends, length, parent, node);
  }
  return firstEnds(ends, length);
}

function resolvedEnds(bytes: Uint8Array, lookUp: IdLookup, broken: Uint8Array): Ends {
  const ids = packIds(bytes);
  const count = ids.length / wordsPerId / 2;
  const ends = { from: new Uint32Array(count), to: new Uint32Array(count) };
  let length = 0;
  for (let reference = 0; reference < count; reference += 1) {
    const from = lookUp(ids, 2 * reference);
    const to = lookUp(ids, 2 * reference + 1);
    if (from < 0) continue;
    if (to >= 0) length = addEdge(ends, length, from, to);
    else broken[from] = 1;
  }
  return firstEnds(ends, length);
}

/** Returns the new length. Leaves out edges from a node to itself. */
function addEdge({ from, to }: Ends, length: number, source: number, target: number): number {
  if (source === target) return length;
  from[length] = source;
  to[length] = target;
  return length + 1;
}

const firstEnds = ({ from, to }: Ends, length: number): Ends => ({
  from: from.subarray(0, length),
  to: to.subarray(0, length),
});

/** The edges in rows of their targets, each row in the order of the batches. */
function rowsOfTargets(batches: readonly EdgeBatch[], nodeCount: number): EdgeRows {
  const offsets = new Uint32Array(nodeCount + 1);
  for (const { to } of batches) countKeys(to, offsets);
  addUp(offsets);
  const length = at(offsets, nodeCount);
  const largest = (key: "label" | "count") => batches.reduce((max, batch) => Math.max(max, batch[key]), 0);
  const nodes = new Uint32Array(length);
  const labels = narrowColumn(length, largest("label"));
  const counts = narrowColumn(length, largest("count"));
  const next = offsets.slice();
  for (const { from, to, label, count } of batches) {
    for (let edge = 0; edge < to.length; edge += 1) {
      const node = at(to, edge);
      const slot = at(next, node);
      next[node] = slot + 1;
      nodes[slot] = at(from, edge);
      labels[slot] = label;
      counts[slot] = count;
    }
  }
  return { offsets, nodes, labels, counts };
}

/**
 * The same edges in rows of their other ends. A row comes out sorted by the nodes in it; edges between the same two
 * nodes keep their order.
 */
export function transposed({ offsets, nodes, labels, counts }: EdgeRows): EdgeRows {
  const starts = startsOf(nodes, offsets.length - 1);
  const next = starts.slice();
  const rows = {
    offsets: starts,
    nodes: new Uint32Array(nodes.length),
    labels: labels.slice(),
    counts: counts.slice(),
  };
  for (let node = 0; node + 1 < offsets.length; node += 1) {
    const end = at(offsets, node + 1);
    for (let position = at(offsets, node); position < end; position += 1) {
      const other = at(nodes, position);
      const slot = at(next, other);
      next[other] = slot + 1;
      rows.nodes[slot] = node;
      rows.labels[slot] = narrowAt(labels, position);
      rows.counts[slot] = narrowAt(counts, position);
    }
  }
  return rows;
}

const maxCount = 0xffff_ffff;

/** Merges adjacent edges with the same other end and label and sums their counts. Overwrites its input. */
function coalesced({ offsets, nodes, labels, counts }: EdgeRows): EdgeRows {
  const sums = new Uint32Array(nodes.length);
  let length = 0;
  let start = 0;
  for (let node = 0; node + 1 < offsets.length; node += 1) {
    const first = length;
    const end = at(offsets, node + 1);
    for (let position = start; position < end; position += 1) {
      const [other, label] = [at(nodes, position), narrowAt(labels, position)];
      const last = length - 1;
      if (length === first || at(nodes, last) !== other || narrowAt(labels, last) !== label) {
        nodes[length] = other;
        labels[length] = label;
        length += 1;
      }
      sums[length - 1] = Math.min(at(sums, length - 1) + narrowAt(counts, position), maxCount);
    }
    start = end;
    offsets[node + 1] = length;
  }
  const isUnchanged = length === nodes.length;
  return {
    offsets,
    nodes: isUnchanged ? nodes : nodes.slice(0, length),
    labels: isUnchanged ? labels : labels.slice(0, length),
    counts: narrowed(sums.subarray(0, length)),
  };
}
