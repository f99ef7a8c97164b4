import type { GraphOperation, GraphOutput } from "@clew/contract";
import { parseNodeId } from "@clew/graph";

/*
 * The pages and databases that a message shows: those that it lists or is about. Titles that it mentions besides, in places and in
 * texts, are not among them.
 */

interface WithNode {
  readonly node: { readonly id: string };
}

const nodesOf = ({ items }: { readonly items: readonly WithNode[] }) => items.map(({ node }) => node.id);

const nodeAndItems = (message: WithNode & { readonly items: readonly WithNode[] }) => [
  message.node.id,
  ...nodesOf(message),
];

/** Those that are still there. */
const liveNodes = ({ items }: { readonly items: readonly { readonly node: WithNode["node"] | null }[] }) =>
  items.flatMap(({ node }) => (node === null ? [] : [node.id]));

/** The ids of the pages that the message of an operation shows; some of them may come twice. */
export const shownPages: {
  readonly [Name in Exclude<GraphOperation, "content" | "export" | "map" | "rows">]: (
    message: GraphOutput<Name>,
  ) => readonly string[];
} = {
  overview: () => [],
  workspaces: () => [],
  search: nodesOf,
  resolve: ({ items }) => items.map(({ id }) => id),
  text: nodesOf,
  context: nodesOf,
  nodes: ({ items }) => items.map(({ id }) => id),
  node: ({ id }) => [id],
  neighbors: nodeAndItems,
  edges: ({ items }) => items.flatMap(({ from, to }) => [from, to]),
  paths: ({ paths }) => paths.flatMap(({ nodes }) => nodes.map(({ id }) => id)),
  related: nodeAndItems,
  tree: nodesOf,
  mapNodes: ({ items }) => items.map(({ id }) => id),
  broken: nodesOf,
  changes: liveNodes,
  recent: liveNodes,
};

/** The database and the rows that an answer shows. */
export const shownRows = (databaseId: string, page: GraphOutput<"rows">): readonly string[] => [
  // Requests may leave out the dashes.
  parseNodeId(databaseId) ?? databaseId,
  ...nodesOf(page),
];
