import type { Node } from "@clew/contract";
import type { GraphNode } from "@clew/graph";
import type { Connection } from "../model/connection.ts";
import { presentIcon, presentLink } from "./link.ts";
import { presentTimestamp } from "./timestamp.ts";

/** Where a node stands: whose view of which workspace, and how many edges it has there. */
interface Source {
  readonly connection: Pick<Connection, "workspaceId">;
  readonly graph: { degree(id: string): { readonly in: number; readonly out: number } };
}

/** What was made of a node that a graph gave out: the same for as long as the graph gives out the same one. */
const presented = new WeakMap<GraphNode, Node>();

/** A page or database as callers see it. A node belongs to one graph, and a graph to one connection. */
export function presentNode(source: Source, node: GraphNode): Node {
  const known = presented.get(node);
  if (known !== undefined) return known;
  const message = nodeMessage(source, node);
  presented.set(node, message);
  return message;
}

function nodeMessage({ connection, graph }: Source, node: GraphNode): Node {
  const { in: incoming, out } = graph.degree(node.id);
  return {
    id: node.id,
    workspace_id: connection.workspaceId,
    type: node.type,
    title: node.title,
    icon: presentIcon(node.icon),
    url: presentLink(node.url),
    parent_id: node.parentId,
    created_at: presentTimestamp(node.createdAt),
    updated_at: presentTimestamp(node.updatedAt),
    degree: { in: incoming, out },
  };
}
