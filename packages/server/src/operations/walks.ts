import {
  edgeTypes,
  type GraphInput,
  graphLimits,
  type Neighbors,
  nodeTypes,
  type Paths,
  type PathsQuery,
} from "@clew/contract";
import {
  type Neighbors as FoundNeighbors,
  type Paths as FoundPaths,
  type Graph,
  type GraphEdge,
  type NodeId,
  type WalkLimits,
  paths as walkPaths,
  neighbors as walkToNeighbors,
} from "@clew/graph";
import { graphsOfList } from "../graphs/readable.ts";
import { presentEdge, presentNode } from "../present/graph.ts";
import { excerptsOf } from "./excerpts.ts";
import { locate, malformedIds, nodeNamed, readNodeId } from "./nodes.ts";
import {
  currentGraphsFor,
  listCursors,
  type RequestContext,
  readableConnectionsOf,
} from "./request-context.ts";
import { excerptsBytes, ResponseBudget, sizeOfEdge, sizeOfNode, takeWhile } from "./response-budget.ts";

/** Nodes that one walk may visit. The largest workspaces have as many, so most walks are ended only by time. */
const maxVisitedNodes = 1_000_000;

/** Milliseconds that one walk may take: no other request is served meanwhile. */
const maxWalkMs = 100;

/**
 * A share of the budget of a walk that begins now, on a monotonic clock in milliseconds (GRAPH-9). A short walk looks at the clock
 * once, at its first edge: that never ends it, since only a pause of the process can have taken the time.
 */
export function walkLimits(monotonic: () => number, share = 1): WalkLimits {
  const deadline = monotonic() + share * maxWalkMs;
  let isFirst = true;
  const expired = () => {
    const isLate = !isFirst && monotonic() >= deadline;
    isFirst = false;
    return isLate;
  };
  return { visits: share * maxVisitedNodes, expired };
}

/** The end of a page of neighbours: the connection, its graph version, and the number of neighbours so far. */
interface Position {
  readonly connection: number;
  readonly version: number;
  readonly offset: number;
}

/** The neighbours of a node, nearest first (GRAPH-7). */
export async function neighbors(ctx: RequestContext, input: GraphInput<"neighbors">): Promise<Neighbors> {
  const { direction = "both", edge_type, node_type, depth = 1, limit, cursor, excerpts = false } = input;
  const { database, graphs, monotonic } = ctx.services;
  const { standard, withExcerpts } = graphLimits.neighbors;
  const id = readNodeId(input.id);
  const readable = readableConnectionsOf(ctx);
  const cursors = listCursors<Position>(ctx, readable, {
    operation: "neighbors",
    version: 1,
    parameters: [id, direction, edge_type ?? null, node_type ?? null, depth],
  });
  const position = cursor === undefined ? null : cursors.decode(cursor);
  const sources = await graphsOfList(
    graphs,
    position ? readable.filter(({ id }) => id === position.connection) : readable,
    position ? [position.version] : undefined,
  );
  const { source, node } = locate(sources, id);
  const { connection, graph, version } = source;
  const offset = position?.offset ?? 0;
  const found = walkToNeighbors(graph, id, {
    direction,
    edgeTypes: parseCommaList(edge_type, edgeTypes),
    nodeTypes: parseCommaList(node_type, nodeTypes),
    depth,
    offset,
    limit: Math.min(limit ?? standard, excerpts ? withExcerpts : Number.POSITIVE_INFINITY),
    limits: walkLimits(monotonic),
  });
  const page = fitNeighbors(graph, found, excerpts);
  const edges = page.items.flatMap((item) => item.edges);
  const excerptsIn = excerpts ? await excerptsOf(database, source, edges) : () => null;
  const next = { connection: connection.id, version, offset: offset + page.items.length };
  return {
    node: presentNode(source, node),
    items: page.items.map(({ node, depth, edges }) => ({
      node: presentNode(source, node),
      depth,
      edges: edges.map((edge) => presentEdge(edge, excerptsIn(edge))),
    })),
    next_cursor: page.more ? cursors.encode(next) : null,
    truncated: page.truncated,
    visited: page.visited,
  };
}

/** The items that fit into a response, in order. If even the first does not, it loses edges. */
function fitNeighbors(graph: Graph, found: FoundNeighbors, excerpts: boolean) {
  const items = found.items.map(({ node, depth, edges }) => ({
    node: graph.nodeAt(node),
    depth,
    edges: edges.map((edge) => graph.edge(edge)),
  }));
  const budget = new ResponseBudget();
  const takeEdge = (edge: GraphEdge) => budget.take(sizeOfEdgeWith(excerpts, edge));
  const fitting = takeWhile(
    items,
    ({ node, edges }) => budget.take(sizeOfNode(node)) && edges.every(takeEdge),
  );
  const [first] = items;
  if (fitting.length === items.length || first === undefined) return { ...found, items };
  if (fitting.length > 0) return { ...found, items: fitting, more: true };
  const edgeBudget = new ResponseBudget();
  const edges = takeWhile(first.edges, (edge) => edgeBudget.take(sizeOfEdgeWith(excerpts, edge)));
  return { ...found, items: [{ ...first, edges }], more: found.more || items.length > 1, truncated: true };
}

function sizeOfEdgeWith(excerpts: boolean, edge: GraphEdge): number {
  return sizeOfEdge(edge) + (excerpts ? excerptsBytes : 0);
}

/** The shortest simple paths between two nodes (GRAPH-8). */
export async function paths(ctx: RequestContext, query: PathsQuery): Promise<Paths> {
  const maxDepth = query.max_depth ?? graphLimits.paths.standardDepth;
  const { from, to } = await readEnds(ctx, query);
  const readable = await currentGraphsFor(ctx);
  const { source } = locate(readable, from);
  // No edge leads from one workspace to another.
  if (source !== locate(readable, to).source)
    return {
      status: "none",
      complete: true,
      avoided_hubs: false,
      paths: [],
      searched: { max_depth: maxDepth, visited: 0 },
    };
  const { monotonic } = ctx.services;
  const found = walkPaths(source.graph, from, to, {
    direction: query.direction ?? "both",
    edgeTypes: parseCommaList(query.edge_type, edgeTypes),
    maxDepth,
    maxPaths: query.max_paths ?? 1,
    limits: walkLimits(monotonic),
    avoidHubs: query.avoid === "hubs" ? walkLimits(monotonic, 1 / 2) : undefined,
  });
  const { excerpts = false } = query;
  const { status, complete, avoidedHubs, paths, visited } = fitPaths(source.graph, found, excerpts);
  const edges = paths.flatMap((path) => path.edges);
  const excerptsIn = excerpts ? await excerptsOf(ctx.services.database, source, edges) : () => null;
  return {
    status,
    complete,
    avoided_hubs: avoidedHubs,
    paths: paths.map(({ nodes, edges }) => ({
      length: edges.length,
      nodes: nodes.map((node) => presentNode(source, node)),
      edges: edges.map((edge) => presentEdge(edge, excerptsIn(edge))),
    })),
    searched: { max_depth: maxDepth, visited },
  };
}

/** The paths that fit into a response, in order. */
function fitPaths(graph: Graph, found: FoundPaths, excerpts: boolean) {
  const paths = found.paths.map(({ nodes, edges }) => ({
    nodes: nodes.map((node) => graph.nodeAt(node)),
    edges: edges.map((edge) => graph.edge(edge)),
  }));
  const budget = new ResponseBudget();
  const fitting = takeWhile(
    paths,
    ({ nodes, edges }) =>
      nodes.every((node) => budget.take(sizeOfNode(node))) &&
      edges.every((edge) => budget.take(sizeOfEdgeWith(excerpts, edge))),
  );
  return { ...found, paths: fitting, complete: found.complete && fitting.length === paths.length };
}

async function readEnds(ctx: RequestContext, query: PathsQuery): Promise<{ from: NodeId; to: NodeId }> {
  const from = await nodeNamed(ctx, query.from);
  const to = await nodeNamed(ctx, query.to);
  if (from !== null && to !== null) return { from, to };
  throw malformedIds([...(from === null ? ["from"] : []), ...(to === null ? ["to"] : [])]);
}

/** The known words of a comma-separated list; undefined without a list. The schema refuses unknown words. */
export function parseCommaList<Word extends string>(
  list: string | undefined,
  known: readonly Word[],
): Word[] | undefined {
  const named = list?.split(",");
  return named && known.filter((word) => named.includes(word));
}
