import { type NodeId, parseNodeId } from "@clew/graph";
import { type LocatedNode, locateNode, type ReadableGraph } from "../graph-cache/readable.ts";
import { ApiError } from "../model/api-error.ts";

/**
 * The one answer for a node that does not exist, is another user's, or stands in a workspace that is not open to
 * the caller: nobody learns which (GRAPH-10).
 */
export function nodeNotFound(id: NodeId | null): ApiError {
  const node = id === null ? "such a node" : `the node ${id}`;
  return new ApiError("node_not_found", `None of the workspaces that are open to the caller holds ${node}.`);
}

/** Reads the id that an operation is about. Throws `ApiError` `node_not_found` for what is none. */
export function readNodeId(text: string): NodeId {
  const id = parseNodeId(text);
  if (id === null) throw nodeNotFound(null);
  return id;
}

/** The node of an id. Throws `ApiError` `node_not_found`. */
export function nodeAmong(readable: readonly ReadableGraph[], id: NodeId): LocatedNode {
  const placed = locateNode(readable, id);
  if (!placed) throw nodeNotFound(id);
  return placed;
}

/** What is said to a query in which these parameters hold something else than ids. */
export function malformedIds(parameters: readonly string[]): ApiError {
  return new ApiError("invalid_request", "A node id is a UUID, with or without dashes.", {
    faults: parameters.map((name) => ({ path: `?${name}`, message: "is not a node id" })),
  });
}
