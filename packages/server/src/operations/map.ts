import { type GraphInput, graphLimits, type MapNodes } from "@clew/contract";
import { type Graph, type NodeId, withColour } from "@clew/graph";
import type { ReadableGraph } from "../graphs/readable.ts";
import { ApiError } from "../model/api-error.ts";
import { readIds } from "./nodes.ts";
import { type RequestContext, readableConnectionsOf } from "./request-context.ts";
import { ResponseBudget, sizeOfName, takeWhile } from "./response-budget.ts";

/** A map whose bytes are asked for apart. */
export interface WorkspaceMap {
  /** The facts on which the bytes depend. */
  readonly version: readonly (string | number)[];
  bytes(): Promise<Buffer>;
}

/** Changes when the same graph is laid out or written differently. */
const formatVersion = 3;

/** The maps by folders that were asked for: each is made once, and kept as long as its graph. */
const folderMaps = new WeakMap<Graph, Promise<Uint8Array>>();

/**
 * The map of a workspace (GRAPH-30). That by folders is made by a query thread when it is first asked for. Throws `ApiError`
 * `unavailable` if that by links is not made in time.
 */
export async function map(
  ctx: RequestContext,
  { id, links = false, colour = "region" }: GraphInput<"map">,
): Promise<WorkspaceMap> {
  const source = await graphOf(ctx, id);
  const { connection, version } = source;
  if (!links) {
    return {
      version: [formatVersion, connection.id, version, colour],
      bytes: async () => asBuffer(withColour(await folderMap(ctx, source), colour)),
    };
  }
  const { linkMaps } = ctx.services;
  const mapped = { ...source, connectionId: connection.id };
  const stored = await linkMaps.current(mapped, ctx.caller.userId, ctx.signal);
  return {
    version: [formatVersion, connection.id, stored.digest, colour],
    bytes: async () => asBuffer(withColour(await linkMaps.bytes(connection.id, stored), colour)),
  };
}

function folderMap(ctx: RequestContext, { connection, graph, version }: ReadableGraph): Promise<Uint8Array> {
  const known = folderMaps.get(graph);
  if (known !== undefined) return known;
  const sources = [{ connectionId: connection.id, graph }];
  const made = ctx.services.queryThreads.run(
    "folderMap",
    { version },
    { caller: ctx.caller.userId, sources },
  );
  folderMaps.set(graph, made);
  made.catch(() => folderMaps.delete(graph));
  return made;
}

/** The same bytes as a `Buffer`. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Pages of a map by their positions, which are those of the tree, or by their ids (GRAPH-30). */
export async function mapNodes(
  ctx: RequestContext,
  { id, from = 0, count = 100, ids, positions }: GraphInput<"mapNodes">,
): Promise<MapNodes> {
  if (ids !== undefined && positions !== undefined) throw wrongPositions("cannot be given with ids");
  const wantedIds = ids === undefined ? null : await readIds(ctx, ids, graphLimits.nodes.maximum);
  const wanted = positions === undefined ? null : readPositions(positions);
  const { graph, version } = await graphOf(ctx, id);
  const isOnMap = (position: number) => position < graph.nodeCount;
  const listed =
    wanted?.filter(isOnMap) ??
    (wantedIds === null ? rangeOf(graph, from, count) : positionsOf(graph, wantedIds));
  const { order } = graph.columns.tree;
  const items = listed.map((position) => {
    const { id, title } = graph.nodeAt(order[position] ?? 0);
    return { position, id, title };
  });
  const budget = new ResponseBudget();
  return {
    graph_version: version,
    total: graph.nodeCount,
    items: [...takeWhile(items, ({ title }) => budget.take(sizeOfName(title)))],
  };
}

/** Distinct positions in the order of their first mention. The schema lets only numbers through. */
function readPositions(list: string): number[] {
  const positions = [...new Set(list.split(",").map(Number))];
  const { maximum } = graphLimits.nodes;
  if (positions.length <= maximum) return positions;
  throw wrongPositions(`must list at most ${maximum} positions`);
}

function wrongPositions(message: string): ApiError {
  return new ApiError("invalid_request", "The request cannot list pages by these positions.", {
    errors: [{ path: "?positions", message }],
  });
}

const rangeOf = ({ nodeCount }: Graph, from: number, count: number): number[] =>
  Array.from({ length: Math.max(0, Math.min(count, nodeCount - from)) }, (_, n) => from + n);

/** The positions of the nodes that are in the graph. */
function positionsOf(graph: Graph, ids: readonly NodeId[]): number[] {
  const { positions } = graph.columns.tree;
  return ids.filter((id) => graph.has(id)).map((id) => positions[graph.indexOf(id)] ?? 0);
}

/** Throws `ApiError` `not_found` for a workspace that the caller may not read, whether it exists or not (GRAPH-10). */
async function graphOf(ctx: RequestContext, workspaceId: string): Promise<ReadableGraph> {
  const connection = readableConnectionsOf(ctx).find((each) => each.workspaceId === workspaceId);
  if (connection === undefined)
    throw new ApiError("not_found", "The workspace does not exist or is not open to this caller.");
  return { connection, ...(await ctx.services.graphs.current(connection)) };
}
