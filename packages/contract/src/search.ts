import { type Static, Type } from "typebox";
import { breadcrumbParameter, listedBreadcrumb, Node } from "./node.ts";
import { pageFilters, sorting, unfilteredTotal } from "./page-filters.ts";
import { closed, listOf, named, nullable, oneOf, paging, ref } from "./schema.ts";
import { graphLimits, matchKinds } from "./vocabulary.ts";

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
    unfiltered_total: unfilteredTotal,
  }),
);
export type SearchResults = Static<typeof SearchResults>;
