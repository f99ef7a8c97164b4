import { type NodeId, parseNodeId } from "@clew/graph";
import { fold } from "@clew/text/basics";
import { isJsonList, type Json } from "../model/node.ts";
import { plainText } from "../model/plain-value.ts";
import type { ValueKind } from "./columns.ts";

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
  const text = (): Value => ({ is: "text", text: matchedText(cell) });
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

/** The text that conditions compare and that rows are sorted by: folded, as titles are. */
const matchedText = (cell: Json): string => fold(plainText(cell));

/** The kind of the result of a formula or rollup. */
function resultKind(cell: Json): ValueKind {
  if (typeof cell === "number") return "number";
  if (typeof cell === "boolean") return "checkbox";
  return isDate(cell) ? "date" : "text";
}

/** Whether a cell is a date or a range of dates, as they are stored. */
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

/** The cell of a row in a column; null if it is empty. */
export function cellOf(properties: Readonly<Record<string, Json>>, column: string): Json {
  return Object.hasOwn(properties, column) ? (properties[column] ?? null) : null;
}
