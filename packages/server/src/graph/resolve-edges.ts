import type { Thread } from "../model/edge.ts";
import type { NodeId } from "../model/node-id.ts";
import { at } from "./column.ts";
import type { EdgeLabels } from "./edge-labels.ts";
import { type EdgeTable, emptyTable, firstRows, sortAndMerge } from "./edge-table.ts";
import { collectLabels } from "./label-collector.ts";
import { noParent } from "./node-columns.ts";
import { indexOf, type NodeIds } from "./node-ids.ts";

/**
 * All edges of a graph, sorted by where they begin, where they end and their label: the threads between its nodes,
 * and an edge from each parent to its child. Threads from or to anything else are left out.
 */
export function resolveEdges(
  threads: readonly { readonly from: NodeId; readonly thread: Thread }[],
  parents: Uint32Array,
  ids: NodeIds,
): { edges: EdgeTable; labels: EdgeLabels } {
  const collector = collectLabels();
  const rows = emptyTable(threads.length + parents.length);
  let length = 0;
  const add = (from: number, to: number, label: number, count: number) => {
    rows.from[length] = from;
    rows.to[length] = to;
    rows.labels[length] = label;
    rows.counts[length] = count;
    length += 1;
  };

  const child = collector.numberOf("child", null);
  parents.forEach((parent, node) => {
    if (parent !== noParent) add(parent, node, child, 1);
  });
  let last = { id: "", index: -1 };
  for (const { from, thread } of threads) {
    // Threads usually come node by node.
    if (from !== last.id) last = { id: from, index: indexOf(ids, from) };
    const target = indexOf(ids, thread.targetId);
    if (last.index < 0 || target < 0) continue;
    add(last.index, target, collector.numberOf(thread.type, thread.name), thread.count);
  }

  const { labels, ranks } = collector.sorted();
  const edges = firstRows({ ...rows, labels: rows.labels.map((number) => at(ranks, number)) }, length);
  return { edges: sortAndMerge(edges, { nodes: parents.length, labels: ranks.length }), labels };
}
