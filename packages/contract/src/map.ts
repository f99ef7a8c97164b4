import { type Static, Type } from "typebox";
import { closed, Id, named } from "./schema.ts";

/**
 * The binary format of a map (GRAPH-30). All numbers are little-endian.
 *
 * Header: `CMAP`, format version (u16), bytes of a disc (u16), number of nodes (u32), number of discs (u32), where the nodes
 * begin (u32), four bytes that are 0, graph version (f64). Then the discs, then the nodes.
 *
 * Disc: the positions of the page and behind the last page in it (u32 each), its centre and radius (u16 each), two bytes
 * that are 0. These are the largest discs, larger ones first.
 *
 * Node, in the order of the tree: its place (u16 each), its size, its colour (u8 each).
 */
export const mapFormat = {
  magic: "CMAP",
  version: 1,
  headerBytes: 32,
  discBytes: 16,
  nodeBytes: 6,
  /** Maps have so many discs at most. */
  maxDiscs: 4096,
  /** A size is the logarithm of a radius: size 0 is `smallestSize` units of the map, and so many sizes further it is twice that. */
  sizesPerDoubling: 8,
  smallestSize: 2 ** -16,
  mediaType: "application/octet-stream",
} as const;

const maxMapNodes = 1000;

export const MapNodesQuery = closed({
  from: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 0,
      maximum: 0xffff_ffff,
      description: "The position of the first page",
    }),
  ),
  count: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxMapNodes, default: 100, description: "How many pages to list" }),
  ),
  ids: Type.Optional(
    Type.String({
      description:
        "Lists these pages instead: up to 100 ids, separated by commas. Pages that the map lacks are left out",
    }),
  ),
});
export type MapNodesQuery = Static<typeof MapNodesQuery>;

/** Pages of a map (GRAPH-30). */
export const MapNodes = named(
  "MapNodes",
  Type.Object({
    graph_version: Type.Integer({
      description: "The version in the header of the map. Positions belong to this version alone",
    }),
    total: Type.Integer({ description: "How many pages the map has" }),
    items: Type.Array(
      Type.Object({
        position: Type.Integer({ description: "The position of the page in the map" }),
        id: Id,
        title: Type.String(),
      }),
    ),
  }),
);
export type MapNodes = Static<typeof MapNodes>;
