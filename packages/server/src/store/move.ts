import { DatabaseError, type ReadHandle } from "./port.ts";
import type { Tables } from "./schema.ts";

/*
 * Copies all rows of a file into an empty database on a server, in one transaction there: a copy that is interrupted leaves
 * nothing, and starts again. The text index is not copied, since Clew builds it again.
 */

/** A value of a row, as SQLite returns it. */
type Value = string | number | Uint8Array | null;

/** The database that is copied. No other process has it open. */
export interface MoveSource {
  /** The rows of a table, each as the values of these columns. They are read as they are asked for. */
  rows(table: string, columns: readonly string[]): Iterable<readonly Value[]>;
  /** The highest id that was ever given out, for each table that uses no id again. */
  lastIds(): ReadonlyMap<string, number>;
  close(): void;
}

/** The empty database, in a transaction. */
export interface MoveTarget {
  readonly db: ReadHandle;
  columns(table: string): Promise<readonly string[]>;
  insert(table: string, rows: readonly (readonly Value[])[]): Promise<void>;
  count(table: string): Promise<number>;
  /** Lets each table give out only ids above its rows' and above these. */
  continueIds(lastIds: ReadonlyMap<string, number>): Promise<void>;
}

/** Every table, after those that it refers to. The history of the schema is each dialect's own. */
const tables = Object.keys({
  installation: true,
  signing_keys: true,
  people: true,
  folders: true,
  users: true,
  sessions: true,
  sign_in_attempts: true,
  sign_in_codes: true,
  connections: true,
  service_tokens: true,
  app_requests: true,
  app_codes: true,
  client_documents: true,
  audit: true,
  nodes: true,
  authors: true,
  contents: true,
  node_references: true,
  tombstones: true,
  crawl_checkpoints: true,
  data_sources: true,
  blocks: true,
  looked_up_nodes: true,
  maps: true,
  sync_jobs: true,
  sync_reports: true,
  revocations: true,
  instances: true,
} satisfies Record<Exclude<keyof Tables, "schema_migrations">, true>);

/** A batch is complete once it has either of these. */
const maxRows = 2_000;
const maxCharacters = 1_000_000;

/** Copies every table and checks the numbers of rows. Returns the number of all rows. */
export async function copyTables(source: MoveSource, target: MoveTarget): Promise<number> {
  let total = 0;
  for (const table of tables) {
    let copied = 0;
    for (const batch of batchesOf(source.rows(table, await target.columns(table)))) {
      await target.insert(table, batch);
      copied += batch.length;
    }
    const stored = await target.count(table);
    if (stored !== copied)
      throw new DatabaseError("unusable", `Of ${copied} rows of ${table}, ${stored} were copied`);
    total += copied;
  }
  await target.continueIds(source.lastIds());
  return total;
}

function* batchesOf(rows: Iterable<readonly Value[]>): Generator<readonly (readonly Value[])[]> {
  let batch: (readonly Value[])[] = [];
  let characters = 0;
  for (const row of rows) {
    batch.push(row);
    for (const value of row) if (value !== null && typeof value !== "number") characters += value.length;
    if (batch.length < maxRows && characters < maxCharacters) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}
