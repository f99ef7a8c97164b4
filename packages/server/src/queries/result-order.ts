import type { SearchSort, SortOrder } from "@clew/contract";
import { type Graph, listKeyAt } from "@clew/graph";
import type { FoundPage } from "@clew/text-index";

/** The orders of each graph's nodes that were asked for, as the rank of each node. */
const computed = new WeakMap<Graph, Map<string, Uint32Array>>();

/** The position of each node in the order of results; by relevance, among nodes with the same score. */
export function ranksFor(graph: Graph, sort: SearchSort, order: SortOrder): Uint32Array {
  if (sort === "relevance") return graph.columns.ranks;
  const known = computed.get(graph) ?? new Map<string, Uint32Array>();
  computed.set(graph, known);
  const key = `${sort} ${order}`;
  const ranks = known.get(key) ?? (order === "asc" ? ascending(graph, sort) : descending(graph, sort));
  known.set(key, ranks);
  return ranks;
}

type ListSort = Exclude<SearchSort, "relevance">;

function ascending(graph: Graph, sort: ListSort): Uint32Array {
  const ranks = new Uint32Array(graph.nodeCount);
  graph.columns.orders[sort].forEach((node, rank) => {
    ranks[node] = rank;
  });
  return ranks;
}

/** The other way round, but nodes of one value stay in the order of their ids. */
function descending(graph: Graph, sort: ListSort): Uint32Array {
  const order = graph.columns.orders[sort];
  const ranks = new Uint32Array(graph.nodeCount);
  let rank = 0;
  for (let end = order.length; end > 0; ) {
    const value = valueAt(graph, sort, order, end - 1);
    let start = end - 1;
    while (start > 0 && valueAt(graph, sort, order, start - 1) === value) start -= 1;
    for (let position = start; position < end; position += 1) {
      ranks[order[position] ?? 0] = rank;
      rank += 1;
    }
    end = start;
  }
  return ranks;
}

const valueAt = (graph: Graph, sort: ListSort, order: Uint32Array, position: number) =>
  listKeyAt(graph, sort, order[position] ?? 0).value;

/** GRAPH-28: `all` first, then score, importance, latest update, id. */
export function relevanceOrder(a: FoundPage, of: Graph, b: FoundPage, other: Graph): number {
  if (a.all !== b.all) return a.all ? -1 : 1;
  if (a.score !== b.score) return b.score - a.score;
  const [one, second] = [of.columns, other.columns];
  const importance = (second.importance[b.node] ?? 0) - (one.importance[a.node] ?? 0);
  if (importance !== 0) return importance;
  const updated = (second.nodes.updatedAt[b.node] ?? 0) - (one.nodes.updatedAt[a.node] ?? 0);
  if (updated !== 0) return updated;
  return of.nodeAt(a.node).id < other.nodeAt(b.node).id ? -1 : 1;
}
