import { type ColumnType, columnTypes } from "@clew/contract/vocabulary";
import type { Column, Unsupported } from "@clew/provider";
import { truncated } from "@clew/provider-text";
import { optionalList, optionalText, requiredObject, requiredText } from "./json.ts";

/** The columns that a data source names, and the types of theirs that Clew does not know. */
interface Columns {
  readonly columns: readonly Column[];
  readonly unsupported: readonly Unsupported[];
}

/** Reads the columns of a data source. Throws `UnreadableError`. https://developers.notion.com/reference/property-object */
export function columnsOf(dataSource: unknown): Columns {
  const types = Object.entries(requiredObject(dataSource, "properties")).map(([name, property]) => ({
    name: truncated(name.toWellFormed()),
    type: requiredText(property, "type"),
    property,
  }));
  return {
    columns: types.map(({ name, type, property }) => ({
      name,
      type: columnType(type) ?? "text",
      ...described(optionalText(property, "description")),
      options: (optionalList(property, type, "options") ?? []).map((option) =>
        truncated(requiredText(option, "name")),
      ),
    })),
    unsupported: types
      .filter(({ type }) => columnType(type) === null)
      .map(({ type }) => ({ kind: "property", type })),
  };
}

function described(description: string | null): Pick<Column, "description"> {
  return description ? { description: truncated(description) } : {};
}

function columnType(type: string): ColumnType | null {
  if (type === "rich_text") return "text";
  return columnTypes.find((known) => known === type) ?? null;
}
