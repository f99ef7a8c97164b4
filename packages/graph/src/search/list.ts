import type { MatchKind, SortOrder } from "@clew/contract/vocabulary";
import { at, firstPosition, floatAt } from "../columns.ts";
import { degreeAt, type Graph } from "../graph.ts";
import type { NodeId } from "../node.ts";
import { countUpTo, idAt } from "../node-ids.ts";
import { compareByCodePoint, type NodeOrders } from "../orders.ts";
import { textOf } from "../packed-texts.ts";
import { RankSet } from "../rank-set.ts";
import { type FilteredNodes, filteredNodes, type NodeFilter } from "./node-filter.ts";
import { type Matches, matchesOf } from "./search.ts";

export interface ListOptions {
  /** Only nodes whose titles or aliases match; all nodes if absent. */
  readonly query?: string | undefined;
  readonly filter: NodeFilter;
  readonly sort: keyof NodeOrders;
  readonly order: SortOrder;
  /** The key of the last item so far, after which the list continues. It may be that of a node in another graph. */
  readonly after?: ListKey | undefined;
  readonly limit: number;
}

/** A node's position in a list. */
export interface ListKey {
  /** The value that the list is sorted by: a time, a number, or a folded title. */
  readonly value: number | string;
  readonly id: NodeId;
}

interface ListItem {
  /** The index of a node. */
  readonly node: number;
  readonly key: ListKey;
  /** The node's best match with the query; null without a query. */
  readonly best: { readonly match: MatchKind; readonly score: number } | null;
}

export interface NodeList {
  /** The first `limit` items after `after`. */
  readonly items: readonly ListItem[];
  /** The number of items in the whole list. */
  readonly total: number;
}

/** The order of a list, also across graphs: negative if `a` comes before `b`. Equal values go by id, whatever the order. */
export function compareListKeys(order: SortOrder): (a: ListKey, b: ListKey) => number {
  const sign = order === "asc" ? 1 : -1;
  return (a, b) => sign * compareValues(a.value, b.value) || (a.id < b.id ? -1 : Number(a.id > b.id));
}

function compareValues(a: ListKey["value"], b: ListKey["value"]): number {
  if (typeof a === "string" && typeof b === "string") return compareByCodePoint(a, b);
  return Number(a) - Number(b);
}

/** The nodes that pass a filter, and match a query if there is one, in an order (GRAPH-19). */
export function list(graph: Graph, options: ListOptions): NodeList {
  const { sort, order, after } = options;
  const matches = options.query === undefined ? null : matchesOf(graph, options.query);
  const filtered = filteredNodes(graph, options.filter);
  const wanted = filtered === null && matches === null ? null : wantedNodes(graph, filtered, matches);
  // There is nothing to look for after the last wanted node.
  const limit = Math.min(options.limit, wanted?.size() ?? graph.nodeCount);
  const column = graph.columns.orders[sort];
  const sortValue = (node: number) => listKeyAt(graph, sort, node).value;
  const take = order === "asc" ? takeAscending : takeDescending;
  const nodes = take({ column, sortValue, wanted, limit }, after && startAfter(graph, after));
  return {
    items: nodes.map((node) => ({
      node,
      key: listKeyAt(graph, sort, node),
      best: matches?.bestOf(node) ?? null,
    })),
    total: wanted === null ? graph.nodeCount : wanted.size(),
  };
}

/** The key of the node at an index. */
export function listKeyAt(graph: Graph, sort: keyof NodeOrders, node: number): ListKey {
  const { ids, nodes, importance, titles } = graph.columns;
  const sortValue: Readonly<Record<keyof NodeOrders, () => number | string>> = {
    updated: () => floatAt(nodes.updatedAt, node),
    created: () => floatAt(nodes.createdAt, node),
    title: () => textOf(titles.titles, node),
    degree: () => degreeAt(graph.columns, node),
    importance: () => importance[node] ?? 0,
  };
  return { value: sortValue[sort](), id: idAt(ids, node) };
}

function wantedNodes(graph: Graph, filtered: FilteredNodes | null, matches: Matches | null): RankSet {
  const wanted = new RankSet(graph.nodeCount);
  if (matches !== null) {
    matches.eachNode((node) => {
      if (filtered === null || filtered.has(node)) wanted.add(node);
    });
  } else filtered?.each((node) => wanted.add(node));
  return wanted;
}

interface Sorted {
  /** All nodes, ascending by value, then by id. */
  readonly column: Uint32Array;
  readonly sortValue: (node: number) => ListKey["value"];
  /** null if all nodes are. */
  readonly wanted: RankSet | null;
  readonly limit: number;
}

/** The start of a page: among nodes of this value, after those below the index. */
interface Start {
  readonly value: ListKey["value"];
  readonly firstNode: number;
}

const startAfter = (graph: Graph, { value, id }: ListKey): Start => ({
  value,
  firstNode: countUpTo(graph.columns.ids, id),
});

function takeAscending({ column, sortValue, wanted, limit }: Sorted, start?: Start): number[] {
  const isBehind =
    ({ value, firstNode }: Start) =>
    (node: number) => {
      const difference = compareValues(sortValue(node), value);
      return difference > 0 || (difference === 0 && node >= firstNode);
    };
  const taken: number[] = [];
  let position = start === undefined ? 0 : firstPosition(column, isBehind(start));
  for (; position < column.length && taken.length < limit; position += 1) {
    const node = at(column, position);
    if (wanted === null || wanted.has(node)) taken.push(node);
  }
  return taken;
}

/** Goes backwards, but among nodes of one value forwards: those are in the order of ids in both directions. */
function takeDescending({ column, sortValue, wanted, limit }: Sorted, start?: Start): number[] {
  const taken: number[] = [];
  const isWanted = (position: number) => wanted === null || wanted.has(at(column, position));
  const takeGroup = (end: number, firstNode: number): number => {
    const value = sortValue(at(column, end - 1));
    const first = firstPosition(column, (node) => compareValues(sortValue(node), value) >= 0);
    for (let position = first; position < end && taken.length < limit; position += 1) {
      if (isWanted(position) && at(column, position) >= firstNode) taken.push(at(column, position));
    }
    return first;
  };
  let end = column.length;
  if (start !== undefined) {
    end = firstPosition(column, (node) => compareValues(sortValue(node), start.value) > 0);
    const hasGroup = end > 0 && compareValues(sortValue(at(column, end - 1)), start.value) === 0;
    if (hasGroup) end = takeGroup(end, start.firstNode);
  }
  while (taken.length < limit) {
    // Groups without a wanted node are passed over without a look at their values.
    while (end > 0 && !isWanted(end - 1)) end -= 1;
    if (end === 0) break;
    end = takeGroup(end, 0);
  }
  return taken;
}
