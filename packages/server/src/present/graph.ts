import type { Aspect, ChangeKind, Changes, Content, Edge, Node, NodeDetail, Recent } from "@clew/contract";
import type { Author, Graph, GraphEdge, GraphNode, NodeId } from "@clew/graph";
import type { Verification } from "@clew/provider";
import { unitAfter } from "@clew/text/basics";
import type { Connection } from "../model/connection.ts";
import type { StoredDetail } from "../model/node.ts";
import { formatTimestamp, presentIcon, presentLink } from "./values.ts";

/** The graph that a node is from. */
interface Source {
  readonly connection: Pick<Connection, "workspaceId">;
  readonly graph: Graph;
}

/** A page or database. */
export function presentNode(
  {
    connection,
    graph,
  }: Pick<Source, "connection"> & { readonly graph: Pick<Graph, "degree" | "importance"> },
  node: GraphNode,
): Node {
  return {
    id: node.id,
    workspace_id: connection.workspaceId,
    type: node.type,
    title: node.title,
    icon: presentIcon(node.icon),
    url: presentLink(node.url),
    parent_id: node.parentId,
    created_at: formatTimestamp(node.createdAt),
    updated_at: formatTimestamp(node.updatedAt),
    degree: graph.degree(node.id),
    importance: graph.importance(node.id),
    ...(node.createdBy && { created_by: presentAuthor(node.createdBy) }),
    ...(node.editedBy && { edited_by: presentAuthor(node.editedBy) }),
  };
}

function presentAuthor({ id, name }: Author): NonNullable<Node["created_by"]> {
  return { id, name };
}

/** A node by its name alone. */
export function presentName({ id, title }: Pick<GraphNode, "id" | "title">): { id: string; title: string } {
  return { id, title };
}

export function presentEdge(
  { from, to, type, name, count }: GraphEdge,
  excerpts: Edge["excerpts"] | null = null,
): Edge {
  return { from, to, type, name, count, ...(excerpts && { excerpts }) };
}

/** All data of a node except its text (GRAPH-4). `truncated` is true if anything was omitted to fit the response. */
export function presentNodeDetail(
  { source, node }: { readonly source: Source; readonly node: GraphNode },
  detail: Omit<StoredDetail, "contentError">,
  breadcrumb: readonly Pick<GraphNode, "id" | "title">[],
  truncated: boolean,
): NodeDetail {
  return {
    ...presentNode(source, node),
    properties: { ...detail.properties },
    breadcrumb: breadcrumb.map(presentName),
    edges_by_type: source.graph.edgesByType(node.id),
    unresolved: detail.unresolved.map(({ type, targetId, name, count }) => ({
      type,
      target_id: targetId,
      name,
      count,
    })),
    content_state: detail.contentState,
    ...(detail.unread.length > 0 && { unread: [...detail.unread] }),
    ...(detail.verification && { verification: presentVerification(source, detail.verification) }),
    truncated,
  };
}

/** A verification, with the name of its author as the graph has it. */
function presentVerification({ graph }: Source, { state, by, since, until }: Verification) {
  const named = by && { id: by.id, name: by.name ?? graph.authorName(by.id) };
  return { state, by: named, since, until };
}

/** A change of the node with this id. A removed node is in no graph. */
interface NodeChange {
  readonly kind: ChangeKind;
  readonly what: readonly Aspect[];
  readonly nodeId: NodeId;
}

/**
 * A change of a node (GRAPH-11). Empty for a node that is not in this graph: it was removed after the graph was built,
 * and a newer graph will show that.
 */
export function presentChange(source: Source, { kind, what, nodeId }: NodeChange): Changes["items"] {
  const about = { workspace_id: source.connection.workspaceId, node_id: nodeId, what: [...what] };
  if (kind === "removed") return [{ change: kind, ...about, node: null }];
  const node = source.graph.node(nodeId);
  return node === null ? [] : [{ change: kind, ...about, node: presentNode(source, node) }];
}

/** A change in a list of recent ones (GRAPH-29); `at` is in milliseconds since the Unix epoch. */
export function presentRecentChange(
  source: Source,
  { kind, at, what, nodeId }: NodeChange & { readonly at: number },
): Recent["items"][number] {
  const node = kind === "removed" ? null : source.graph.node(nodeId);
  return {
    change: kind,
    at: formatTimestamp(at),
    what: [...what],
    node_id: nodeId,
    node: node && presentNode(source, node),
  };
}

/** A node's text, empty for a node that has none. */
export interface Text {
  readonly nodeId: string;
  readonly markdown: string;
  /** Length in code points. */
  readonly totalChars: number;
  /** In milliseconds since the Unix epoch. */
  readonly updatedAt: number;
  /** Whether a part of it is missing, because the page could not be read whole. */
  readonly truncated: boolean;
}

/** A part of a text; both fields count in Unicode code points. */
export interface Range {
  readonly offset: number;
  readonly maxChars: number;
}

interface Headings {
  readonly headings: readonly { readonly level: number; readonly text: string; readonly offset: number }[];
  /** Whether later ones were left out. */
  readonly truncated: boolean;
}

/** A part of a node's text (GRAPH-5), empty if it begins at the text's end or beyond, and the headings if they are wanted. */
export function presentContent(
  text: Text,
  { offset, maxChars }: Range,
  outline: Headings | null = null,
): Content {
  const end = offset + maxChars;
  return {
    node_id: text.nodeId,
    markdown: sliceCodePoints(text, offset, end),
    offset,
    total_chars: text.totalChars,
    next_offset: end < text.totalChars ? end : null,
    ...presentTextFacts(text),
    ...(outline && { headings: [...outline.headings] }),
    ...(outline?.truncated && { headings_truncated: true }),
  };
}

/** Returns what is known of a text besides its characters. */
export function presentTextFacts({ updatedAt, truncated }: Pick<Text, "updatedAt" | "truncated">) {
  return { updated_at: formatTimestamp(updatedAt), ...(truncated && { truncated: true }) };
}

function sliceCodePoints({ markdown, totalChars }: Text, start: number, end: number): string {
  // Most texts contain no surrogate pairs: both counts are then the same.
  if (markdown.length === totalChars) return markdown.slice(start, end);
  const from = unitAfter(markdown, start);
  return markdown.slice(from, unitAfter(markdown, end - start, from));
}
