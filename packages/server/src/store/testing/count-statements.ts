import type { KyselyPlugin } from "kysely";
import type { Database, WriteTransaction } from "../port.ts";

/** A database that counts the statements of its transactions, without those that only record, and the counts so far, one for each transaction. */
export function countStatements(database: Database): { database: Database; counts: number[] } {
  const counts: number[] = [];
  const counted = (trx: WriteTransaction): WriteTransaction => {
    const index = counts.push(0) - 1;
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        counts[index] = (counts[index] ?? 0) + 1;
        return result;
      },
    };
    return trx.withPlugin(counter);
  };
  const counting: Database = {
    ...database,
    transaction: (work) => database.transaction((trx) => work(counted(trx))),
    async locked(lock, work) {
      let trx: WriteTransaction | null = null;
      return database.locked(
        async (inner) => {
          trx = counted(inner);
          await lock(trx);
        },
        (inner) => work(trx ?? inner),
      );
    },
  };
  return { database: counting, counts };
}
