import { DatabaseSync } from "node:sqlite";

/** What a person would notice of a changed database: all but sign-ins that were begun and keys. */
const tables = [
  "users",
  "connections",
  "sessions",
  "service_tokens",
  "nodes",
  "contents",
  "references",
] as const;

/** The rows of every table that matters to somebody, as one text. When a token was last used is not among them. */
export function readStored(databasePath: string): string {
  const database = new DatabaseSync(databasePath, { readOnly: true });
  try {
    const dump = tables.map((table) => {
      const rows = database.prepare(`select * from ${table} order by 1, 2, 3, 4`).all();
      return [table, rows.map(({ last_used_at: _, ...row }) => row)];
    });
    return JSON.stringify(dump, (_key, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value,
    );
  } finally {
    database.close();
  }
}
