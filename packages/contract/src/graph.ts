import { type Static, Type } from "typebox";
import { commaList, nodeReference, pageFilters, sorting } from "./page-filters.ts";
import { closed, Id, listOf, named, nullable, oneOf, paging, ref, Timestamp } from "./schema.ts";
import {
  contentStates,
  directions,
  edgeTypes,
  graphLimits,
  matchKinds,
  nodeTypes,
  pathStatuses,
} from "./vocabulary.ts";

const node = {
  id: Id,
  workspace_id: Type.String(),
  type: oneOf(nodeTypes),
  title: Type.String({ description: "Empty if the page has no title" }),
  icon: nullable(Type.String({ description: "An emoji or an https URL" })),
  url: nullable(Type.String()),
  parent_id: nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
  degree: Type.Object({ in: Type.Integer(), out: Type.Integer() }),
  importance: Type.Number({
    description:
      "Share of the workspace's other pages and databases with a lower PageRank: 0–1, four decimals",
  }),
};

/** A page or database. `degree` counts distinct edges, without those to the node itself. */
export const Node = named("Node", Type.Object(node));
export type Node = Static<typeof Node>;

/** A typed, directed link. `name` is the property of a relation, and otherwise null. */
export const Edge = named(
  "Edge",
  Type.Object({
    from: Id,
    to: Id,
    type: oneOf(edgeTypes),
    name: nullable(Type.String()),
    count: Type.Integer({ description: "How often the link occurs; 1 for `child`" }),
    excerpts: Type.Optional(
      Type.Array(
        Type.Object({
          offset: Type.Integer({ description: "Where it starts in the text of `from`, in code points" }),
          text: Type.String({ description: `Plain text, at most ${graphLimits.excerpts.chars} characters` }),
        }),
        {
          description: `With \`excerpts=true\`: the sentence or list item around each of the first ${graphLimits.excerpts.maximum} places of the link in the text of \`from\`; none for \`child\`, \`relation\` and texts not read yet`,
        },
      ),
    ),
  }),
);
export type Edge = Static<typeof Edge>;

const Breadcrumb = Type.Array(Type.Object({ id: Id, title: Type.String() }), { description: "Root first" });

/** The parameter with which a list says where its pages are. */
export const breadcrumbParameter = {
  breadcrumb: Type.Optional(
    Type.Boolean({ default: false, description: "Whether each item comes with the pages above its page" }),
  ),
};

/** What the items of such a list have besides. */
export const listedBreadcrumb = {
  breadcrumb: Type.Optional({ ...Breadcrumb, description: "With `breadcrumb=true`: root first" }),
  breadcrumb_truncated: Type.Optional(
    Type.Boolean({
      description: `true if the start of the breadcrumb was left out: the nearest ${graphLimits.breadcrumb.levels} pages are listed, fewer if their titles are very long; otherwise left out`,
    }),
  ),
};

export const SearchQuery = closed({
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: graphLimits.queryLength,
      description: `1–${graphLimits.queryLength} characters after trimming; without it, all pages are listed`,
    }),
  ),
  ...pageFilters,
  ...sorting,
  ...breadcrumbParameter,
  ...paging(graphLimits.search),
});
export type SearchQuery = Static<typeof SearchQuery>;

export const SearchResults = named(
  "SearchResults",
  Type.Object({
    ...listOf(
      Type.Object({
        node: ref(Node),
        score: nullable(Type.Number({ description: "null without `q`" })),
        match: nullable(oneOf(matchKinds)),
        ...listedBreadcrumb,
      }),
    ).properties,
    total: nullable(
      Type.Integer({ description: "Number of items in the whole list; null where it was not counted" }),
    ),
  }),
);
export type SearchResults = Static<typeof SearchResults>;

const degrees = Type.Object({ in: Type.Integer(), out: Type.Integer() });

/** A page or database with everything but its text (GRAPH-4). */
export const NodeDetail = named(
  "NodeDetail",
  Type.Object({
    ...node,
    // Not a Record, whose key pattern excludes line breaks, which names of properties may contain.
    properties: Type.Unsafe<Record<string, unknown>>(
      Type.Object({}, { additionalProperties: true, description: "Property values by name, as plain JSON" }),
    ),
    breadcrumb: Breadcrumb,
    edges_by_type: Type.Object({ child: degrees, mention: degrees, link: degrees, relation: degrees }),
    unresolved: Type.Array(
      Type.Object({
        type: oneOf(edgeTypes),
        target_id: Id,
        name: nullable(
          Type.String({ description: "The text of the link, if it has any; null for relations" }),
        ),
        count: Type.Integer(),
      }),
      { description: "Links to pages that are not shared with you or do not exist" },
    ),
    content_state: oneOf(contentStates),
    truncated: Type.Boolean({
      description:
        "Whether large properties, the start of the breadcrumb or unresolved links were left out to keep the response below 8 MiB",
    }),
  }),
);
export type NodeDetail = Static<typeof NodeDetail>;

export const NodesQuery = closed({
  ids: Type.String({
    description: `Comma-separated list of up to ${graphLimits.nodes.maximum} ids or URLs at the provider; an empty one has no items`,
  }),
});
export type NodesQuery = Static<typeof NodesQuery>;

export const Nodes = named("Nodes", Type.Object({ items: Type.Array(ref(Node)), missing: Type.Array(Id) }));
export type Nodes = Static<typeof Nodes>;

export const EdgesQuery = closed({
  ids: Type.String({
    description: `Comma-separated list of 1–${graphLimits.edges.maximum} ids or URLs at the provider`,
  }),
  edge_type: Type.Optional(commaList(edgeTypes)),
});
export type EdgesQuery = Static<typeof EdgesQuery>;

/** The edges among some pages and databases (GRAPH-31). */
export const Edges = named(
  "Edges",
  Type.Object({
    items: Type.Array(ref(Edge), { description: "By `from`, then by `to`" }),
    missing: Type.Array(Id),
    truncated: Type.Boolean({ description: "Whether a limit left out edges" }),
  }),
);
export type Edges = Static<typeof Edges>;

export const ContentQuery = closed({
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: "Where to start, in Unicode code points",
    }),
  ),
  max_chars: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: graphLimits.content.maximumChars,
      default: graphLimits.content.standardChars,
      description: "How much to return at most, in Unicode code points",
    }),
  ),
  heading: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        "Start at the first heading with this text, in place of `offset`. Case and accents do not matter",
    }),
  ),
  include: Type.Optional({
    ...commaList(["outline"]),
    description: "`outline` adds `headings`. It does not apply to `text/markdown`",
  }),
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
    headings: Type.Optional(
      Type.Array(
        Type.Object({
          level: Type.Integer({ description: "1–6" }),
          text: Type.String({ description: "Plain text" }),
          offset: Type.Integer({ description: "Where its line starts in the whole text, in code points" }),
        }),
        { description: "With `include=outline`: the headings of the whole text, in order" },
      ),
    ),
    headings_truncated: Type.Optional(
      Type.Boolean({
        description:
          "true if later headings were left out to keep the response below 8 MiB; otherwise left out",
      }),
    ),
  }),
);
export type Content = Static<typeof Content>;

const excerpts = (effect = "") =>
  Type.Optional(
    Type.Boolean({
      default: false,
      description: `Whether links and mentions come with what surrounds them. Needs graph:read as well${effect}`,
    }),
  );

const direction = Type.Optional({
  ...oneOf(directions),
  default: "both",
  description: "Follow edges to a page (`in`), from it (`out`) or in both directions",
});

export const NeighborsQuery = closed({
  direction,
  edge_type: Type.Optional(commaList(edgeTypes)),
  node_type: Type.Optional(commaList(nodeTypes)),
  depth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: graphLimits.neighbors.depth,
      default: 1,
      description: "How many steps away neighbours may be",
    }),
  ),
  excerpts: excerpts(`; a page then has at most ${graphLimits.neighbors.withExcerpts} neighbours`),
  ...paging(graphLimits.neighbors),
});
export type NeighborsQuery = Static<typeof NeighborsQuery>;

/** Neighbours, nearest first. `edges` connect an item with nodes one step nearer (GRAPH-7). */
export const Neighbors = named(
  "Neighbors",
  Type.Object({
    node: ref(Node),
    items: Type.Array(Type.Object({ node: ref(Node), depth: Type.Integer(), edges: Type.Array(ref(Edge)) })),
    next_cursor: nullable(Type.String()),
    truncated: Type.Boolean({
      description:
        "Whether a limit ended the search or left out edges of an item. Further pages do not contain what is missing",
    }),
    visited: Type.Integer(),
  }),
);
export type Neighbors = Static<typeof Neighbors>;

export const PathsQuery = closed({
  from: nodeReference("Where the paths begin"),
  to: nodeReference("Where they end"),
  direction,
  edge_type: Type.Optional(commaList(edgeTypes)),
  max_depth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: graphLimits.paths.maxDepth,
      default: graphLimits.paths.standardDepth,
      description: "How many edges a path may have",
    }),
  ),
  max_paths: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: graphLimits.paths.maxPaths,
      default: 1,
      description: "How many paths to find",
    }),
  ),
  excerpts: excerpts(),
});
export type PathsQuery = Static<typeof PathsQuery>;

/** Simple paths, shortest first (GRAPH-8). */
export const Paths = named(
  "Paths",
  Type.Object({
    status: oneOf(pathStatuses),
    complete: Type.Boolean({
      description: "false if a limit ended the search before it found `max_paths` paths",
    }),
    paths: Type.Array(
      Type.Object({ length: Type.Integer(), nodes: Type.Array(ref(Node)), edges: Type.Array(ref(Edge)) }),
    ),
    searched: Type.Object({ max_depth: Type.Integer(), visited: Type.Integer() }),
  }),
);
export type Paths = Static<typeof Paths>;
