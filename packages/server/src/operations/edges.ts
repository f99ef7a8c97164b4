import { type Edges, type EdgesQuery, edgeTypes, graphLimits } from "@clew/contract";
import { edgesAmong, type NodeId } from "@clew/graph";
import { locateNode, type ReadableGraph } from "../graphs/readable.ts";
import { ApiError } from "../model/api-error.ts";
import { presentEdge } from "../present/graph.ts";
import { readIds } from "./nodes.ts";
import { currentGraphsFor, type RequestContext } from "./request-context.ts";
import { ResponseBudget, sizeOfEdge, takeWhile } from "./response-budget.ts";
import { parseCommaList, walkLimits } from "./walks.ts";

/** The edges among several nodes (GRAPH-31). None leads from one workspace to another. */
export async function edges(ctx: RequestContext, query: EdgesQuery): Promise<Edges> {
  const { maximum } = graphLimits.edges;
  const ids = await readIds(ctx, query.ids, maximum);
  if (ids.length === 0)
    throw new ApiError("invalid_request", "The request names no nodes whose edges are to be listed.", {
      errors: [{ path: "?ids", message: `is empty: it must list 1 to ${maximum} nodes` }],
    });
  const readable = await currentGraphsFor(ctx);
  const missing: NodeId[] = [];
  const bySource = new Map<ReadableGraph, NodeId[]>();
  for (const id of ids) {
    const located = locateNode(readable, id);
    if (located === null) missing.push(id);
    else bySource.set(located.source, [...(bySource.get(located.source) ?? []), id]);
  }
  const options = {
    edgeTypes: parseCommaList(query.edge_type, edgeTypes),
    limits: walkLimits(ctx.services.monotonic),
  };
  const found = readable.map((source) => {
    const { edges, truncated } = edgesAmong(source.graph, bySource.get(source) ?? [], options);
    return { truncated, edges: edges.map((edge) => source.graph.edge(edge)) };
  });
  const all = found.flatMap((part) => part.edges);
  const budget = new ResponseBudget();
  const fitting = takeWhile(all, (edge) => budget.take(sizeOfEdge(edge)));
  return {
    items: fitting.map((edge) => presentEdge(edge)),
    missing,
    truncated: found.some(({ truncated }) => truncated) || fitting.length < all.length,
  };
}
