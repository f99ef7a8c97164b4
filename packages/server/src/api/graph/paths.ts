import { edgeTypes, graphLimits, Paths, PathsQuery, Problem, ref } from "@clew/contract";
import { paths } from "../../graph/walk/paths.ts";
import { whenThere } from "../../model/awaitable.ts";
import { parseNodeId } from "../../model/node-id.ts";
import { presentPaths } from "../../present/paths.ts";
import type { App } from "../app-instance.ts";
import { wordsOf } from "./comma-list.ts";
import { routeOf } from "./door.ts";
import { malformedIds, nodeAmong } from "./node-ids.ts";
import { askedOf, graphsFor, type Reading } from "./reading.ts";
import { walkBudget } from "./walk-budget.ts";

/** `GET …/paths/`: the shortest simple paths between two nodes (GRAPH-8). */
export function pathsRoute(app: App, reading: Reading): void {
  const { path, summary, config } = routeOf(reading.door, "paths");
  app.get(
    path,
    {
      config,
      schema: { summary, querystring: PathsQuery, response: { 200: ref(Paths), default: ref(Problem) } },
    },
    (request) => {
      const { query } = request;
      const maxDepth = query.max_depth ?? graphLimits.paths.standardDepth;
      const ends = readEnds(query);
      return whenThere(graphsFor(reading, request), (readable) => {
        const { source } = nodeAmong(readable, ends.from);
        const target = nodeAmong(readable, ends.to);
        // Threads do not lead from one workspace to another: their graphs share no edge.
        if (source !== target.source) return presentPaths(source, nothingFound, maxDepth);
        return reading.answers.remember(askedOf(reading, request, readable), () => {
          const found = paths(source.graph, ends.from, ends.to, {
            direction: query.direction ?? "both",
            edgeTypes: wordsOf(query.edge_type, edgeTypes),
            maxDepth,
            maxPaths: query.max_paths ?? 1,
            budget: walkBudget(reading.monotonic),
          });
          const size = found.paths.reduce((sum, { nodes, edges }) => sum + nodes.length + edges.length, 0);
          return { message: presentPaths(source, found, maxDepth), size, isLasting: found.complete };
        });
      });
    },
  );
}

const nothingFound = { status: "none", complete: true, paths: [], visited: 0 } as const;

function readEnds(query: PathsQuery): { from: string; to: string } {
  const from = parseNodeId(query.from);
  const to = parseNodeId(query.to);
  if (from !== null && to !== null) return { from, to };
  throw malformedIds([...(from === null ? ["from"] : []), ...(to === null ? ["to"] : [])]);
}
