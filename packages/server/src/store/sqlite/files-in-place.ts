import { statSync } from "node:fs";
import { DatabaseError } from "../port.ts";

/**
 * Whether the files of an open database are still at their paths. SQLite goes on with a file that was deleted or replaced, and all
 * that is written to it is lost when the process ends. To ask takes a few microseconds.
 */
export class FilesInPlace {
  readonly #path: string;
  readonly #known: ReadonlyMap<string, string | null>;

  /** Of a database that is open, so that its log is there too. */
  constructor(path: string) {
    this.#path = path;
    this.#known = new Map([path, `${path}-wal`].map((file) => [file, identityOf(file)]));
  }

  /** The error while another file, or none, is at one of the paths; null while all is well. */
  fault(): DatabaseError | null {
    const moved = this.#known.entries().find(([file, identity]) => identityOf(file) !== identity);
    if (moved === undefined) return null;
    return new DatabaseError(
      "unreachable",
      `${moved[0]} was deleted, moved or replaced while this process had the database ${this.#path} open, so requests are refused. ` +
        "Move it back; or stop Clew, see that a sound database is there (`clew verify`, and if not `clew restore <file>`), and start it again.",
    );
  }

  /** Throws this error. */
  require(): void {
    const fault = this.fault();
    if (fault !== null) throw fault;
  }
}

/** The device and inode of the file at a path; null if there is none. */
function identityOf(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}
