import { type Static, Type } from "typebox";
import { type ColumnType, columnTypes } from "./column.ts";
import { Node } from "./node.ts";
import { closed, listOf, named, nullable, oneOf, paging, ref } from "./schema.ts";
import { graphLimits, sortOrders } from "./vocabulary.ts";

/** The comparisons of a column with a condition's value; those without a value come last (GRAPH-23). */
export const rowOperators = ["!=", "<=", ">=", "=", "<", ">", "~", "is empty", "is not empty"] as const;

export type RowOperator = (typeof rowOperators)[number];

/** Types of columns whose values are among the options of the schema (GRAPH-23). */
export const optionTypes = ["select", "multi_select", "status"] as const satisfies readonly ColumnType[];

/** The orders of rows besides those by columns. */
export const rowSorts = ["title", "updated", "created"] as const;

export type RowSort = (typeof rowSorts)[number];

export const RowsQuery = closed({
  where: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: graphLimits.rows.conditions,
      description:
        "A condition, `<column> <operator> <value>`; may be repeated, and then all must hold. The operator is `=`, `!=`, `<`, " +
        "`<=`, `>`, `>=` or `~` (contains), or, without a value, `is empty` or `is not empty`; `==` is `=`, and `contains` is `~`. " +
        "Quotes around a value are dropped, once. Compared by the type of the " +
        "column: numbers; times (RFC 3339, or a span back from now as `7d`, or ahead as `+7d`, written `%2B7d` in a URL; a " +
        "range of dates by its start); checkboxes (`true`, `false`); options, people and relations by name, relations also by " +
        "id or URL, where a comma list means any of them; all else as text, without regard to case and accents. With `=`, a " +
        "value that is an option of neither the schema nor a row is 400. An empty " +
        "value meets only `!=` and `is empty`. Example: `Status = Open, In progress`",
    }),
  ),
  column: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: graphLimits.rows.columns,
      description: "Show only this column; may be repeated, and sets their order. Case makes no difference",
    }),
  ),
  sort: Type.Optional(
    Type.String({
      description:
        "The name of a column, or `title` (the default), `updated` or `created`; a column of that name comes first. Empty " +
        "values are last, rows with equal values are in the order of ids",
    }),
  ),
  order: Type.Optional({
    ...oneOf(sortOrders),
    description: "`desc` by default for `updated` and `created`, `asc` for the others",
  }),
  ...paging(graphLimits.rows),
});
export type RowsQuery = Static<typeof RowsQuery>;

/** Rows of a database (GRAPH-23). */
export const Rows = named(
  "Rows",
  Type.Object({
    schema: Type.Array(
      Type.Object({
        name: Type.String(),
        type: oneOf(columnTypes),
        options: Type.Array(Type.String(), { description: "Empty for types without options" }),
        description: Type.Optional(Type.String({ description: "Left out if the column has none" })),
      }),
      { description: "The columns that are shown. Empty until a sync has read them" },
    ),
    ...listOf(
      Type.Object({
        node: ref(Node),
        // Not a Record, whose key pattern excludes line breaks, which names of columns may contain.
        properties: Type.Unsafe<Record<string, unknown>>(
          Type.Object(
            {},
            {
              additionalProperties: true,
              description:
                "Values by name of the column, as plain JSON. A relation is a list of `{id, title}`; the title is null " +
                "where that page is not shared with you",
            },
          ),
        ),
      }),
    ).properties,
    total: nullable(
      Type.Integer({ description: "Number of rows that meet the conditions; null where it was not counted" }),
    ),
    truncated: Type.Boolean({
      description:
        "Whether a limit ended the search before it had read all rows, or large values were left out. Sorted by a column, " +
        "further pages do not contain rows that were not read",
    }),
  }),
);
export type Rows = Static<typeof Rows>;
