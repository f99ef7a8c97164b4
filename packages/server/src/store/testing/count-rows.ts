import type { Database, WriteTransaction } from "../port.ts";

/** Runs work in a transaction; returns how many rows its statements gave back. */
export function countRowsRead(
  database: Pick<Database, "transaction">,
  work: (trx: WriteTransaction) => Promise<unknown>,
): Promise<number> {
  return database.transaction(async (trx) => {
    let read = 0;
    const counted = trx.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        read += result.rows.length;
        return result;
      },
    });
    await work(counted);
    return read;
  });
}
