import type { RowOperator } from "@clew/contract";
import { compareByCodePoint, type NodeId } from "@clew/graph";
import type { Json } from "../model/node.ts";
import type { ValueKind } from "./columns.ts";
import { cellOf, type TitleOf, type Value, valuesOf } from "./values.ts";

/** A condition on the rows of a database, as plain data. */
export interface RowCondition {
  /** The name of a column. */
  readonly column: string;
  readonly kind: ValueKind;
  readonly operator: RowOperator;
  readonly operand: Operand;
  /** For `=` with options: values that the schema lacks. A row must have the list as a whole, or each of them. */
  readonly unlisted?: { readonly whole: string; readonly values: readonly string[] };
}

/** The value of a condition, in each form in which it can be read. */
export interface Operand {
  readonly number: number | null;
  /** Milliseconds since the Unix epoch. */
  readonly time: number | null;
  readonly checked: boolean | null;
  /** Folded; any of them will do. */
  readonly texts: readonly string[];
  /** Pages; any of them will do. */
  readonly ids: readonly NodeId[];
}

/** The properties of a row as they are stored now. */
export interface Row {
  readonly properties: Readonly<Record<string, Json>>;
  /** The names of those whose values could not be read. */
  readonly unread: readonly string[];
}

/** Whether a row meets a condition. A value that could not be read meets none: it may be anything, and is not empty. */
export function matches({ properties, unread }: Row, condition: RowCondition, titleOf: TitleOf): boolean {
  if (unread.includes(condition.column)) return false;
  return meets(valuesOf(cellOf(properties, condition.column), condition.kind, titleOf), condition);
}

/** Whether a cell with these values meets a condition: one of several values is enough. */
function meets(values: readonly Value[], { operator, operand }: RowCondition): boolean {
  switch (operator) {
    case "is empty":
      return values.length === 0;
    case "is not empty":
      return values.length > 0;
    case "!=":
      return !values.some((value) => holds("=", value, operand));
    default:
      return values.some((value) => holds(operator, value, operand));
  }
}

type Comparison = Exclude<RowOperator, "!=" | "is empty" | "is not empty">;

function holds(operator: Comparison, value: Value, operand: Operand): boolean {
  switch (value.is) {
    case "number":
      return operand.number !== null && isOrdered(operator, value.number - operand.number);
    case "date":
      return operand.time !== null && isOrdered(operator, value.time - operand.time);
    case "checkbox":
      return operator === "=" && value.checked === operand.checked;
    case "text":
      return operand.texts.some((text) => holdsForText(operator, value.text, text));
    case "relation": {
      const { id, title } = value;
      if (operator === "=" && operand.ids.includes(id)) return true;
      return title !== null && operand.texts.some((text) => holdsForText(operator, title, text));
    }
  }
}

function holdsForText(operator: Comparison, text: string, other: string): boolean {
  return operator === "~" ? text.includes(other) : isOrdered(operator, compareByCodePoint(text, other));
}

/** @param difference negative if the value is less than the operand */
function isOrdered(operator: Comparison, difference: number): boolean {
  switch (operator) {
    case "=":
      return difference === 0;
    case "<":
      return difference < 0;
    case "<=":
      return difference <= 0;
    case ">":
      return difference > 0;
    case ">=":
      return difference >= 0;
    case "~":
      return false;
  }
}
