import { type Static, Type } from "typebox";
import { breadcrumbParameter, listedBreadcrumb, Node } from "./node.ts";
import { pageFilters, sorting, unfilteredTotal } from "./page-filters.ts";
import { closed, listOf, named, nullable, oneOf, paging, ref } from "./schema.ts";
import { graphLimits } from "./vocabulary.ts";

/** The part of a query that a page has (GRAPH-28). */
export const textMatches = ["all", "some"] as const;

const q = Type.String({
  description:
    `1–${graphLimits.text.queryLength} characters after trimming. Any word may match; \`"a phrase"\` must occur word for word, ` +
    "a page with `-word` is left out, and `word*` finds longer words as well",
});

export const TextQuery = closed({
  q,
  ...pageFilters,
  ...sorting,
  ...breadcrumbParameter,
  ...paging(graphLimits.text),
});
export type TextQuery = Static<typeof TextQuery>;

const Hit = Type.Object({
  offset: nullable(
    Type.Integer({
      description:
        "Where the snippet starts in the text, in code points, for `content/?offset=`; null in a property",
    }),
  ),
  heading: nullable(Type.String({ description: "The nearest heading above" })),
  property: nullable(Type.String({ description: "The property that has the words; null in the text" })),
  snippet: Type.String({ description: "At most 300 characters of plain text" }),
  marks: Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), {
    description: "What was found: `[start, end)` in code points of the snippet",
  }),
});

/** Pages and databases by their texts, best first (GRAPH-17, GRAPH-28). */
export const TextResults = named(
  "TextResults",
  Type.Object({
    ...listOf(
      Type.Object({
        node: ref(Node),
        score: Type.Number({ description: "0–1" }),
        match: { ...oneOf(textMatches), description: "`all` where one section has every word" },
        missing: Type.Array(Type.String(), { description: "Words of the query that the page lacks" }),
        hits: Type.Array(Hit, { description: "Up to three places, best first" }),
        ...listedBreadcrumb,
      }),
    ).properties,
    total: nullable(
      Type.Integer({ description: "Number of pages that match `all`; null where they were not counted" }),
    ),
    unfiltered_total: unfilteredTotal,
    indexed: Type.Number({ description: "Share of the texts that can be found so far, 0–1" }),
    ignored: Type.Array(Type.String(), { description: "Words that were not looked for, to bound the work" }),
    truncated: Type.Boolean({ description: "Whether a limit ended the search before it was complete" }),
  }),
);
export type TextResults = Static<typeof TextResults>;
