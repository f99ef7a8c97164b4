import type { ColumnType, FieldError } from "@clew/contract";
import type { Column } from "@clew/provider";
import { ApiError } from "../model/api-error.ts";
import { unquoted } from "./quotes.ts";

/** How the values of a column are compared (GRAPH-23). */
export type ValueKind =
  | "number"
  | "date"
  | "checkbox"
  /** Options and people. */
  | "name"
  | "relation"
  /** Results of formulas and rollups, each by its own type. */
  | "computed"
  | "text";

const kinds: Partial<Record<ColumnType, ValueKind>> = {
  number: "number",
  checkbox: "checkbox",
  date: "date",
  created_time: "date",
  last_edited_time: "date",
  select: "name",
  multi_select: "name",
  status: "name",
  people: "name",
  created_by: "name",
  last_edited_by: "name",
  relation: "relation",
  formula: "computed",
  rollup: "computed",
};

export function kindOf(type: ColumnType): ValueKind {
  return kinds[type] ?? "text";
}

/** The column of a name, in any case, also in quotes; undefined if there is none. */
export function findColumn(columns: readonly Column[], name: string): Column | undefined {
  const called = (wanted: string) => columns.find((column) => column.name.trim().toLowerCase() === wanted);
  const wanted = name.trim().toLowerCase();
  return columns.find((column) => column.name === name) ?? called(wanted) ?? called(unquoted(wanted));
}

/** The error of a text that should name a column. */
export function unknownColumn(path: string, columns: readonly Column[]): FieldError {
  return { path, message: `is not a column of the database, which has ${namesOf(columns)}` };
}

/** The columns of these names, in their order; all without names. Throws `ApiError` `invalid_request`. */
export function readColumns(names: readonly string[], columns: readonly Column[]): readonly Column[] {
  if (names.length === 0) return columns;
  const found = names.map((name) => findColumn(columns, name));
  if (found.includes(undefined))
    throw new ApiError("invalid_request", "A column in the request is not one of the database.", {
      errors: [unknownColumn("?column", columns)],
    });
  return [...new Set(found.filter((column) => column !== undefined))];
}

const maxNamesListed = 100;
const maxNameListed = 100;

/** The names of columns in quotes, as errors list them. */
export function namesOf(columns: readonly Column[]): string {
  if (columns.length === 0) return "no known columns yet";
  const names = columns.slice(0, maxNamesListed).map(({ name }) => quoted(name));
  const more = columns.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** A name in quotes, cut to size. */
export function quoted(name: string): string {
  return `"${name.length > maxNameListed ? `${name.slice(0, maxNameListed).toWellFormed()}…` : name}"`;
}

const vowel = /^[aeiou]/;

/** A type as errors name it: `a number column`. */
export const nameOfType = (type: ColumnType): string => {
  const name = type.replaceAll("_", " ");
  return `${vowel.test(name) ? "an" : "a"} ${name} column`;
};
