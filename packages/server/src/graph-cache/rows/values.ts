import type { ColumnType } from "@clew/contract";
import { fold, type NodeId, parseNodeId } from "@clew/graph";
import { isJsonList, type Json } from "../../model/node.ts";
import { cellText } from "../../present/table.ts";

/** How the values of a column are compared (GRAPH-23). */
export type ValueKind =
  | "number"
  | "date"
  | "checkbox"
  /** Options and people. */
  | "name"
  | "relation"
  /** The result of a formula or rollup: by what it is. */
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

/** A value that can be compared. A cell has none if it is empty, and several if it is a list. */
export type Value =
  | { readonly is: "number"; readonly number: number }
  /** Milliseconds since the Unix epoch. */
  | { readonly is: "date"; readonly time: number }
  | { readonly is: "checkbox"; readonly checked: boolean }
  /** Folded. */
  | { readonly is: "text"; readonly text: string }
  /** The folded title is null if the page is not shared. */
  | { readonly is: "relation"; readonly id: NodeId; readonly title: string | null };

/** The title of a page; null if it is not shared. */
export type TitleOf = (id: NodeId) => string | null;

/** The values of a cell. A value that does not fit the kind counts as text. */
export function valuesOf(cell: Json, kind: ValueKind, titleOf: TitleOf): Value[] {
  if (cell === null || cell === "") return [];
  if (isJsonList(cell)) return cell.flatMap((item) => valuesOf(item, kind, titleOf));
  return [singleValue(cell, kind, titleOf)];
}

function singleValue(cell: Exclude<Json, null>, kind: ValueKind, titleOf: TitleOf): Value {
  const text = (): Value => ({ is: "text", text: fold(cellText(cell)) });
  switch (kind === "computed" ? resultKind(cell) : kind) {
    case "number":
      return typeof cell === "number" ? { is: "number", number: cell } : text();
    case "checkbox":
      return typeof cell === "boolean" ? { is: "checkbox", checked: cell } : text();
    case "date": {
      const time = timeOf(isDate(cell) ? cell.start : cell);
      return time === null ? text() : { is: "date", time };
    }
    case "relation": {
      const id = typeof cell === "string" ? parseNodeId(cell) : null;
      if (id === null) return text();
      const title = titleOf(id);
      return { is: "relation", id, title: title === null ? null : fold(title) };
    }
    default:
      return text();
  }
}

/** What the result of a formula or rollup is. */
function resultKind(cell: Json): ValueKind {
  if (typeof cell === "number") return "number";
  if (typeof cell === "boolean") return "checkbox";
  return isDate(cell) ? "date" : "text";
}

/** Whether it is a date, or a range of dates, as they are stored. */
function isDate(cell: Json): cell is { readonly start: Json } {
  return typeof cell === "object" && cell !== null && "start" in cell;
}

const withoutZone = /T[\d:.]+$/;

/** A time that says no zone is read as UTC. */
function timeOf(text: Json): number | null {
  if (typeof text !== "string") return null;
  const time = Date.parse(withoutZone.test(text) ? `${text}Z` : text);
  return Number.isNaN(time) ? null : time;
}
