import { sql } from "kysely";
import type { Database } from "../port.ts";
import type { Tables } from "../schema.ts";
import { onPostgres } from "./location.ts";

/** Has the database refuse new rows of a table, as if it had no room for them; returns a function that ends it. */
export async function refuseInserts(database: Database, table: keyof Tables): Promise<() => Promise<void>> {
  const name = sql.table(table);
  const [refuse, allow] = onPostgres
    ? [
        sql`alter table ${name} add constraint no_room check (false) not valid`,
        sql`alter table ${name} drop constraint no_room`,
      ]
    : [
        sql`create trigger no_room before insert on ${name} begin select raise(abort, 'no room'); end`,
        sql`drop trigger no_room`,
      ];
  await database.transaction((trx) => refuse.execute(trx));
  return async () => {
    await database.transaction((trx) => allow.execute(trx));
  };
}
