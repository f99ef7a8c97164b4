import { sql } from "kysely";
import type { Database } from "../port.ts";
import type { Tables } from "../schema.ts";
import { onPostgres } from "./location.ts";

/** Has the database refuse new rows of a table, as if it had no room for them; returns a function that ends it. */
export function refuseInserts(database: Database, table: keyof Tables): Promise<() => Promise<void>> {
  return refuse(database, table, "insert");
}

/** Has the database refuse updates of a table, and on PostgreSQL new rows; returns a function that ends it. */
export function refuseUpdates(database: Database, table: keyof Tables): Promise<() => Promise<void>> {
  return refuse(database, table, "update");
}

async function refuse(
  database: Database,
  table: keyof Tables,
  write: "insert" | "update",
): Promise<() => Promise<void>> {
  const [name, refusal] = [sql.table(table), sql.ref(`no_${write}_of_${table}`)];
  const [begin, allow] = onPostgres
    ? [
        sql`alter table ${name} add constraint ${refusal} check (false) not valid`,
        sql`alter table ${name} drop constraint ${refusal}`,
      ]
    : [
        sql`create trigger ${refusal} before ${sql.raw(write)} on ${name} begin select raise(abort, 'no room'); end`,
        sql`drop trigger ${refusal}`,
      ];
  await database.transaction((trx) => begin.execute(trx));
  return async () => {
    await database.transaction((trx) => allow.execute(trx));
  };
}
