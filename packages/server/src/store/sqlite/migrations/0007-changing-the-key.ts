import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Migration } from "./migrate.ts";

/** For changes of the encryption key: a lasting identity of the installation, and the next key check. */
export const changingTheKey: Migration = {
  version: 7,
  name: "changing-the-key",
  async up(trx: Kysely<Record<never, never>>) {
    await trx.schema
      .alterTable("installation")
      .addColumn("fingerprint", "blob", (column) => column.notNull().defaultTo(sql`x''`))
      .execute();
    await trx.schema.alterTable("installation").addColumn("next_key_check", "blob").execute();
    const { rows } = await sql<{
      check: Uint8Array;
    }>`select sealed_key_check as "check" from installation`.execute(trx);
    for (const { check } of rows) {
      const fingerprint = createHash("sha256").update(check).digest();
      await sql`update installation set fingerprint = ${fingerprint}`.execute(trx);
    }
  },
};
