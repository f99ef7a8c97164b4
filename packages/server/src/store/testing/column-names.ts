import { sql } from "kysely";
import type { DatabaseLocation } from "../../model/database-location.ts";
import { openReader } from "../database.ts";
import { onPostgres } from "./location.ts";

const ofServer = sql<{ name: string }>`
  select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`;
const ofFile = sql<{ name: string }>`
  select t.name || '.' || c.name as name from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table'`;

/** Every column of a database, as `table.column`. */
export async function columnNames(location: DatabaseLocation): Promise<string[]> {
  const { read, close } = await openReader(location);
  try {
    return (await (onPostgres ? ofServer : ofFile).execute(read)).rows.map(({ name }) => name);
  } finally {
    await close();
  }
}
