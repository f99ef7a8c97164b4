import { type GraphInput, graphLimits, type NodeDetail, type Nodes, type NodesQuery } from "@clew/contract";
import { type GraphNode, type NodeId, parseNodeId, readForgeAddress } from "@clew/graph";
import { type LocatedNode, locateAtForge, locateNode, type ReadableGraph } from "../graphs/readable.ts";
import { ApiError } from "../model/api-error.ts";
import type { StoredDetail } from "../model/node.ts";
import { presentNode, presentNodeDetail, type Text } from "../present/graph.ts";
import { readContent, readNodeDetail } from "../store/queries/graph-reading.ts";
import { nearestOf } from "./breadcrumbs.ts";
import { currentGraphsFor, type RequestContext } from "./request-context.ts";
import { ResponseBudget, sizeOfName, sizeOfValue, takeWhile } from "./response-budget.ts";

/** One node in detail (GRAPH-4). */
export async function node(ctx: RequestContext, input: GraphInput<"node">): Promise<NodeDetail> {
  const id = readNodeId(input.id);
  const located = locate(await currentGraphsFor(ctx), id);
  const { connection, graph } = located.source;
  const detail = await readNodeDetail(ctx.services.database.read, connection.id, id);
  // A sync may have removed the node since its graph was published.
  if (detail === null) throw nodeNotFound(id);
  const { fitting, breadcrumb, truncated } = fitDetail(detail, graph.breadcrumb(id));
  return presentNodeDetail(located, fitting, breadcrumb, truncated);
}

/** Ancestors and references get a quarter of a response each, properties another, and the last is for the node itself. */
const shareBytes = graphLimits.answerBytes / 4;

/** The part of a node's detail that fits: the nearest ancestors, the first references, and properties that fit. */
function fitDetail(detail: StoredDetail, ancestors: readonly GraphNode[]) {
  const budgets = {
    references: new ResponseBudget(shareBytes),
    properties: new ResponseBudget(shareBytes),
  };
  const nearest = nearestOf(ancestors, shareBytes);
  const unresolved = takeWhile(detail.unresolved, ({ name }) => budgets.references.take(sizeOfName(name)));
  const all = Object.entries(detail.properties);
  const properties = all.filter(([name, value]) => budgets.properties.take(sizeOfValue(name, value)));
  const truncated =
    nearest.length < ancestors.length ||
    unresolved.length < detail.unresolved.length ||
    properties.length < all.length;
  const fitting = { ...detail, unresolved, properties: Object.fromEntries(properties) };
  return { fitting, breadcrumb: nearest, truncated };
}

/** Several nodes at once, in the order of their first mention (GRAPH-6). No ids are an empty list. */
export async function nodes(ctx: RequestContext, query: NodesQuery): Promise<Nodes> {
  const ids = await readIds(ctx, query.ids, graphLimits.nodes.maximum);
  const readable = await currentGraphsFor(ctx);
  const items: Nodes["items"] = [];
  const missing: NodeId[] = [];
  for (const id of ids) {
    const located = locateNode(readable, id);
    if (located) items.push(presentNode(located.source, located.node));
    else missing.push(id);
  }
  return { items, missing };
}

/** A node's whole text. */
export interface WholeText extends Text {
  /** Changes only with the text. */
  readonly digest: string;
}

/**
 * A page's text (GRAPH-5): the last that was read, even while a newer one is awaited. It is empty for databases, and for
 * pages before their first sync; `content_state` of the node's detail says why.
 */
export async function content(ctx: RequestContext, about: { readonly id: string }): Promise<WholeText> {
  const id = readNodeId(about.id);
  const { source, node } = locate(await currentGraphsFor(ctx), id);
  const stored = await readContent(ctx.services.database.read, source.connection.id, id);
  const empty = { markdown: "", totalChars: 0, digest: "", updatedAt: node.updatedAt, truncated: false };
  return { nodeId: id, ...(stored ?? empty) };
}

/** Reads the id that an operation is about. Throws `ApiError` `node_not_found` for malformed ids too. */
export function readNodeId(text: string): NodeId {
  const id = parseNodeId(text);
  if (id === null) throw nodeNotFound(null);
  return id;
}

/** The node of an id. Throws `ApiError` `node_not_found`. */
export function locate(readable: readonly ReadableGraph[], id: NodeId): LocatedNode {
  const located = locateNode(readable, id);
  if (!located) throw nodeNotFound(id);
  return located;
}

/**
 * The same error for a node that does not exist, is another user's, or is in a workspace that the caller may not read:
 * callers cannot tell which (GRAPH-10).
 */
function nodeNotFound(id: NodeId | null): ApiError {
  const node = id === null ? "such a node" : `the node ${id}`;
  return new ApiError("node_not_found", `The workspaces that the caller may read do not contain ${node}.`);
}

/**
 * The node that a text names by its id, or by its URL at the provider or at the forge that hosts its file; null for any other text.
 * A URL at a forge names a node of the newest graphs that the caller may read.
 */
export async function nodeNamed(ctx: RequestContext, text: string): Promise<NodeId | null> {
  const id = parseNodeId(text) ?? ctx.services.pageOfUrl(text);
  if (id !== null || readForgeAddress(text) === null) return id;
  return locateAtForge(await currentGraphsFor(ctx), text)?.node.id ?? null;
}

/** Reads a node in a query: its id or its URL. Throws `ApiError` `invalid_request`. */
export async function readNodeInQuery(ctx: RequestContext, parameter: string, text: string): Promise<NodeId> {
  const id = await nodeNamed(ctx, text);
  if (id === null) throw malformedIds([parameter]);
  return id;
}

/** For query parameters with malformed ids. */
export function malformedIds(parameters: readonly string[]): ApiError {
  const detail = "A node is named by its id, a UUID with or without dashes, or by its URL at the provider.";
  return new ApiError("invalid_request", detail, {
    errors: parameters.map((name) => ({
      path: `?${name}`,
      message: "is not a node id or a URL at the provider",
    })),
  });
}

/**
 * Distinct ids in the order of their first mention; none for an empty text. Throws `ApiError` `invalid_request` if there are
 * more than `maximum`.
 */
export async function readIds(ctx: RequestContext, list: string, maximum: number): Promise<NodeId[]> {
  if (list === "") return [];
  const ids = new Set<NodeId>();
  for (const text of list.split(",")) {
    ids.add(await readNodeInQuery(ctx, "ids", text.trim()));
  }
  if (ids.size <= maximum) return [...ids];
  const message = `must list at most ${maximum} nodes`;
  throw new ApiError("invalid_request", "The request lists too many nodes.", {
    errors: [{ path: "?ids", message }],
  });
}
