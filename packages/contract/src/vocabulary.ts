/*
 * The words and limits of the graph, apart from the schemas, so that threads that compute on graphs, or sync, load no schema.
 */

export { type ColumnType, columnTypes } from "./column.ts";

/** A tag is a node if the owner of the workspace asks for it (SRC-4). */
export const nodeTypes = ["page", "database", "tag"] as const;

export type NodeType = (typeof nodeTypes)[number];

/** Traits that a list can ask its nodes to have, or not to have (GRAPH-19). */
export const nodeTraits = [
  "orphan",
  "unreferenced",
  "dead_end",
  "broken",
  "empty",
  "failed",
  "row",
  "archived",
  "verified",
  "expired",
] as const;

/** Traits that the provider gives. A stored set of them has a bit for each, in this order. */
export const markTraits = ["archived", "verified", "expired"] as const satisfies readonly NodeTrait[];

export type MarkTrait = (typeof markTraits)[number];

export type NodeTrait = (typeof nodeTraits)[number];

export const contentStates = ["ready", "pending", "failed", "empty"] as const;
export type ContentState = (typeof contentStates)[number];

export const edgeTypes = ["child", "mention", "link", "relation"] as const;
export const directions = ["in", "out", "both"] as const;
/** The ways in which a title matches a query, best first (GRAPH-2). */
export const matchKinds = ["exact", "prefix", "words", "substring", "fuzzy"] as const;

export type EdgeType = (typeof edgeTypes)[number];
export type Direction = (typeof directions)[number];
export type MatchKind = (typeof matchKinds)[number];

/** The parts of a page or database that may change. Its icon, address and times are of none of these (GRAPH-27). */
export const aspects = ["title", "text", "parent", "properties", "references"] as const;
export type Aspect = (typeof aspects)[number];

export const sortOrders = ["asc", "desc"] as const;
export type SortOrder = (typeof sortOrders)[number];

/** The nodes that a search for paths may go around. Hubs have more than `graphLimits.paths.maxEdgesInBetween` edges. */
export const avoidable = ["hubs"] as const;
export type Avoidable = (typeof avoidable)[number];

export const pathStatuses = ["found", "none", "depth_reached", "budget_reached"] as const;
export type PathStatus = (typeof pathStatuses)[number];

export const sharedKinds = ["same_targets", "same_sources"] as const;
/** The ways in which two nodes are related: both link to the same nodes, or the same nodes link to both. */
export type SharedKind = (typeof sharedKinds)[number];

/** Limits and defaults of the graph operations (GRAPH-2, 5, 6, 7, 8, 21, 23, 25, 33). */
export const graphLimits = {
  queryLength: 200,
  /** The largest response body. A list ends its page early rather than exceed it. */
  answerBytes: 8 * 1024 * 1024,
  search: { maximum: 100, standard: 20 },
  context: {
    minimumChars: 1000,
    standardChars: 16_000,
    maximumChars: 100_000,
    minimumTokens: 500,
    maximumTokens: 20_000,
    alsoWords: 12,
  },
  text: { queryLength: 500, maximum: 50, standard: 10 },
  /** Of each page in a list. */
  breadcrumb: { levels: 20, bytes: 20_000 },
  nodes: { maximum: 100 },
  /** As many ids as fit into a URL (LIM-3). */
  edges: { maximum: 200 },
  neighbors: { maximum: 200, standard: 50, depth: 3, withExcerpts: 50 },
  /** Of each edge. */
  excerpts: { maximum: 3, chars: 200, marks: 10 },
  resolve: { textLength: 2000, maximum: 10 },
  related: { maximum: 50, standard: 10 },
  broken: { maximum: 200, standard: 50, countedPages: 10_000 },
  tree: { maximum: 500, standard: 200, maxDepth: 10, standardDepth: 2 },
  paths: { maxDepth: 10, standardDepth: 6, maxPaths: 20, maxEdgesInBetween: 200 },
  content: { standardChars: 50_000, maximumChars: 1_000_000 },
  rows: { maximum: 200, standard: 50, conditions: 20, columns: 200 },
} as const;

/** The facts that the colour of a page on a map may say (GRAPH-30), in the order of the numbers that stand for them in the format. */
export const mapColours = ["region", "folder", "database", "edited"] as const;
export type MapColour = (typeof mapColours)[number];

/**
 * The binary format of a map (GRAPH-30). All numbers are little-endian; texts are UTF-8 in one block, each given by where it begins in
 * that block (u32) and its bytes (u16).
 *
 * Header: `CMAP`, format version (u16), where the regions begin (u16), number of pages (u32), graph version (f64), numbers of regions,
 * bundles and legend entries (u16 each), what the colours say (u8), whether the map is by links (u8), where the texts and
 * where the pages begin (u32 each), four bytes that are 0. Then the regions, the bundles, the legend, the texts, the pages.
 *
 * Region, those of the first level first: centre and radius (u16 each), level (u8), a byte that is 0, the region that it is in
 * (u16, `none` on the first level), bytes of its name (u16), number of pages (u32), where its name begins (u32), the position of the
 * page that it is called by (u32, the number of pages for none).
 *
 * Bundle, the strongest first: two regions (u16 each), the number of links between them (u32).
 *
 * Legend entry: what the colour says (u8, not 0), its value (u8), bytes of its name (u16), number of pages (u32), where its name
 * begins (u32). The legend has the entries of all colours but those of regions.
 *
 * Page, in the order of the tree: its place (u16 each), its size, its colour (u8 each).
 */
export const mapFormat = {
  magic: "CMAP",
  version: 2,
  headerBytes: 40,
  regionBytes: 24,
  bundleBytes: 8,
  legendBytes: 12,
  nodeBytes: 6,
  /** Stands for no region. */
  none: 0xffff,
  /** The largest number of regions of the first level, and of bundles between them. */
  maxTopRegions: 40,
  maxBundles: 200,
  /**
   * A size is the logarithm of a radius. Size 0 is `smallestSize` units of the map; each `sizesPerDoubling` sizes more
   * double it.
   */
  sizesPerDoubling: 8,
  smallestSize: 2 ** -16,
  mediaType: "application/octet-stream",
} as const;
