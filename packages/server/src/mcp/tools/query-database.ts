import { type Rows, type ToolInput, toolLimits } from "@clew/contract";
import { oneLine, pageName, shortId } from "../../operations/page-names.ts";
import { rows } from "../../operations/rows.ts";
import { compose, fullAnswer } from "../answer/compose.ts";
import { coverageOf } from "../answer/coverage.ts";
import { valueText } from "../answer/values.ts";
import { count, freshness } from "../answer/words.ts";
import { findPage } from "../pages.ts";
import { timeOfValue } from "../times.ts";
import type { ToolAnswer, ToolCall } from "../tool-call.ts";
import { readPart } from "./list-part.ts";

/** `query_database`: rows of a database as a table. */
export async function queryDatabase(call: ToolCall, input: ToolInput<"query_database">): Promise<ToolAnswer> {
  const { node } = await findPage(call, input.database);
  const { where = [], columns = [], sort, order, skip = 0, limit = toolLimits.rows.standard } = input;
  const wanted = {
    ...(where.length > 0 && { where: where.flatMap(conditionsIn) }),
    ...(columns.length > 0 && { column: listed(columns) }),
    ...(sort !== undefined && { sort }),
    ...(order && { order }),
  };
  const read = (items: number) =>
    readPart({ skip, limit: items }, (page) =>
      rows(call.ctx, { id: node.id, ...wanted, ...page }, timeOfValue),
    );
  if (input.detail === "full") return fullAnswer({ limit, maxTokens: input.max_tokens }, read);
  const { schema, items, total, truncated, next_cursor: next } = await read(limit);
  // The title tells what a row is even if its column is not asked for.
  const hasTitle = schema.some(({ type }) => type === "title");
  const coverage = coverageOf(call, { ids: [node.id] });
  const name = pageName(call.graphs, { ...node, type: "page" });
  const those = where.length > 0 ? " that meet the conditions" : "";
  const many = total === null ? "" : `: ${count(total, "row")}${those}`;
  const columnsLine =
    schema.length === 0
      ? "(Its columns have not been read yet.)"
      : `Columns: ${oneLine(schema.map(describe).join("; "), schemaTokens)}`;
  return {
    text: compose(
      {
        head: [
          total === 0
            ? coverage.none(`${name}${many}`, `${name}: no rows${those} were found`)
            : `${name}${many}${many && coverage.soFar}`,
          items.length === 0
            ? columnsLine
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
      input.max_tokens,
    ),
  };
}

const schemaTokens = 150;
const nameTokens = 8;
const valueTokens = 40;

/** Columns may come as one text with commas. */
const listed = (columns: readonly string[]): string[] =>
  columns.flatMap((text) => (columns.length === 1 ? text.split(",") : [text])).map((text) => text.trim());

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

/** The conditions of a text that joins several by AND. */
function conditionsIn(text: string): string[] {
  const parts = text.split(/\s+(?:AND|&&)\s+/);
  return parts.every((part) => /[=<>~]|\sis\s/.test(part)) ? parts : [text];
}
