import { DatabaseSync } from "node:sqlite";

/** The tables with data of users: all except those of unfinished sign-ins and keys. */
const tables = [
  "users",
  "connections",
  "sessions",
  "service_tokens",
  "nodes",
  "contents",
  "node_references",
] as const;

/** The rows of all relevant tables as one text, without the last use of tokens. */
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
