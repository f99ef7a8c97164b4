import { rowOperators, rowSorts } from "@clew/contract";
import fc from "fast-check";
import { columns, databaseId, type FuzzRequest } from "../ground.ts";
import { hostileText, mutated } from "../hostile.ts";
import { queryOf, requestGrammar, tryRequest } from "./requests.ts";

const names = [...Object.keys(columns), "Beside", "Name", "title"];
const spellings = [
  ...rowOperators,
  "==",
  "<>",
  "≠",
  "contains",
  "equals",
  "is",
  "is not",
  "at least",
  "after",
  ":",
];

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...names) },
  { weight: 1, arbitrary: fc.constantFrom(...names).map((each) => `"${each}"`) },
  { weight: 1, arbitrary: hostileText },
);
const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...Object.values(columns).flat(), "7d", "+2w", "", "Row 3") },
  { weight: 1, arbitrary: hostileText },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.constantFrom("Open", "Done", '"blue, green"', "“red”", "'"), { maxLength: 40 })
      .map(String),
  },
);

/** `<column> <operator> <value>`. */
const condition = mutated(
  fc
    .tuple(name, fc.constantFrom(...spellings), value)
    .map(([column, operator, text]) => `${column} ${operator} ${text}`),
);

const requests = fc
  .record({
    where: fc.array(condition, { minLength: 1, maxLength: 6 }),
    column: fc.array(mutated(fc.constantFrom(...names)), { maxLength: 2 }),
    sort: fc.option(mutated(fc.constantFrom(...names, ...rowSorts)), { nil: undefined }),
    order: fc.constantFrom(undefined, "asc", "desc"),
  })
  .map(({ where, column, sort, order }): FuzzRequest => {
    const pairs = [
      ...where.map((each) => ["where", each] as const),
      ...column.map((each) => ["column", each] as const),
      ...(sort === undefined ? [] : [["sort", sort] as const]),
      ...(order === undefined ? [] : [["order", order] as const]),
    ];
    return { method: "GET", path: `/api/v1/nodes/${databaseId}/rows/?${queryOf(pairs)}`, as: "token" };
  });

/** Conditions, columns and orders of rows (GRAPH-23). */
export const where = requestGrammar("where", requests, tryRequest);
