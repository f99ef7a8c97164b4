import BetterSqlite3 from "better-sqlite3";
import { newestVersion } from "./migrations/migrate.ts";
import { released } from "./migrations/released.ts";

/** What a look at a database file found. */
export interface Inspection {
  /** null where it is no database of Clew's. */
  readonly schemaVersion: number | null;
  /** What is wrong with it, in words; none where Clew can go on from it. */
  readonly faults: readonly string[];
}

/** Problems of each kind that are named. */
const maxProblems = 10;

/** Reads a whole database file and checks it against itself. It is not changed, and whoever uses it is not disturbed. */
export function inspectDatabase(path: string): Inspection {
  try {
    const file = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
    try {
      return inspect(file);
    } finally {
      file.close();
    }
  } catch (error) {
    return { schemaVersion: null, faults: [`it cannot be read as a database: ${messageOf(error)}`] };
  }
}

function inspect(file: BetterSqlite3.Database): Inspection {
  const known = file.prepare("select 1 from sqlite_schema where name = 'schema_migrations'").get();
  if (known === undefined) return { schemaVersion: null, faults: ["it is no database of Clew's"] };
  const schemaVersion = Number(file.prepare("select max(version) from schema_migrations").pluck().get());
  const newest = newestVersion(released);
  const newer =
    schemaVersion > newest ? [`its schema ${schemaVersion} is newer than this program's ${newest}`] : [];
  return { schemaVersion, faults: [...newer, ...integrityFaults(file), ...referenceFaults(file)] };
}

/** https://sqlite.org/pragma.html#pragma_integrity_check */
function integrityFaults(file: BetterSqlite3.Database): string[] {
  const told = file.prepare<[], string>(`pragma integrity_check(${maxProblems})`).pluck().all();
  return told.filter((line) => line !== "ok");
}

/** https://sqlite.org/pragma.html#pragma_foreign_key_check */
function referenceFaults(file: BetterSqlite3.Database): string[] {
  const rows = file.prepare<[], { table: string; parent: string }>("pragma foreign_key_check").all();
  const kinds = new Set(
    rows.map(({ table, parent }) => `rows of ${table} name rows of ${parent} that are not there`),
  );
  return [...kinds].slice(0, maxProblems);
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
