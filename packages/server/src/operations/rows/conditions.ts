import { type ColumnType, type FieldError, type RowOperator, rowOperators } from "@clew/contract";
import { fold, type NodeId, parseNodeId } from "@clew/graph";
import type { Operand, RowCondition } from "../../graph-cache/rows/condition.ts";
import { kindOf, type ValueKind } from "../../graph-cache/rows/values.ts";
import { ApiError } from "../../model/api-error.ts";
import type { Column } from "../../model/column.ts";
import { parseQueryTimeEitherWay } from "../query-time.ts";

interface ReadingOptions {
  /** When the list began, in milliseconds since the Unix epoch: spans of time count from it. */
  readonly now: number;
  /** The page or database that an address at the provider opens; null for any other text. */
  readonly pageOfUrl: (text: string) => NodeId | null;
}

/**
 * Reads the conditions of a list of rows, each `<column> <operator> <value>`. Throws `ApiError` `invalid_request` with what is
 * wrong with each of them.
 */
export function readConditions(
  where: readonly string[],
  columns: readonly Column[],
  options: ReadingOptions,
): RowCondition[] {
  const read = where.map((text) => readCondition(text, columns, options));
  const messages = read.filter((condition) => typeof condition === "string");
  if (messages.length > 0)
    throw new ApiError("invalid_request", "A condition cannot be read.", {
      errors: messages.map((message) => ({ path: "?where", message })),
    });
  return read.filter((condition) => typeof condition !== "string");
}

/** The column of a name, in any case; undefined if there is none. */
export function findColumn(columns: readonly Column[], name: string): Column | undefined {
  const wanted = name.trim().toLowerCase();
  return (
    columns.find((column) => column.name === name) ??
    columns.find((column) => column.name.trim().toLowerCase() === wanted)
  );
}

/** Where a text should name a column, and does not. */
export function unknownColumn(path: string, columns: readonly Column[]): FieldError {
  return { path, message: `is not a column of the database, which has ${listed(columns)}` };
}

const maxNamesListed = 100;
const maxNameListed = 100;

function listed(columns: readonly Column[]): string {
  if (columns.length === 0) return "no known columns yet";
  const names = columns.slice(0, maxNamesListed).map(({ name }) => quoted(name));
  const more = columns.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function quoted(name: string): string {
  return `"${name.length > maxNameListed ? `${name.slice(0, maxNameListed).toWellFormed()}…` : name}"`;
}

/** A condition, or what is wrong with the text. */
function readCondition(
  text: string,
  columns: readonly Column[],
  options: ReadingOptions,
): RowCondition | string {
  const trimmed = text.trim();
  const column = columnAtStart(trimmed, columns);
  if (column === undefined) return `must begin with a column of the database, which has ${listed(columns)}`;
  const rest = trimmed.slice(column.name.trim().length).trim();
  const operator = rowOperators.find((each) => rest.slice(0, each.length).toLowerCase() === each);
  const value = rest.slice(operator?.length ?? 0).trim();
  const takesValue = operator !== undefined && !operator.startsWith("is");
  if (operator === undefined || (!takesValue && value !== ""))
    return (
      `needs an operator and nothing else between the column ${quoted(column.name)} and the value: ` +
      `${rowOperators.join(", ")}; the database has ${listed(columns)}`
    );
  if (takesValue && value === "")
    return `needs a value after ${operator}; to find rows without one, write "is empty"`;
  const kind = kindOf(column.type);
  const mismatch = mismatchOf(kind, operator, value, options);
  if (mismatch !== null) return `compares ${quoted(column.name)}, ${nameOf(column.type)}, ${mismatch}`;
  return { column: column.name, kind, operator, operand: readOperand(kind, value, options) };
}

/** The column with the longest name that a text begins with, in any case; of two such names the one in the text's case. */
function columnAtStart(text: string, columns: readonly Column[]): Column | undefined {
  let found: { readonly column: Column; readonly length: number; readonly isExact: boolean } | undefined;
  for (const column of columns) {
    const name = column.name.trim();
    const start = text.slice(0, name.length);
    if (name === "" || start.toLowerCase() !== name.toLowerCase()) continue;
    const isExact = start === name;
    const isBetter =
      found === undefined ||
      name.length > found.length ||
      (name.length === found.length && isExact && !found.isExact);
    if (isBetter) found = { column, length: name.length, isExact };
  }
  return found?.column;
}

const vowel = /^[aeiou]/;

const nameOf = (type: ColumnType) => {
  const name = type.replaceAll("_", " ");
  return `${vowel.test(name) ? "an" : "a"} ${name} column`;
};

/** Why a value or an operator does not fit a type; null if both do. */
function mismatchOf(
  kind: ValueKind,
  operator: RowOperator,
  value: string,
  { now }: ReadingOptions,
): string | null {
  if (operator.startsWith("is")) return null;
  if (kind === "number") {
    if (operator === "~") return "with ~, which is for texts";
    return readNumber(value) === null ? "with what is not a number" : null;
  }
  if (kind === "date") {
    if (operator === "~") return "with ~, which is for texts";
    if (parseQueryTimeEitherWay(value, now) !== null) return null;
    return "with what is not a date or date-time of RFC 3339 or a span such as 7d or +7d";
  }
  if (kind !== "checkbox") return null;
  if (operator !== "=" && operator !== "!=") return `with ${operator}: only = and != are for checkboxes`;
  return readChecked(value) === null ? "with what is neither true nor false" : null;
}

/** What to compare with, in each form that values of this kind need. */
function readOperand(kind: ValueKind, value: string, { now, pageOfUrl }: ReadingOptions): Operand {
  const isComputed = kind === "computed";
  const isList = kind === "name" || kind === "relation";
  const parts = isList ? alternatives(value) : [value];
  return {
    number: kind === "number" || isComputed ? readNumber(value) : null,
    time: kind === "date" || isComputed ? parseQueryTimeEitherWay(value, now) : null,
    checked: kind === "checkbox" || isComputed ? readChecked(value) : null,
    texts: parts.map(fold),
    ids: kind === "relation" ? parts.flatMap((part) => parseNodeId(part) ?? pageOfUrl(part) ?? []) : [],
  };
}

/** The parts of a comma list. The whole is one too, since names may contain commas. */
function alternatives(list: string): string[] {
  const parts = list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return [...new Set([list, ...parts])];
}

const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

const readNumber = (text: string) => (number.test(text) ? Number(text) : null);

function readChecked(text: string): boolean | null {
  const word = text.toLowerCase();
  return word === "true" || word === "false" ? word === "true" : null;
}
