import { sql } from "kysely";
import type { Migration } from "./migrate.ts";

/** One-time codes instead of the provider's consent screen (SIGN-12). */
export const signInCodes: Migration = {
  version: 8,
  name: "sign-in codes",
  async up(trx) {
    await trx.schema
      .createTable("sign_in_codes")
      .addColumn("code_hash", "blob", (column) => column.primaryKey().notNull())
      .addColumn("expires_at", "integer", (column) => column.notNull())
      .modifyEnd(sql`strict, without rowid`)
      .execute();
  },
};
