/** The databases that Clew can use. */
export type DialectName = "sqlite" | "postgres";

/**
 * How a database names the types of columns, and what follows the columns of a new table. PostgreSQL compares text by its bytes,
 * as SQLite does.
 */
export const columnTypes = {
  sqlite: { integer: "integer", text: "text", bytes: "blob", tableOptions: "strict" },
  postgres: { integer: "int8", text: 'text collate "C"', bytes: "bytea", tableOptions: "" },
} as const satisfies Readonly<Record<DialectName, unknown>>;
