import type { DatabaseLocation } from "../../packages/server/src/model/database-location.ts";
import { openReader } from "../../packages/server/src/store/database.ts";

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
export async function readStored(location: DatabaseLocation): Promise<string> {
  const { read, close } = await openReader(location);
  try {
    const dump: unknown[] = [];
    for (const table of tables) {
      const rows = await read.selectFrom(table).selectAll().execute();
      const lines = rows.map((row) => JSON.stringify({ ...row, last_used_at: null }));
      dump.push(table, ...lines.sort());
    }
    return JSON.stringify(dump);
  } finally {
    await close();
  }
}
