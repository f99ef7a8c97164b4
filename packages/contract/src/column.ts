/**
 * The types of a database's columns (GRAPH-23), which a provider translates its own to. `text` is also a column
 * whose type Clew does not know. Columns of one name whose types differ are `text` together.
 */
export const columnTypes = [
  "title",
  "text",
  "number",
  "checkbox",
  "select",
  "multi_select",
  "status",
  "date",
  "people",
  "relation",
  "files",
  "url",
  "email",
  "phone_number",
  "unique_id",
  "created_time",
  "created_by",
  "last_edited_time",
  "last_edited_by",
  "formula",
  "rollup",
  "place",
  "verification",
  "button",
] as const;
export type ColumnType = (typeof columnTypes)[number];
