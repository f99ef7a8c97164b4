import { type Static, Type } from "typebox";
import { changeKinds } from "./changes.ts";
import { Node } from "./node.ts";
import { pageFilters } from "./page-filters.ts";
import { closed, Id, listOf, named, nullable, oneOf, paging, ref, Timestamp } from "./schema.ts";
import { aspects } from "./vocabulary.ts";

/** Page sizes and reach of the recent changes (GRAPH-29). */
export const recentLimits = { maximum: 200, standard: 50, standardSince: "7d", days: 90 } as const;

export const RecentQuery = closed({
  since: Type.Optional(
    Type.String({
      default: recentLimits.standardSince,
      description: `Since when, within the last ${recentLimits.days} days: an RFC 3339 date (midnight UTC) or date-time, or a span back from now in hours, days, weeks or months of 30 days (\`24h\`, \`7d\`, \`2w\`, \`2mo\`)`,
    }),
  ),
  workspace_id: pageFilters.workspace_id,
  type: pageFilters.type,
  under: pageFilters.under,
  ...paging(recentLimits),
});
export type RecentQuery = Static<typeof RecentQuery>;

/** The latest events, newest first. A page or database that is there is listed once. */
export const Recent = named(
  "Recent",
  Type.Object({
    ...listOf(
      Type.Object({
        change: {
          ...oneOf(changeKinds),
          description:
            "`added`: created since then; `changed`: only edited since then; `removed`: gone, not listed with `type` or `under`",
        },
        at: {
          ...Timestamp,
          description: "When it was last edited; of a removed one, when Clew noticed",
        },
        what: Type.Array(oneOf(aspects), {
          description:
            "What the last edit of a `changed` page changed. Empty for other changes, and if Clew has seen no edit of the page",
        }),
        node_id: Id,
        node: nullable(ref(Node)),
      }),
    ).properties,
    total: nullable(
      Type.Integer({ description: "Items in the whole list; null if there are too many removals to count" }),
    ),
  }),
);
export type Recent = Static<typeof Recent>;
