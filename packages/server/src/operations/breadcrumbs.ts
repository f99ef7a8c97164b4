import { graphLimits, type SearchResults } from "@clew/contract";
import type { GraphNode, NodeId } from "@clew/graph";
import type { ReadableGraph } from "../graphs/readable.ts";
import { presentName } from "../present/graph.ts";
import { ResponseBudget, sizeOfName, takeWhile } from "./response-budget.ts";

type ListedBreadcrumb = Pick<SearchResults["items"][number], "breadcrumb" | "breadcrumb_truncated">;

/** The place of a page in a list: its nearest ancestors, root first (GRAPH-2, GRAPH-17). */
export function listedBreadcrumb({ graph }: ReadableGraph, id: NodeId): ListedBreadcrumb {
  const { levels, bytes } = graphLimits.breadcrumb;
  // One more than is listed tells whether there are more.
  const ancestors = graph.breadcrumb(id, levels + 1);
  const fitting = nearestOf(ancestors.slice(-levels), bytes);
  return {
    breadcrumb: fitting.map(presentName),
    ...(fitting.length < ancestors.length && { breadcrumb_truncated: true }),
  };
}

/** The nearest ancestors that fit into `bytes` of a response; both lists have the root first. */
export function nearestOf(ancestors: readonly GraphNode[], bytes: number): readonly GraphNode[] {
  const budget = new ResponseBudget(bytes);
  return takeWhile(ancestors.toReversed(), ({ title }) => budget.take(sizeOfName(title))).toReversed();
}
