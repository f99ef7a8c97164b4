import { type GraphInput, graphLimits, type Related } from "@clew/contract";
import { related as findRelated } from "@clew/graph";
import { presentName, presentNode } from "../present/graph.ts";
import { locate, readNodeId } from "./nodes.ts";
import { currentGraphsFor, type RequestContext } from "./request-context.ts";
import { ResponseBudget, sizeOfName, sizeOfNode, takeWhile } from "./response-budget.ts";
import { walkLimits } from "./walks.ts";

/** Paths that one search may follow: some milliseconds' worth. */
export const maxPaths = 200_000;

/** Finds the nodes that share links with a node (GRAPH-21). */
export async function related(
  ctx: RequestContext,
  { id: about, linked = false, limit = graphLimits.related.standard }: GraphInput<"related">,
): Promise<Related> {
  const id = readNodeId(about);
  const { source, node } = locate(await currentGraphsFor(ctx), id);
  const { graph } = source;
  const limits = { ...walkLimits(ctx.services.monotonic), visits: maxPaths };
  const { items, truncated } = findRelated(graph, id, { linked, limit, limits });
  const found = items.map((item) => ({
    node: graph.nodeAt(item.node),
    score: item.score,
    reasons: item.reasons.map((reason) => ({
      ...reason,
      via: reason.via.map((index) => presentName(graph.nodeAt(index))),
    })),
  }));
  const budget = new ResponseBudget();
  const fitting = takeWhile(
    found,
    ({ node, reasons }) =>
      budget.take(sizeOfNode(node)) &&
      reasons.every(({ via }) => via.every(({ title }) => budget.take(sizeOfName(title)))),
  );
  return {
    node: presentNode(source, node),
    items: fitting.map((item) => ({ ...item, node: presentNode(source, item.node) })),
    truncated: truncated || fitting.length < found.length,
  };
}
