import type { EdgeRows } from "./adjacency.ts";
import { at, byteAt, narrowAt, narrowColumn, narrowed } from "./columns.ts";
import { LabelCollector, labelAt } from "./edge.ts";
import type { GraphColumns } from "./graph.ts";
import { type IdLookup, packIds, wordsPerId } from "./node-ids.ts";
import type { ResolvedEdges } from "./resolve-edges.ts";
import { traitSet } from "./traits.ts";

/**
 * All edges of a graph that has the nodes of an earlier one: those of `renewed`, which has all `child` edges and the references of
 * the nodes with the ids in `sources`, and the references of all other nodes as they were.
 */
export function withKeptEdges(
  renewed: ResolvedEdges,
  sources: Uint8Array,
  lookUp: IdLookup,
  earlier: Pick<GraphColumns, "out" | "labels" | "traits">,
): ResolvedEdges {
  const isSource = new Uint8Array(renewed.broken.length);
  const ids = packIds(sources);
  for (let source = 0; source < ids.length / wordsPerId; source += 1) {
    const node = lookUp(ids, source);
    if (node >= 0) isSource[node] = 1;
  }
  const kept = keptReferences(earlier, isSource);
  const collector = new LabelCollector();
  const numbersOf = (labels: ResolvedEdges["labels"], isUsed: (label: number) => boolean) =>
    labels.labels.map(({ type, name }, label) => (isUsed(label) ? collector.numberOf(type, name) : -1));
  const ofRenewed = numbersOf(renewed.labels, () => true);
  const ofKept = numbersOf(earlier.labels, (label) => kept.labelsUsed.has(label));
  const { labels, indexes } = collector.sorted();
  const indexesOf = (numbers: readonly number[]) =>
    Uint32Array.from(numbers, (number) => indexes.get(number) ?? 0);
  const edges = united(
    { rows: renewed.edges, labels: indexesOf(ofRenewed) },
    { rows: kept.rows, labels: indexesOf(ofKept) },
    labels.labels.length,
  );
  const unresolved = traitSet(["broken"]);
  const broken = renewed.broken.map((isBroken, node) =>
    byteAt(isSource, node) === 1 ? isBroken : Number(((earlier.traits[node] ?? 0) & unresolved) !== 0),
  );
  return { edges, labels, broken };
}

/** The references of an earlier graph but those of the nodes that are sources, and the labels that they have. */
function keptReferences(
  { out, labels }: Pick<GraphColumns, "out" | "labels">,
  isSource: Uint8Array,
): { readonly rows: EdgeRows; readonly labelsUsed: ReadonlySet<number> } {
  const isChild = Uint8Array.from(labels.labels, (_, label) =>
    Number(labelAt(labels, label).type === "child"),
  );
  const isUsed = new Uint8Array(labels.labels.length);
  const nodes = new Uint32Array(out.nodes.length);
  const labelsOf = out.labels.slice();
  const counts = out.counts.slice();
  const offsets = new Uint32Array(out.offsets.length);
  let length = 0;
  for (let node = 0; node + 1 < offsets.length; node += 1) {
    const end = at(out.offsets, node + 1);
    for (let position = at(out.offsets, node); position < end; position += 1) {
      const label = narrowAt(out.labels, position);
      if (byteAt(isSource, node) === 1 || byteAt(isChild, label) === 1) continue;
      isUsed[label] = 1;
      nodes[length] = at(out.nodes, position);
      labelsOf[length] = label;
      counts[length] = narrowAt(out.counts, position);
      length += 1;
    }
    offsets[node + 1] = length;
  }
  return {
    rows: { offsets, nodes, labels: labelsOf, counts },
    labelsUsed: new Set(labels.labels.keys().filter((label) => byteAt(isUsed, label) === 1)),
  };
}

/** Edges with other numbers for their labels. Those must ascend as the labels of the edges do. */
interface Relabelled {
  readonly rows: EdgeRows;
  readonly labels: Uint32Array;
}

/** The edges of both, each row sorted. None may be in both. */
function united(one: Relabelled, other: Relabelled, labelCount: number): EdgeRows {
  const nodeCount = one.rows.offsets.length - 1;
  const length = at(one.rows.offsets, nodeCount) + at(other.rows.offsets, nodeCount);
  const offsets = new Uint32Array(nodeCount + 1);
  const nodes = new Uint32Array(length);
  const labels = narrowColumn(length, labelCount - 1);
  const counts = new Uint32Array(length);
  let end = 0;
  const take = ({ rows, labels: numbers }: Relabelled, position: number) => {
    nodes[end] = at(rows.nodes, position);
    labels[end] = at(numbers, narrowAt(rows.labels, position));
    counts[end] = narrowAt(rows.counts, position);
    end += 1;
  };
  for (let node = 0; node < nodeCount; node += 1) {
    let first = at(one.rows.offsets, node);
    let second = at(other.rows.offsets, node);
    const [firstEnd, secondEnd] = [at(one.rows.offsets, node + 1), at(other.rows.offsets, node + 1)];
    while (first < firstEnd && second < secondEnd) {
      const order =
        at(one.rows.nodes, first) - at(other.rows.nodes, second) ||
        at(one.labels, narrowAt(one.rows.labels, first)) -
          at(other.labels, narrowAt(other.rows.labels, second));
      if (order < 0) take(one, first++);
      else take(other, second++);
    }
    while (first < firstEnd) take(one, first++);
    while (second < secondEnd) take(other, second++);
    offsets[node + 1] = end;
  }
  return { offsets, nodes, labels, counts: narrowed(counts) };
}
