import { type Rows, type RowsQuery, type ToolInput, toolLimits } from "@clew/contract";
import type { LocatedNode } from "../../graphs/readable.ts";
import { ApiError } from "../../model/api-error.ts";
import { oneLine, pageName, shortId } from "../../operations/page-names.ts";
import { findById } from "../../operations/resolve.ts";
import { columnsOf, rows } from "../../operations/rows.ts";
import { search } from "../../operations/search.ts";
import { shownRows } from "../../operations/shown-pages.ts";
import { findColumn } from "../../rows/columns.ts";
import { fullAnswer, pagesAnswer } from "../answer/compose.ts";
import { coverageOf } from "../answer/coverage.ts";
import { valueText } from "../answer/values.ts";
import { count, freshness } from "../answer/words.ts";
import { meansAll, sortAndOrder } from "../argument-words.ts";
import { conditionsInText } from "../condition-forms.ts";
import { findPage } from "../pages.ts";
import { timeOfValue } from "../times.ts";
import type { ToolAnswer, ToolCall } from "../tool-call.ts";
import { readPart } from "./list-part.ts";

/** `query_database`: rows of a database as a table. */
export async function queryDatabase(call: ToolCall, input: ToolInput<"query_database">): Promise<ToolAnswer> {
  const located = await findPage(call, input.database);
  const { node } = located;
  if (node.type !== "database") throw await noDatabase(call, located);
  const { where = [], columns = [], skip = 0, limit = toolLimits.rows.standard } = input;
  const shown = listed(columns);
  const wanted = {
    ...(where.length > 0 && { where: where.flatMap(conditionsInText) }),
    ...(shown.length > 0 && { column: shown }),
    ...(await sorting(call, node.id, input)),
  };
  const readers = { timeOf: timeOfValue, pageOf: (text: string) => findById(call, text)?.node.id ?? null };
  const read = (items: number) =>
    readPart({ skip, limit: items }, (page) => rows(call.ctx, { id: node.id, ...wanted, ...page }, readers));
  if (input.detail === "full")
    return fullAnswer({ limit, maxTokens: input.max_tokens }, read, (page) => shownRows(node.id, page));
  const { schema, items, total, truncated, next_cursor: next } = await read(limit);
  // The title tells what a row is even if its column is not asked for.
  const hasTitle = schema.some(({ type }) => type === "title");
  const coverage = coverageOf(call, { ids: [node.id] });
  const name = pageName(call.graphs, { ...node, type: "page" });
  const those = where.length === 0 ? "" : ` that ${total === 1 ? "meets" : "meet"} the conditions`;
  const many = total === null ? "" : `: ${count(total, "row")}${those}`;
  const columnsLine =
    schema.length === 0
      ? "(Its columns have not been read yet.)"
      : `Columns: ${oneLine(schema.map(describe).join("; "), schemaTokens)}`;
  return pagesAnswer(
    {
      head: [
        total === 0
          ? coverage.none(`${name}${many}`, `${name}: no rows${those} were found`)
          : `${name}${many}${many && coverage.soFar}`,
        items.length === 0
          ? `${total !== 0 && skip > 0 ? `${coverage.none("No more rows.", "No more rows were found")} ` : ""}${columnsLine}`
          : tableHead(["id", ...(hasTitle ? [] : ["title"]), ...schema.map(header)]),
      ],
      lines: items.map(({ node: { id, title }, properties }) =>
        tableRow([
          shortId(call.graphs, id),
          ...(hasTitle ? [] : [oneLine(title) || "Untitled"]),
          ...schema.map((column) => cell(call, column, properties[column.name])),
        ]),
      ),
      tail: (shown) => [
        ...(next !== null || shown < items.length ? [`(There are more: skip=${skip + shown}.)`] : []),
        ...(truncated ? ["(The search reached its limit: some rows are left out.)"] : []),
        freshness(call, [node.id]),
      ],
    },
    { about: [node.id], pages: items.map((item) => item.node.id) },
    input.max_tokens,
  );
}

const schemaTokens = 150;
const nameTokens = 8;
const valueTokens = 40;

/** Columns may come as one text with commas; none stand for all. */
function listed(columns: readonly string[]): string[] {
  const [only = ""] = columns;
  if (columns.length === 1 && meansAll(only)) return [];
  return columns
    .flatMap((text) => (columns.length === 1 ? text.split(",") : [text]))
    .map((text) => text.trim());
}

/** The order of the rows. `Due desc` is a column and its direction, unless it is a column. */
async function sorting(
  { ctx }: ToolCall,
  id: string,
  { sort, order }: Pick<ToolInput<"query_database">, "sort" | "order">,
): Promise<Pick<RowsQuery, "sort" | "order">> {
  const parts = sort === undefined || order !== undefined ? null : sortAndOrder(sort);
  const [columns = []] = parts === null || sort === undefined ? [] : await columnsOf(ctx, [id]);
  if (parts !== null && sort !== undefined && findColumn(columns, sort) === undefined) return parts;
  return { ...(sort !== undefined && { sort }), ...(order && { order }) };
}

const databasesNamed = 5;

/** Says what a page is that has no rows, and which databases there are: those below it, or all. */
async function noDatabase(call: ToolCall, { node, source: { graph } }: LocatedNode): Promise<ApiError> {
  const what = `${pageName(call.graphs, node)} is a page, not a database`;
  const parent = graph.breadcrumb(node.id).at(-1);
  if (parent?.type === "database")
    return new ApiError("invalid_request", `${what}, but a row of ${pageName(call.graphs, parent)}.`);
  if (!call.holds("graph:search"))
    return new ApiError("invalid_request", `${what}. Give the link or id of a database.`);
  const wanted = { type: "database", sort: "importance", limit: databasesNamed } as const;
  const below = await search(call.ctx, { ...wanted, under: node.id });
  const { items } = below.items.length > 0 ? below : await search(call.ctx, wanted);
  const names = items.map((item) => pageName(call.graphs, { ...item.node, type: "page" })).join(", ");
  const { none } = coverageOf(call);
  const which = below.items.length > 0 ? "Below it are" : "Databases are";
  const hint = items.length > 0 ? `${which}: ${names}.` : none("There is none.", "None was found");
  return new ApiError("invalid_request", `${what}. ${hint} List all with search_pages, type=database.`);
}

/** A column with its type and the options that it has. */
function describe({ name, type, options }: Column): string {
  const choice = options.length === 0 ? "" : `: ${options.join(", ")}`;
  return `${oneLine(name, nameTokens)} (${type}${choice})`;
}

type Column = Rows["schema"][number];

/** The name of a column, for the first line of the table. */
const header = ({ name, type }: Column): string =>
  `${oneLine(name, nameTokens)}${type === "checkbox" ? " (true or blank)" : ""}`;

/** A value in the table: a checkbox is never without one, so that blank says enough. */
function cell({ graphs }: ToolCall, { type }: Column, value: unknown): string {
  if (type === "checkbox") return value === true ? "true" : "";
  return oneLine(valueText(graphs, value), valueTokens);
}

const tableRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

const tableHead = (names: readonly string[]): string => `${tableRow(names)}\n|${"---|".repeat(names.length)}`;
