import { type ColumnType, optionTypes, type RowOperator, rowOperators } from "@clew/contract";
import { type NodeId, parseNodeId } from "@clew/graph";
import type { Column } from "@clew/provider";
import { fold } from "@clew/text/basics";
import { ApiError } from "../model/api-error.ts";
import { kindOf, nameOfType, namesOf, quoted, type ValueKind } from "./columns.ts";
import type { Operand, RowCondition } from "./matching.ts";
import { closingQuoteOf, listItems, unquoted } from "./quotes.ts";

/** The time of a request, and how times and pages in it are read. */
export interface ReadingOptions {
  /** When the list began, in milliseconds since the Unix epoch: spans of time count from it. */
  readonly now: number;
  /** The time that a text says, in milliseconds since the Unix epoch; null for any other text. */
  readonly timeOf: (text: string, now: number) => number | null;
  /** The page or database that an address at the provider opens, or that a text names otherwise; null for any other text. */
  readonly pageOf: (text: string) => NodeId | null;
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

/** A condition, or what is wrong with the text. */
function readCondition(
  text: string,
  columns: readonly Column[],
  options: ReadingOptions,
): RowCondition | string {
  const start = columnAtStart(text.trim(), columns);
  if (start === undefined) return `must begin with a column of the database, which has ${namesOf(columns)}`;
  const { column, rest } = start;
  const read = operatorAtStart(rest, column);
  const { operator, given } = read ?? { given: "" };
  const takesValue = operator !== undefined && !operator.startsWith("is");
  if (operator === undefined || (!takesValue && given !== ""))
    return (
      `needs an operator and nothing else between the column ${quoted(column.name)} and the value: ` +
      `${rowOperators.join(", ")}; the database has ${namesOf(columns)}`
    );
  const value = readValue(kindOf(column.type), given);
  if (takesValue && value.whole === "")
    return `needs a value after ${operator}; to find rows without one, write "is empty"`;
  const kind = kindOf(column.type);
  const mismatch = mismatchOf(kind, operator, value.whole, options);
  if (mismatch !== null)
    return `compares ${quoted(column.name)}, ${nameOfType(column.type)}, ${mismatch}${hintAtLists(value.whole)}`;
  const unlisted = operator === "=" ? unlistedOptions(column, value) : null;
  return {
    column: column.name,
    kind,
    operator,
    operand: readOperand(kind, value, options),
    ...(unlisted && { unlisted }),
  };
}

/** An operator, and what a condition has after it. */
interface ReadOperator {
  readonly operator: RowOperator;
  readonly given: string;
}

/** The operator that a text begins with; null if it begins with none. */
function operatorAtStart(text: string, column: Column): ReadOperator | null {
  const kind = kindOf(column.type);
  const isOrdered = kind === "number" || kind === "date";
  const known = isOrdered ? [...spellings, ...comparisonWords] : spellings;
  const [pattern, operator] = known.find(([each]) => each.test(text)) ?? [];
  if (pattern !== undefined && operator !== undefined)
    return { operator, given: text.replace(pattern, "").trim() };
  const given = afterIs.exec(text)?.[1];
  return given === undefined ? null : readIs(given, column);
}

type Spelling = readonly [RegExp, RowOperator];

const word = (words: string, operator: RowOperator): Spelling => [
  new RegExp(`^(?:${words})(?![\\p{L}\\p{N}])`, "iu"),
  operator,
];

/** How operators are written, in the order in which they are tried. */
const spellings: readonly Spelling[] = [
  [/^==/, "="],
  [/^(?:<>|≠)/, "!="],
  [/^(?:=<|≤)/, "<="],
  [/^(?:=>|≥)/, ">="],
  ...rowOperators.map((operator) => [new RegExp(`^${operator}`, "i"), operator] as const),
  [/^:/, "="],
  word("contains", "~"),
  word("equals", "="),
  word("does not equal", "!="),
];

/** Words for numbers and dates alone: a text may begin with them. */
const comparisonWords: readonly Spelling[] = [
  word("(?:is )?(?:(?:greater|more) than or equal(?: to)?|at least|on or after)", ">="),
  word("(?:is )?(?:less than or equal(?: to)?|at most|on or before)", "<="),
  word("(?:is )?(?:(?:greater|more) than|after)", ">"),
  word("(?:is )?(?:less than|before)", "<"),
];

const afterIs = /^is(?![\p{L}\p{N}])\s*(\S.*)$/isu;

/** Reads what follows `is`. Null if `not` may belong to the value, as in the option `Not started`. */
function readIs(given: string, column: Column): ReadOperator | null {
  const negated = /^not\s+(.*)$/is.exec(given)?.[1];
  if (negated === undefined) return { operator: "=", given };
  const isOption = (text: string) => column.options.some((option) => fold(option) === fold(unquoted(text)));
  if (isOption(given)) return { operator: "=", given };
  const cannotBeText = ["number", "date", "checkbox"].includes(kindOf(column.type));
  return cannotBeText || isOption(negated) ? { operator: "!=", given: negated } : null;
}

/** Advice for a value that has OR in it. */
const hintAtLists = (value: string): string =>
  /\s(?:or|\|\|)\s/i.test(value)
    ? "; conditions cannot be joined by OR: ask once for each, or for any of several names with commas between them"
    : "";

/**
 * Finds the column with the longest name that a text begins with, in any case and also in quotes. Of two names that differ
 * in case alone, the one in the text's case is taken. `rest` follows the name.
 */
function columnAtStart(
  text: string,
  columns: readonly Column[],
): { readonly column: Column; readonly rest: string } | undefined {
  const open = text.charAt(0);
  const close = closingQuoteOf(open);
  let found: { readonly column: Column; readonly length: number; readonly isExact: boolean } | undefined;
  for (const column of columns) {
    const names = [column.name.trim(), withoutUnit(column, columns)].filter((name) => name !== "");
    for (const form of names.flatMap((name) =>
      close === undefined ? [name] : [name, open + name + close],
    )) {
      const start = text.slice(0, form.length);
      if (start.toLowerCase() !== form.toLowerCase()) continue;
      const isExact = start === form;
      const isBetter =
        found === undefined ||
        form.length > found.length ||
        (form.length === found.length && isExact && !found.isExact);
      if (isBetter) found = { column, length: form.length, isExact };
    }
  }
  return found && { column: found.column, rest: text.slice(found.length).trim() };
}

/** The name of a column without what it has in brackets at its end, unless another one has it: `Distance` for `Distance (ly)`. */
function withoutUnit({ name }: Column, columns: readonly Column[]): string {
  const bareOf = (text: string) => text.trim().replace(/(?<!\s)\s*\([^()]*\)$/, "");
  const bare = bareOf(name);
  return columns.filter((each) => bareOf(each.name) === bare).length === 1 ? bare : "";
}

/** The reason why a value or an operator does not fit a type; null if both do. */
function mismatchOf(
  kind: ValueKind,
  operator: RowOperator,
  value: string,
  { now, timeOf }: ReadingOptions,
): string | null {
  if (operator.startsWith("is")) return null;
  if (kind === "number") {
    if (operator === "~") return "with ~, which is for texts";
    return readNumber(value) === null ? "with a value that is not a number" : null;
  }
  if (kind === "date") {
    if (operator === "~") return "with ~, which is for texts";
    if (timeOf(value, now) !== null) return null;
    return "with a value that is not a date or date-time of RFC 3339 or a span such as 7d or +7d";
  }
  if (kind !== "checkbox") return null;
  if (operator !== "=" && operator !== "!=") return `with ${operator}: only = and != are for checkboxes`;
  return readChecked(value) === null ? "with a value that is not `true` or `false`" : null;
}

/** The value of a condition without quotes. */
interface GivenValue {
  readonly whole: string;
  /** The items of a comma list, if the kind of the values allows one; otherwise the whole. */
  readonly items: readonly string[];
}

function readValue(kind: ValueKind, text: string): GivenValue {
  if (kind !== "name" && kind !== "relation") return { whole: unquoted(text), items: [unquoted(text)] };
  const items = listItems(text);
  if (items.length > 1) return { whole: text, items };
  const [whole = ""] = items;
  return { whole, items: whole.split(",").flatMap((item) => item.trim() || []) };
}

/** The value in each form that this kind of column needs. The whole of a list is a text too, since names may contain commas. */
function readOperand(
  kind: ValueKind,
  { whole, items }: GivenValue,
  { now, timeOf, pageOf }: ReadingOptions,
): Operand {
  const isComputed = kind === "computed";
  const texts = [...new Set([whole, ...items])];
  return {
    number: kind === "number" || isComputed ? readNumber(whole) : null,
    time: kind === "date" || isComputed ? timeOf(whole, now) : null,
    checked: kind === "checkbox" || isComputed ? readChecked(whole) : null,
    texts: texts.map(fold),
    ids: kind === "relation" ? texts.flatMap((text) => parseNodeId(text) ?? pageOf(text) ?? []) : [],
  };
}

/** Values that should be options and that the schema does not have; null if there are none. */
function unlistedOptions(
  { type, options }: Column,
  { whole, items }: GivenValue,
): RowCondition["unlisted"] | null {
  const types: readonly ColumnType[] = optionTypes;
  if (!types.includes(type)) return null;
  const known = new Set(options.map(fold));
  const values = known.has(fold(whole)) ? [] : items.filter((item) => !known.has(fold(item)));
  return values.length === 0 ? null : { whole, values };
}

const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

const readNumber = (text: string) => (number.test(text) ? Number(text) : null);

function readChecked(text: string): boolean | null {
  const word = text.toLowerCase();
  if (word === "true" || word === "yes") return true;
  return word === "false" || word === "no" ? false : null;
}
