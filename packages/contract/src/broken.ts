import { type Static, Type } from "typebox";
import { excerptOf, Node, unresolvedReference } from "./node.ts";
import { nodeReference } from "./page-filters.ts";
import { closed, inWorkspace, listOf, named, nullable, paging, ref } from "./schema.ts";
import { graphLimits } from "./vocabulary.ts";

export const BrokenQuery = closed({
  workspace_id: inWorkspace,
  under: Type.Optional(nodeReference("Only references of this page or database and of what is below it")),
  ...paging(graphLimits.broken),
});
export type BrokenQuery = Static<typeof BrokenQuery>;

/** References that do not resolve, by the title of their page, then by target (GRAPH-32). */
export const Broken = named(
  "Broken",
  Type.Object({
    ...listOf(
      Type.Object({
        node: ref(Node),
        ...unresolvedReference,
        excerpts: Type.Array(excerptOf("the page"), {
          description: `The sentence or list item around each of its first ${graphLimits.excerpts.maximum} places in the text of the page; none for relations and texts not read yet`,
        }),
      }),
    ).properties,
    total: nullable(
      Type.Integer({
        description: `Items in the whole list; null if more than ${graphLimits.broken.countedPages} pages have any`,
      }),
    ),
  }),
);
export type Broken = Static<typeof Broken>;
