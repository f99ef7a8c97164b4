import type { KyselyPlugin } from "kysely";
import type { Database } from "../port.ts";

/** A database that counts the statements of its transactions, and the counts so far, one for each transaction. */
export function countStatements(database: Database): { database: Database; counts: number[] } {
  const counts: number[] = [];
  const counting: Database = {
    ...database,
    transaction: (work) =>
      database.transaction((trx) => {
        const index = counts.push(0) - 1;
        const counter: KyselyPlugin = {
          transformQuery: ({ node }) => node,
          async transformResult({ result }) {
            counts[index] = (counts[index] ?? 0) + 1;
            return result;
          },
        };
        return work(trx.withPlugin(counter));
      }),
  };
  return { database: counting, counts };
}
