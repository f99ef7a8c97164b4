import type { ThreadRows } from "../model/graph-rows.ts";
import { at } from "./column.ts";
import type { EdgeLabels } from "./edge-labels.ts";
import { type EdgeTable, emptyTable, sortAndMerge } from "./edge-table.ts";
import type { IdLookup } from "./id-lookup.ts";
import { collectLabels } from "./label-collector.ts";
import { noParent } from "./node-columns.ts";
import { packIds, wordsPerId } from "./node-ids.ts";

/** Edges that are alike in everything but their ends. */
interface Run {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** By the collector's number. */
  readonly label: number;
  readonly count: number;
}

/**
 * All edges of a graph, sorted by where they begin, where they end and their label: the threads between its nodes,
 * and an edge from each parent to its child. Threads from or to anything else are left out.
 */
export function resolveEdges(
  threads: Iterable<ThreadRows>,
  parents: Uint32Array,
  lookUp: IdLookup,
): { edges: EdgeTable; labels: EdgeLabels } {
  const collector = collectLabels();
  const runs = [{ ...childEnds(parents), label: collector.numberOf("child", null), count: 1 }];
  for (const { ends, type, name, count } of threads) {
    runs.push({ ...resolvedEnds(ends, lookUp), label: collector.numberOf(type, name), count });
  }
  const { labels, ranks } = collector.sorted();
  const ranked = runs.splice(0).map((run) => ({ ...run, label: at(ranks, run.label) }));
  return { edges: sortAndMerge(tableOf(ranked.sort((a, b) => a.label - b.label)), parents.length), labels };
}

type Ends = Pick<Run, "from" | "to">;

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
  for (let thread = 0; thread < count; thread += 1) {
    const from = lookUp(ids, 2 * thread);
    const to = lookUp(ids, 2 * thread + 1);
    if (from >= 0 && to >= 0) length = addEdge(ends, length, from, to);
  }
  return firstEnds(ends, length);
}

function addEdge({ from, to }: Ends, length: number, begin: number, end: number): number {
  from[length] = begin;
  to[length] = end;
  return length + 1;
}

const firstEnds = ({ from, to }: Ends, length: number): Ends => ({
  from: from.subarray(0, length),
  to: to.subarray(0, length),
});

/** The edges of all runs, one run after the other. Takes the runs away. */
function tableOf(runs: Run[]): EdgeTable {
  const table = emptyTable(runs.reduce((sum, { from }) => sum + from.length, 0));
  let start = 0;
  for (const { from, to, label, count } of runs.splice(0)) {
    const end = start + from.length;
    table.from.set(from, start);
    table.to.set(to, start);
    table.labels.fill(label, start, end);
    table.counts.fill(count, start, end);
    start = end;
  }
  return table;
}
