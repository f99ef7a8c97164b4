import type { Kysely } from "kysely";

/** One step from a schema to the next. Once released it never changes. */
export interface Migration {
  /** 1, 2, 3, … without gaps. */
  readonly version: number;
  readonly name: string;
  /** Runs in a transaction. It knows no row types: those are the newest schema's. */
  up(trx: Kysely<Record<never, never>>): Promise<void>;
}
