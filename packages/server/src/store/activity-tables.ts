import type { ActivityOperation } from "@clew/contract";
import type { Kysely, Transaction } from "kysely";
import type { columnTypes } from "./column-types.ts";

/*
 * Tables of the activity of service tokens: what they read (APP-9). They are apart from the others: on SQLite in a file of their own,
 * which no copy of the database has and whose writes delay no other; on PostgreSQL unlogged.
 */

/** The rows of the tables. Node ids are 16 bytes, times are milliseconds since the Unix epoch. */
export interface ActivityTables {
  /** Of tokens, also for a while after their end. The rows of the other tables are deleted with those of this one. */
  activity_tokens: {
    token_id: number;
    user_id: string;
    /** With the id, it tells a token from one of a database that was restored since. */
    created_at: number;
    latest_at: number;
    /** Calls that were ever recorded: the number of the latest one. */
    calls: number;
  };
  activity_hours: {
    token_id: number;
    /** When it begins, in hours since the Unix epoch. */
    hour: number;
    operation: ActivityOperation;
    calls: number;
    refused: number;
  };
  activity_pages: {
    token_id: number;
    node_id: Uint8Array;
    /** Answers that had the page, since it was first in one within the time for which they are kept. */
    reads: number;
    read_at: number;
  };
  activity_calls: {
    token_id: number;
    number: number;
    at: number;
    operation: ActivityOperation;
    words: string | null;
    /** The ids of the first pages, one after the other. */
    node_ids: Uint8Array;
    pages: number;
    status: number;
    ms: number;
  };
}

/** The first argument of a query that reads activity. */
export type ActivityReadHandle = Pick<Kysely<ActivityTables>, "selectFrom" | "getExecutor" | "executeQuery">;

/** The first argument of a query that writes activity. */
export type ActivityTransaction = Transaction<ActivityTables>;

/** The activity of service tokens, as `Database` has it: its writes are no writes of the database. */
export interface ActivityDatabase {
  read<T>(work: (db: ActivityReadHandle) => Promise<T>): Promise<T>;
  /** Runs `work` as a transaction: see `Database.record`. It may be lost if the machine stops, not if the process does. */
  write<T>(work: (trx: ActivityTransaction) => Promise<T>): Promise<T>;
  /** Removes what remains of deleted rows outside the tables. */
  erase(): Promise<void>;
}

/** The statements that create the tables; each begins with `create`. */
export function activityTables(
  create: string,
  { integer, text, bytes, tableOptions }: (typeof columnTypes)[keyof typeof columnTypes],
): readonly string[] {
  const token = `token_id ${integer} not null references activity_tokens (token_id) on delete cascade`;
  return [
    `${create} activity_tokens (
      token_id ${integer} not null primary key,
      user_id ${text} not null,
      created_at ${integer} not null,
      latest_at ${integer} not null,
      calls ${integer} not null
    ) ${tableOptions}`,
    `${create} activity_hours (
      ${token},
      hour ${integer} not null,
      operation ${text} not null,
      calls ${integer} not null,
      refused ${integer} not null,
      primary key (token_id, hour, operation)
    ) ${tableOptions}`,
    `${create} activity_pages (
      ${token},
      node_id ${bytes} not null,
      reads ${integer} not null,
      read_at ${integer} not null,
      primary key (token_id, node_id)
    ) ${tableOptions}`,
    `${create} activity_calls (
      ${token},
      number ${integer} not null,
      at ${integer} not null,
      operation ${text} not null,
      words ${text},
      node_ids ${bytes} not null,
      pages ${integer} not null,
      status ${integer} not null,
      ms ${integer} not null,
      primary key (token_id, number)
    ) ${tableOptions}`,
  ];
}
