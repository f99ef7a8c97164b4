import { type Static, Type } from "typebox";
import { Node } from "./node.ts";
import { closed, Id, limitOf, named, oneOf, ref } from "./schema.ts";
import { graphLimits, sharedKinds } from "./vocabulary.ts";

export const RelatedQuery = closed({
  linked: Type.Optional(
    Type.Boolean({ default: false, description: "Whether to list what is linked directly as well" }),
  ),
  limit: limitOf(graphLimits.related),
});
export type RelatedQuery = Static<typeof RelatedQuery>;

/** The nodes that share links, mentions and relations with a node, best first (GRAPH-21). */
export const Related = named(
  "Related",
  Type.Object({
    node: ref(Node),
    items: Type.Array(
      Type.Object({
        node: ref(Node),
        score: Type.Number({
          description:
            "Above 0 and at most 1: the part of the node's links that both share. A link counts less the more edges the shared page has",
        }),
        reasons: Type.Array(
          Type.Object({
            type: {
              ...oneOf(sharedKinds),
              description:
                "`same_targets`: both link to the same pages; `same_sources`: the same pages link to both",
            },
            count: Type.Integer({ description: "How many pages they share" }),
            via: Type.Array(Type.Object({ id: Id, title: Type.String() }), {
              description: "Up to three of these pages, those with the fewest edges first",
            }),
          }),
        ),
      }),
    ),
    truncated: Type.Boolean({ description: "Whether a limit ended the search" }),
  }),
);
export type Related = Static<typeof Related>;
