import { graphLimits, type Nodes, type NodesQuery } from "@clew/contract";
import { type NodeId, parseNodeId } from "@clew/graph";
import { type LocatedNode, locateNode } from "../graph-cache/readable.ts";
import { ApiError } from "../model/api-error.ts";
import { type Awaitable, whenThere } from "../model/awaitable.ts";
import { presentNode } from "../present/node.ts";
import { malformedIds } from "./node-ids.ts";
import { currentGraphsFor, type RequestContext } from "./request-context.ts";

/** Several nodes at once, in the order asked for (GRAPH-6). */
export function nodes(ctx: RequestContext, query: NodesQuery): Awaitable<Nodes> {
  const ids = readIds(query.ids);
  return whenThere(currentGraphsFor(ctx), (readable) => {
    const found = new Map<NodeId, LocatedNode>();
    for (const id of ids) {
      const placed = locateNode(readable, id);
      if (placed) found.set(id, placed);
    }
    return {
      items: [...found.values()].map(({ source, node }) => presentNode(source, node)),
      missing: ids.filter((id) => !found.has(id)),
    };
  });
}

/** Distinct ids in the order of their first mention. */
function readIds(list: string): NodeId[] {
  const ids = new Set<NodeId>();
  for (const text of list.split(",")) {
    const id = parseNodeId(text.trim());
    if (id === null) throw malformedIds(["ids"]);
    ids.add(id);
  }
  if (ids.size <= graphLimits.nodes.maximum) return [...ids];
  const message = `must name at most ${graphLimits.nodes.maximum} nodes`;
  throw new ApiError("invalid_request", "These are too many nodes for one request.", {
    faults: [{ path: "?ids", message }],
  });
}
