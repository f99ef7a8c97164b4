import { type Kysely, sql } from "kysely";
import type { WriteTransaction } from "./port.ts";
import type { Tables } from "./schema.ts";

/** For tests: runs every transaction's work twice and undoes the first run, as the port allows. */
export const testSwitches = { repeatTransactions: false };

/** Runs `work` as one transaction of `writer`. */
export function execute<T>(writer: Kysely<Tables>, work: (trx: WriteTransaction) => Promise<T>): Promise<T> {
  if (!testSwitches.repeatTransactions) return writer.transaction().execute(work);
  return writer.transaction().execute(async (trx) => {
    await sql`savepoint first_run`.execute(trx);
    await work(trx);
    await sql`rollback to first_run`.execute(trx);
    return work(trx);
  });
}
