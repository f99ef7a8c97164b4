import { type Static, Type } from "typebox";
import { closed, Id, named, oneOf } from "./schema.ts";
import { graphLimits, mapColours } from "./vocabulary.ts";

const maxMapNodes = 1000;

export const MapQuery = closed({
  links: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "Regions are communities of linked pages instead of folders, with the links between them. Needs the scope `graph:neighbors` too",
    }),
  ),
  colour: Type.Optional({
    ...oneOf(mapColours),
    default: "region",
    description:
      "What the colour of a page says: its region, its folder, the database that it is in, or when it was last edited",
  }),
});
export type MapQuery = Static<typeof MapQuery>;

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
      description: `Lists these pages instead: up to ${graphLimits.nodes.maximum} ids, separated by commas. Pages that the map lacks are left out`,
    }),
  ),
  positions: Type.Optional(
    Type.String({
      pattern: "^\\d{1,10}(?:,\\d{1,10})*$",
      description: `Lists the pages at these positions instead: up to ${graphLimits.nodes.maximum}, separated by commas, and not together with \`ids\`. Positions that the map lacks are left out`,
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
