import { type Static, Type } from "typebox";
import { Edge, ExportedNode, truncatedText, unresolvedReference } from "./node.ts";
import { closed, Id, inWorkspace, named, oneOf, ref, Timestamp } from "./schema.ts";

/** The formats of an export with their media types. The first is the default. */
export const exportMediaTypes = {
  jsonl: "application/jsonl",
  csv: "text/csv",
  graphml: "application/graphml+xml",
} as const;

export type ExportFormat = keyof typeof exportMediaTypes;

const exportFormats = Object.keys(exportMediaTypes) as ExportFormat[];

export const exportParts = ["nodes", "edges", "broken"] as const;

/** The number of exports of a user that may run at a time. */
export const exportsPerUser = 2;

export const ExportQuery = closed({
  format: Type.Optional({
    ...oneOf(exportFormats),
    default: "jsonl",
    description: "`csv` needs `part`, since it has one table",
  }),
  part: Type.Optional({
    ...oneOf(exportParts),
    description:
      "Leaves out the other half of the graph. `broken` has the links to pages that are not shared or do not exist, in place of both halves; not with `format=graphml`",
  }),
  workspace_id: inWorkspace,
  text: Type.Optional(
    Type.Boolean({
      default: false,
      description: "Whether to add the texts of pages; only with `format=jsonl` and the nodes",
    }),
  ),
});
export type ExportQuery = Static<typeof ExportQuery>;

/** A page's text in an export, as stored when it was written. */
export const ExportedText = named(
  "ExportedText",
  Type.Object({
    node_id: Id,
    markdown: Type.String(),
    updated_at: Timestamp,
    truncated: Type.Optional(truncatedText),
  }),
);
export type ExportedText = Static<typeof ExportedText>;

/** A reference that does not resolve, in an export. */
export const ExportedBroken = named("ExportedBroken", Type.Object({ from: Id, ...unresolvedReference }));
export type ExportedBroken = Static<typeof ExportedBroken>;

/** The number of nodes and edges in an export. */
const ExportEnd = Type.Object({
  nodes: Type.Integer(),
  edges: Type.Integer(),
  broken: Type.Optional(Type.Integer({ description: "Only with `part=broken`" })),
});

/** A line of an export as JSONL: one of the five. The last line, and no other, is the end (GRAPH-26). */
export const ExportLine = named(
  "ExportLine",
  Type.Union([
    Type.Object({ node: ref(ExportedNode) }),
    Type.Object({ edge: ref(Edge) }),
    Type.Object({ broken: ref(ExportedBroken) }),
    Type.Object({ text: ref(ExportedText) }),
    Type.Object({ end: ExportEnd }),
  ]),
);
export type ExportLine = Static<typeof ExportLine>;
