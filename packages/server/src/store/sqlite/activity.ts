import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Kysely, sql } from "kysely";
import {
  type ActivityDatabase,
  type ActivityReadHandle,
  type ActivityTables,
  type ActivityTransaction,
  activityTables,
} from "../activity-tables.ts";
import { columnTypes } from "../column-types.ts";
import { execute } from "../wrappers/assemble.ts";
import type { LockWait } from "../wrappers/lock-wait.ts";
import { sqliteDialect } from "./driver.ts";
import { isDamaged, openDerivedForWriting, openForReading, prepareFile, sideFiles } from "./file.ts";

/** The file of the activity that belongs to the database at `path`. */
const activityBeside = (path: string) => join(dirname(path), "activity.db");

interface OpenActivity {
  readonly reader: Kysely<ActivityTables>;
  readonly writer: Kysely<ActivityTables>;
}

/** The activity of the database at `path`, in a file that is opened, and if it is missing created, when it is first needed. */
export class SqliteActivity implements ActivityDatabase {
  readonly #path: string;
  readonly #lockWait: LockWait;
  #open: Promise<OpenActivity> | null = null;

  constructor(path: string, lockWait: LockWait) {
    this.#path = activityBeside(path);
    this.#lockWait = lockWait;
  }

  async read<T>(work: (db: ActivityReadHandle) => Promise<T>): Promise<T> {
    return work((await this.#opened()).reader);
  }

  async write<T>(work: (trx: ActivityTransaction) => Promise<T>): Promise<T> {
    return execute((await this.#opened()).writer, work);
  }

  async erase(): Promise<void> {
    await sql`pragma wal_checkpoint(truncate)`.execute((await this.#opened()).writer);
  }

  async close(): Promise<void> {
    const open = await this.#open?.catch(() => null);
    await open?.reader.destroy();
    await open?.writer.destroy();
  }

  #opened(): Promise<OpenActivity> {
    if (this.#open === null) {
      const open = this.#openFile();
      this.#open = open;
      // The next call tries again.
      open.catch(() => {
        if (this.#open === open) this.#open = null;
      });
    }
    return this.#open;
  }

  async #openFile(): Promise<OpenActivity> {
    try {
      return await this.#prepared();
    } catch (error) {
      if (!isDamaged(error)) throw error;
      // Nobody can read it, and new calls are worth more.
      for (const suffix of ["", ...sideFiles]) await rm(this.#path + suffix, { force: true });
      return this.#prepared();
    }
  }

  async #prepared(): Promise<OpenActivity> {
    const path = this.#path;
    const lockWait = this.#lockWait;
    await prepareFile(path, lockWait);
    const openFile = () => {
      const file = openDerivedForWriting(path);
      file.pragma("foreign_keys = on");
      return file;
    };
    const writer = new Kysely<ActivityTables>({
      dialect: sqliteDialect({ open: openFile, begin: "immediate", maxTransactions: 1, lockWait }),
    });
    try {
      await writer.transaction().execute(async (trx) => {
        for (const statement of activityTables("create table if not exists", columnTypes.sqlite))
          await sql.raw(statement).execute(trx);
      });
    } catch (error) {
      await writer.destroy();
      throw error;
    }
    const reader = new Kysely<ActivityTables>({
      dialect: sqliteDialect({
        open: () => openForReading(path),
        begin: "deferred",
        maxTransactions: 1,
        lockWait,
      }),
    });
    return { reader, writer };
  }
}
