import type { Statement } from "better-sqlite3";
import { openForReading } from "./file.ts";
import { isBusy } from "./lock-wait.ts";

/** Tells whether anything was committed since it was asked last. */
export interface CommitCounter {
  /**
   * A number that is another one once any process has committed; NaN, which equals nothing, where a lock keeps it from
   * being read. https://sqlite.org/pragma.html#pragma_data_version
   */
  version(): number;
  close(): void;
}

/** A connection of its own, since SQLite counts the commits of all others. */
export function openCommitCounter(path: string): CommitCounter {
  const file = openForReading(path);
  let dataVersion: Statement<[], number> | undefined;
  return {
    version() {
      try {
        dataVersion ??= file.prepare<[], number>("pragma data_version").pluck();
        return dataVersion.get() ?? Number.NaN;
      } catch (error) {
        if (isBusy(error)) return Number.NaN;
        throw error;
      }
    },
    close: () => file.close(),
  };
}
