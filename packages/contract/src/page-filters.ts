import { type Static, Type } from "typebox";
import { closed, inWorkspace, nullable, oneOf } from "./schema.ts";
import { nodeTraits, nodeTypes, sortOrders } from "./vocabulary.ts";

/** A comma-separated list of known values: `edge_type=link,mention`. */
export const commaList = (values: readonly string[], prefix = "") => {
  const word = `${prefix}(?:${values.join("|")})`;
  return Type.String({
    pattern: `^${word}(?:,${word})*$`,
    description: `Comma-separated list of ${values.join(", ")}`,
  });
};

/** The words that a pattern takes. */
interface KnownWords {
  readonly words: readonly string[];
  /** Whether `-` may stand before a word. */
  readonly areNegatable: boolean;
}

/** The words that a pattern takes, of `commaList` or such as `^-?(orphan|row)$`; null for other patterns. */
export function wordsOfPattern(pattern: string): KnownWords | null {
  const [, minus, words] = /^\^(-\?)?\((?:\?:)?([\w|]+)\)(?:\$$|\(\?:,)/.exec(pattern) ?? [];
  return words === undefined ? null : { words: words.split("|"), areNegatable: minus !== undefined };
}

/** The id of a node in a query. Paths take ids alone. */
export const nodeReference = (description: string) =>
  Type.String({ description: `${description}: an id, with or without dashes, or the URL at the provider` });

/** A time in a query. What is read from it: operations/query-time.ts of the server. */
const time = (description: string) =>
  Type.String({
    description: `${description}: an RFC 3339 date (midnight UTC) or date-time, or a span back from now in hours, days, weeks, months of 30 days or years of 365 (\`24h\`, \`7d\`, \`2w\`, \`6mo\`, \`1y\`)`,
  });

/** The filters of lists of pages and databases (GRAPH-19). Lists take all of them, or those that they name. */
export const pageFilters = {
  workspace_id: inWorkspace,
  type: Type.Optional({ ...oneOf(nodeTypes), description: "Only pages, only databases, or only tags" }),
  under: Type.Optional(nodeReference("Only this page or database and what is below it")),
  updated_after: Type.Optional(time("Last edited at this time or later")),
  updated_before: Type.Optional(time("Last edited before this time")),
  created_after: Type.Optional(time("Created at this time or later")),
  created_before: Type.Optional(time("Created before this time")),
  by: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        "Made or last edited by this person: the provider's id, or the name, or words of it, without regard to case and accents",
    }),
  ),
  is: Type.Optional({
    ...commaList(nodeTraits, "-?"),
    description:
      "Comma-separated list; all must hold, and `-` negates one: " +
      "`orphan` (no edge but `child`), `unreferenced` (no link, mention or relation in), `dead_end` (none out), " +
      "`broken` (a reference that does not resolve), `empty` (read, and no text), `failed` (could not be read), " +
      "`row` (in a database), `archived`, `verified`, `expired` (its verification). Needs graph:read as well",
  }),
};

/** The number of results without the filters, where only they leave none. */
export const unfilteredTotal = nullable(
  Type.Integer({
    description:
      "Where only the filters leave nothing, the number of pages that match without them in all readable workspaces; otherwise, " +
      "or where they were not counted, null",
  }),
);

const PageFilters = closed(pageFilters);
export type PageFilters = Static<typeof PageFilters>;

/** The orders of search results (GRAPH-19). */
export const searchSorts = ["relevance", "updated", "created", "title", "degree", "importance"] as const;

export type SearchSort = (typeof searchSorts)[number];

/** The order of a list of pages; nodes with equal values are in the order of ids. */
export const sorting = {
  sort: Type.Optional({
    ...oneOf(searchSorts),
    description: "`relevance` by default with `q`, and only with it; otherwise `updated`",
  }),
  order: Type.Optional({
    ...oneOf(sortOrders),
    description: "`asc` by default for `title`, `desc` for the others; not with `relevance`",
  }),
};
