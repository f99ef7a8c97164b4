import { edgeTypes, graphLimits, type Paths, type PathsQuery } from "@clew/contract";
import { type Paths as FoundPaths, paths as findPaths, type Graph, parseNodeId } from "@clew/graph";
import { type Awaitable, whenThere } from "../model/awaitable.ts";
import { presentPaths } from "../present/paths.ts";
import { AnswerRoom, sizeOfEdge, sizeOfNode } from "./answer-size.ts";
import { parseCommaList } from "./comma-list.ts";
import { malformedIds, nodeAmong } from "./node-ids.ts";
import { cacheKeyOf, currentGraphsFor, type RequestContext } from "./request-context.ts";
import { walkLimits } from "./walk-limits.ts";

/** The shortest simple paths between two nodes (GRAPH-8). */
export function paths(ctx: RequestContext, query: PathsQuery): Awaitable<Paths> {
  const { responses, monotonic } = ctx.services;
  const maxDepth = query.max_depth ?? graphLimits.paths.standardDepth;
  const ends = readEnds(query);
  return whenThere(currentGraphsFor(ctx), (readable) => {
    const { source } = nodeAmong(readable, ends.from);
    const target = nodeAmong(readable, ends.to);
    // References do not lead from one workspace to another: their graphs share no edge.
    if (source !== target.source) return presentPaths(source, nothingFound, maxDepth);
    const connections = readable.map(({ connection }) => connection);
    return responses.remember(cacheKeyOf(ctx, connections, readable), () => {
      const found = findPaths(source.graph, ends.from, ends.to, {
        direction: query.direction ?? "both",
        edgeTypes: parseCommaList(query.edge_type, edgeTypes),
        maxDepth,
        maxPaths: query.max_paths ?? 1,
        limits: walkLimits(monotonic),
      });
      const fitting = fittingPaths(source.graph, found);
      return { message: presentPaths(source, fitting, maxDepth), isRepeatable: fitting.complete };
    });
  });
}

/** The paths before the first that no longer fits an answer. */
function fittingPaths(graph: Graph, found: FoundPaths): FoundPaths {
  const room = new AnswerRoom();
  const sizeOf = ({ nodes, edges }: FoundPaths["paths"][number]) =>
    nodes.reduce((sum, node) => sum + sizeOfNode(graph.nodeAt(node)), 0) +
    edges.reduce((sum, edge) => sum + sizeOfEdge(graph.edge(edge)), 0);
  const end = found.paths.findIndex((path) => !room.takes(sizeOf(path)));
  return end < 0 ? found : { ...found, complete: false, paths: found.paths.slice(0, end) };
}

const nothingFound = { status: "none", complete: true, paths: [], visited: 0 } as const;

function readEnds(query: PathsQuery): { from: string; to: string } {
  const from = parseNodeId(query.from);
  const to = parseNodeId(query.to);
  if (from !== null && to !== null) return { from, to };
  throw malformedIds([...(from === null ? ["from"] : []), ...(to === null ? ["to"] : [])]);
}
