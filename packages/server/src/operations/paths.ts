import { edgeTypes, graphLimits, type Paths, type PathsQuery } from "@clew/contract";
import { paths as findPaths } from "../graph/walk/paths.ts";
import { type Awaitable, whenThere } from "../model/awaitable.ts";
import { parseNodeId } from "../model/node-id.ts";
import { presentPaths } from "../present/paths.ts";
import { type Asking, askedOf, graphsFor } from "./asking.ts";
import { wordsOf } from "./comma-list.ts";
import { malformedIds, nodeAmong } from "./node-ids.ts";
import { walkBudget } from "./walk-budget.ts";

/** The shortest simple paths between two nodes (GRAPH-8). */
export function paths(asking: Asking, query: PathsQuery): Awaitable<Paths> {
  const { answers, monotonic } = asking.reading;
  const maxDepth = query.max_depth ?? graphLimits.paths.standardDepth;
  const ends = readEnds(query);
  return whenThere(graphsFor(asking), (readable) => {
    const { source } = nodeAmong(readable, ends.from);
    const target = nodeAmong(readable, ends.to);
    // Threads do not lead from one workspace to another: their graphs share no edge.
    if (source !== target.source) return presentPaths(source, nothingFound, maxDepth);
    const connections = readable.map(({ connection }) => connection);
    return answers.remember(askedOf(asking, connections, readable), () => {
      const found = findPaths(source.graph, ends.from, ends.to, {
        direction: query.direction ?? "both",
        edgeTypes: wordsOf(query.edge_type, edgeTypes),
        maxDepth,
        maxPaths: query.max_paths ?? 1,
        budget: walkBudget(monotonic),
      });
      const size = found.paths.reduce((sum, { nodes, edges }) => sum + nodes.length + edges.length, 0);
      return { message: presentPaths(source, found, maxDepth), size, isLasting: found.complete };
    });
  });
}

const nothingFound = { status: "none", complete: true, paths: [], visited: 0 } as const;

function readEnds(query: PathsQuery): { from: string; to: string } {
  const from = parseNodeId(query.from);
  const to = parseNodeId(query.to);
  if (from !== null && to !== null) return { from, to };
  throw malformedIds([...(from === null ? ["from"] : []), ...(to === null ? ["to"] : [])]);
}
