import { createHash } from "node:crypto";
import { sql } from "kysely";
import { type Step, statements } from "../../migrate.ts";

const addColumns = statements(
  "alter table installation add column fingerprint blob default x'' not null",
  "alter table installation add column next_key_check blob",
);

/** For changes of the encryption key: a lasting identity of the installation, and the next key check. */
export const changingTheKey: Step = {
  version: 7,
  name: "changing-the-key",
  async up(trx) {
    await addColumns(trx);
    const { rows } = await sql<{ check: Uint8Array }>`
      select sealed_key_check as "check" from installation`.execute(trx);
    for (const { check } of rows) {
      const fingerprint = createHash("sha256").update(check).digest();
      await sql`update installation set fingerprint = ${fingerprint}`.execute(trx);
    }
  },
};
