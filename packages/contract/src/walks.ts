import { type Static, Type } from "typebox";
import { Edge, Node } from "./node.ts";
import { commaList, nodeReference } from "./page-filters.ts";
import { closed, Id, named, nullable, oneOf, paging, ref } from "./schema.ts";
import { directions, edgeTypes, graphLimits, nodeTypes, pathStatuses } from "./vocabulary.ts";

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

/** One of the paths of `Paths`. */
export type Path = Paths["paths"][number];

/** A path to show to a person who has asked for none (GRAPH-15). */
export const ProposedPath = named(
  "ProposedPath",
  Type.Object({
    path: nullable(Paths.properties.paths.items),
  }),
);
export type ProposedPath = Static<typeof ProposedPath>;
