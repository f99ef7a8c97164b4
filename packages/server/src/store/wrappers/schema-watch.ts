import manifest from "../../../package.json" with { type: "json" };
import type { SchemaMark } from "../migrate.ts";
import { DatabaseError, type SchemaState } from "../port.ts";

/**
 * Compares the schema that the database has with this program's, in each write and now and then: another process may migrate it,
 * or restore an older one, while this one has it open (OPS-4).
 */
export class SchemaWatch {
  readonly #newest: number;
  #fault: string | null = null;

  constructor(newest: number) {
    this.#newest = newest;
  }

  /** Why this program may not use the database, when it last looked; null if it may. */
  get fault(): string | null {
    return this.#fault;
  }

  note(mark: SchemaMark): SchemaState {
    this.#fault = faultOf(mark, this.#newest);
    return {
      version: mark.version,
      program: mark.program,
      isNewer: mark.version > this.#newest,
      fault: this.#fault,
    };
  }

  /** Throws `DatabaseError` `other_schema`, inside a transaction, if a mark stops this program. */
  refuse(stopping: readonly SchemaMark[]): void {
    const last = stopping.at(-1);
    if (last === undefined) return;
    const { fault } = this.note(last);
    throw new DatabaseError("other_schema", fault ?? "");
  }
}

function faultOf({ version, program, stopsBefore }: SchemaMark, newest: number): string | null {
  const mine = `this program, Clew ${manifest.version}, has schema ${newest}`;
  if (version < newest)
    return `The database has schema ${version} now, and ${mine}: restart it, and it migrates the database`;
  if (stopsBefore <= newest) return null;
  return `Clew ${program} has migrated the database to schema ${version}, which stops programs before schema ${stopsBefore}; ${mine}: replace it with Clew ${program} or newer`;
}
