import { type Static, Type } from "typebox";
import { closed, Id, listOf, named, nullable, oneOf, paging, ref, Timestamp } from "./schema.ts";

export const nodeTypes = ["page", "database"] as const;
export const edgeTypes = ["child", "mention", "link", "relation"] as const;
export const directions = ["in", "out", "both"] as const;
/** How a title matched, best first (GRAPH-2). */
export const matchKinds = ["exact", "prefix", "words", "substring", "fuzzy"] as const;

export type NodeType = (typeof nodeTypes)[number];
export type EdgeType = (typeof edgeTypes)[number];
export type Direction = (typeof directions)[number];
export type MatchKind = (typeof matchKinds)[number];

/** A comma list of known words: `edge_type=link,mention`. */
const commaList = (values: readonly string[]) => {
  const word = `(?:${values.join("|")})`;
  return Type.String({
    pattern: `^${word}(?:,${word})*$`,
    description: `Comma list of ${values.join(", ")}`,
  });
};

/** Bounds and defaults of the graph operations (GRAPH-2, 5, 6, 7, 8). */
export const graphLimits = {
  queryLength: 200,
  /** The most bytes of an answer's body: a list whose page would be longer ends the page early. */
  answerBytes: 8 * 1024 * 1024,
  search: { maximum: 100, standard: 20 },
  nodes: { maximum: 100 },
  neighbors: { maximum: 200, standard: 50, depth: 3 },
  paths: { maxDepth: 10, standardDepth: 6, maxPaths: 20 },
  content: { standardChars: 50_000, maximumChars: 1_000_000 },
} as const;

const node = {
  id: Id,
  workspace_id: Type.String(),
  type: oneOf(nodeTypes),
  title: Type.String({ description: "Empty where the page has none" }),
  icon: nullable(Type.String({ description: "An emoji or an https URL" })),
  url: nullable(Type.String()),
  parent_id: nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
  degree: Type.Object({ in: Type.Integer(), out: Type.Integer() }),
};

/** A page or database. `degree` counts distinct edges, links to itself not. */
export const Node = named("Node", Type.Object(node));
export type Node = Static<typeof Node>;

/** A typed, directed link. `name` is a relation's property, otherwise null. */
export const Edge = named(
  "Edge",
  Type.Object({
    from: Id,
    to: Id,
    type: oneOf(edgeTypes),
    name: nullable(Type.String()),
    count: Type.Integer({ description: "Occurrences; 1 for `child`" }),
  }),
);
export type Edge = Static<typeof Edge>;

export const SearchQuery = closed({
  q: Type.String({ description: `1–${graphLimits.queryLength} characters after trimming` }),
  workspace_id: Type.Optional(Type.String()),
  type: Type.Optional(oneOf(nodeTypes)),
  ...paging(graphLimits.search),
});
export type SearchQuery = Static<typeof SearchQuery>;

export const SearchResults = named(
  "SearchResults",
  listOf(Type.Object({ node: ref(Node), score: Type.Number(), match: oneOf(matchKinds) })),
);
export type SearchResults = Static<typeof SearchResults>;

export const contentStates = ["ready", "pending", "failed", "empty"] as const;
export type ContentState = (typeof contentStates)[number];

const degrees = Type.Object({ in: Type.Integer(), out: Type.Integer() });

/** A node with all that Clew knows of it but its text (GRAPH-4). */
export const NodeDetail = named(
  "NodeDetail",
  Type.Object({
    ...node,
    // Not a Record: its pattern knows no line breaks, and a property may have one in its name.
    properties: Type.Unsafe<Record<string, unknown>>(
      Type.Object({}, { additionalProperties: true, description: "Property name to plain JSON value" }),
    ),
    breadcrumb: Type.Array(Type.Object({ id: Id, title: Type.String() }), { description: "Root first" }),
    edges_by_type: Type.Object({ child: degrees, mention: degrees, link: degrees, relation: degrees }),
    unresolved: Type.Array(
      Type.Object({
        type: oneOf(edgeTypes),
        target_id: Id,
        name: nullable(
          Type.String({ description: "What the text calls the page, where it does; null for relations" }),
        ),
        count: Type.Integer(),
      }),
      { description: "References to pages that were not shared or do not exist" },
    ),
    content_state: oneOf(contentStates),
    truncated: Type.Boolean({
      description:
        "Something was left out, since answers have at most 8 MiB: large properties, the far end of the breadcrumb, or references",
    }),
  }),
);
export type NodeDetail = Static<typeof NodeDetail>;

export const NodesQuery = closed({
  ids: Type.String({ description: `Comma list of 1–${graphLimits.nodes.maximum} node ids` }),
});
export type NodesQuery = Static<typeof NodesQuery>;

export const Nodes = named("Nodes", Type.Object({ items: Type.Array(ref(Node)), missing: Type.Array(Id) }));
export type Nodes = Static<typeof Nodes>;

export const ContentQuery = closed({
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: "In Unicode code points",
    }),
  ),
  max_chars: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: graphLimits.content.maximumChars,
      default: graphLimits.content.standardChars,
      description: "In Unicode code points",
    }),
  ),
});
export type ContentQuery = Static<typeof ContentQuery>;

/** A page's text as Markdown; `offset`, `total_chars` and `next_offset` count code points (GRAPH-5). */
export const Content = named(
  "Content",
  Type.Object({
    node_id: Id,
    markdown: Type.String(),
    offset: Type.Integer(),
    total_chars: Type.Integer(),
    next_offset: nullable(Type.Integer()),
    updated_at: Timestamp,
  }),
);
export type Content = Static<typeof Content>;

export const NeighborsQuery = closed({
  direction: Type.Optional(oneOf(directions)),
  edge_type: Type.Optional(commaList(edgeTypes)),
  node_type: Type.Optional(commaList(nodeTypes)),
  depth: Type.Optional(Type.Integer({ minimum: 1, maximum: graphLimits.neighbors.depth, default: 1 })),
  ...paging(graphLimits.neighbors),
});
export type NeighborsQuery = Static<typeof NeighborsQuery>;

/** Nearest first; `edges` are those between the item and nodes one step nearer (GRAPH-7). */
export const Neighbors = named(
  "Neighbors",
  Type.Object({
    node: ref(Node),
    items: Type.Array(Type.Object({ node: ref(Node), depth: Type.Integer(), edges: Type.Array(ref(Edge)) })),
    next_cursor: nullable(Type.String()),
    truncated: Type.Boolean({
      description:
        "A budget ended the walk, or cut the edges of one item: something is missing that no further page has",
    }),
    visited: Type.Integer(),
  }),
);
export type Neighbors = Static<typeof Neighbors>;

export const PathsQuery = closed({
  from: Type.String(),
  to: Type.String(),
  direction: Type.Optional(oneOf(directions)),
  edge_type: Type.Optional(commaList(edgeTypes)),
  max_depth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: graphLimits.paths.maxDepth,
      default: graphLimits.paths.standardDepth,
    }),
  ),
  max_paths: Type.Optional(Type.Integer({ minimum: 1, maximum: graphLimits.paths.maxPaths, default: 1 })),
});
export type PathsQuery = Static<typeof PathsQuery>;

export const pathStatuses = ["found", "none", "depth_reached", "budget_reached"] as const;

export type PathStatus = (typeof pathStatuses)[number];

/** Simple paths, shortest first (GRAPH-8). */
export const Paths = named(
  "Paths",
  Type.Object({
    status: oneOf(pathStatuses),
    complete: Type.Boolean({ description: "false: a budget ended the search before `max_paths`" }),
    paths: Type.Array(
      Type.Object({ length: Type.Integer(), nodes: Type.Array(ref(Node)), edges: Type.Array(ref(Edge)) }),
    ),
    searched: Type.Object({ max_depth: Type.Integer(), visited: Type.Integer() }),
  }),
);
export type Paths = Static<typeof Paths>;
