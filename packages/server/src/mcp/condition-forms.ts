import { type RowOperator, rowOperators } from "@clew/contract";

/*
 * Conditions of rows as agents write them: joined in one text, or as the objects of other interfaces (AGT-3).
 */

/** The conditions of a text that joins several by AND. */
export function conditionsInText(text: string): string[] {
  const parts = text.split(/(?<!\s)\s+(?:AND|&&)\s+/);
  return parts.every((part) => /[=<>~≤≥≠]|\s(?:is|contains|equals)\s/.test(part)) ? parts : [text];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The conditions of an object: `{"Kind": "red dwarf"}`, `{"Size": {"gt": 5}}`, `{"column": "Size", "operator": ">", "value": 5}`,
 * `{"property": "Size", "number": {"greater_than": 5}}`, or several within `and`. Null for any other value.
 */
export function conditionsInObject(value: unknown): string[] | null {
  if (!isObject(value)) return null;
  const entries = Object.entries(value);
  const [[name, inner] = ["", null], ...others] = entries;
  if (name.toLowerCase() === "and" && others.length === 0 && Array.isArray(inner)) return allOf(inner);
  const column = textOf(value, columnFields);
  if (column !== undefined && others.length > 0) return aboutColumn(column, value);
  return entries.length === 0 ? null : allOrNull(entries.map(([each, wanted]) => comparison(each, wanted)));
}

const columnFields = ["column", "property", "field"];
const operatorFields = ["operator", "op", "comparison"];

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = (fields: Fields, names: readonly string[]): string | undefined =>
  names.map((name) => fields[name]).find((field) => typeof field === "string");

function allOf(values: readonly unknown[]): string[] | null {
  return allOrNull(values.map(conditionsInObject))?.flat() ?? null;
}

const allOrNull = <Part>(parts: readonly (Part | null)[]): Part[] | null => {
  const found = parts.filter((part) => part !== null);
  return found.length === parts.length ? found : null;
};

/** A column beside an operator and a value, or beside the operators of its type. */
function aboutColumn(column: string, fields: Fields): string[] | null {
  const named = textOf(fields, operatorFields);
  const rest = Object.entries(fields).filter(([name]) => !columnFields.includes(name));
  const wanted = named === undefined ? rest[0]?.[1] : { [named]: fields.value ?? true };
  const isWhole = rest.length === (named === undefined || !("value" in fields) ? 1 : 2);
  const condition = isWhole ? comparison(column, wanted) : null;
  return condition === null ? null : [condition];
}

/** A column with the value that it should have, or with one operator and its value. */
function comparison(column: string, wanted: unknown): string | null {
  if (!isObject(wanted)) {
    const value = valueText(wanted);
    return value === null ? null : `${column} = ${value}`;
  }
  const [[name, given] = ["", null], ...others] = Object.entries(wanted);
  const operator = operatorOf(name);
  const value = valueText(given);
  if (operator === null || value === null || others.length > 0) return null;
  if (!operator.startsWith("is")) return `${column} ${operator} ${value}`;
  if (given === false) return `${column} ${operator === "is empty" ? "is not empty" : "is empty"}`;
  return `${column} ${operator}`;
}

function valueText(value: unknown): string | null {
  if (Array.isArray(value)) return allOrNull(value.map(valueText))?.join(", ") ?? null;
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : null;
}

/** The names of operators in other interfaces, without case, `_`, `$` and spaces. */
const operators: Readonly<Record<string, RowOperator>> = {
  "==": "=",
  eq: "=",
  equal: "=",
  equals: "=",
  in: "=",
  is: "=",
  "<>": "!=",
  ne: "!=",
  neq: "!=",
  isnot: "!=",
  notequals: "!=",
  doesnotequal: "!=",
  lt: "<",
  lessthan: "<",
  before: "<",
  lte: "<=",
  lessthanorequalto: "<=",
  onorbefore: "<=",
  gt: ">",
  greaterthan: ">",
  after: ">",
  gte: ">=",
  greaterthanorequalto: ">=",
  onorafter: ">=",
  contains: "~",
  isempty: "is empty",
  isnotempty: "is not empty",
};

function operatorOf(name: string): RowOperator | null {
  const plain = name.toLowerCase().replaceAll(/[\s_$]/g, "");
  return rowOperators.find((operator) => operator === plain) ?? operators[plain] ?? null;
}
