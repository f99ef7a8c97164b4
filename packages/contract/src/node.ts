import { type Static, Type } from "typebox";
import { commaList } from "./page-filters.ts";
import { closed, Id, named, nullable, oneOf, ref, Timestamp } from "./schema.ts";
import { contentStates, edgeTypes, graphLimits, nodeTypes } from "./vocabulary.ts";

/** The path parameter of operations on one node. */
export const NodePath = Type.Object({
  id: Type.String({ description: "The node's id, with or without dashes" }),
});

/** Somebody at the provider. */
const author = Type.Object({
  id: Type.String({ description: "The provider's id" }),
  name: nullable(Type.String({ description: "null if the provider does not tell it" })),
});

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
  created_by: Type.Optional({
    ...author,
    description: "Who made it; left out if the provider does not say",
  }),
  edited_by: Type.Optional({
    ...author,
    description: "Who edited it last; left out if the provider does not say",
  }),
};

/** A page, a database or a tag. `degree` counts distinct edges, without those to the node itself. */
export const Node = named("Node", Type.Object(node));
export type Node = Static<typeof Node>;

/** The sentence or list item around a place in the text of a page. */
export const excerptOf = (page: string) =>
  Type.Object({
    offset: Type.Integer({ description: `Where it starts in the text of ${page}, in code points` }),
    text: Type.String({ description: `Plain text, at most ${graphLimits.excerpts.chars} characters` }),
    marks: Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), {
      description: "Where the link is: `[start, end)` in code points of `text`",
    }),
  });

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
      Type.Array(excerptOf("`from`"), {
        description: `With \`excerpts=true\`: the sentence or list item around each of the first ${graphLimits.excerpts.maximum} places of the link in the text of \`from\`; none for \`child\`, \`relation\` and texts not read yet`,
      }),
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

/** Further fields of the items of such a list. */
export const listedBreadcrumb = {
  breadcrumb: Type.Optional({ ...Breadcrumb, description: "With `breadcrumb=true`: root first" }),
  breadcrumb_truncated: Type.Optional(
    Type.Boolean({
      description: `true if the start of the breadcrumb was left out: the nearest ${graphLimits.breadcrumb.levels} pages are listed, fewer if their titles are very long; otherwise left out`,
    }),
  ),
};

/** A link to a page that is not shared or does not exist. */
export const unresolvedReference = {
  type: oneOf(edgeTypes),
  target_id: Id,
  name: nullable(Type.String({ description: "The text of the link, if it has any; null for relations" })),
  count: Type.Integer(),
};

const degrees = Type.Object({ in: Type.Integer(), out: Type.Integer() });

// Not a Record, whose key pattern excludes line breaks, which names of properties may contain.
const properties = Type.Unsafe<Record<string, unknown>>(
  Type.Object({}, { additionalProperties: true, description: "Property values by name, as plain JSON" }),
);

/** A page or database in an export: with its properties, as stored when it was written (GRAPH-26). */
export const ExportedNode = named("ExportedNode", Type.Object({ ...node, properties }));
export type ExportedNode = Static<typeof ExportedNode>;

/** A page or database with everything but its text (GRAPH-4). */
export const NodeDetail = named(
  "NodeDetail",
  Type.Object({
    ...node,
    properties,
    breadcrumb: Breadcrumb,
    edges_by_type: Type.Object({ child: degrees, mention: degrees, link: degrees, relation: degrees }),
    unresolved: Type.Array(Type.Object(unresolvedReference), {
      description: "Links to pages that are not shared with you or do not exist",
    }),
    content_state: oneOf(contentStates),
    unread: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "Properties whose values could not be read: they are null in `properties`, and not empty. Left out if there are none",
      }),
    ),
    verification: Type.Optional(
      Type.Object(
        {
          state: oneOf(["verified", "expired"]),
          by: nullable(author),
          since: nullable(Type.String({ description: "An ISO 8601 date or time" })),
          until: nullable(Type.String({ description: "An ISO 8601 date or time; null without an end" })),
        },
        { description: "Who vouches for the page; left out if nobody does or did" },
      ),
    ),
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

/** The sign of a text that is not whole. */
export const truncatedText = Type.Boolean({
  description:
    "true if the page could not be read whole, so that a part of its text is missing; otherwise left out. The report of the sync says why",
});

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
    truncated: Type.Optional(truncatedText),
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
