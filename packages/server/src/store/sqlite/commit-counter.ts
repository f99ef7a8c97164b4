import { openForReading } from "./file.ts";

/** Tells whether anything was committed since it was asked last. */
export interface CommitCounter {
  /** A number that is another one once any process has committed. https://sqlite.org/pragma.html#pragma_data_version */
  version(): number;
  close(): void;
}

/** A connection of its own, since SQLite counts the commits of all others. */
export function openCommitCounter(path: string): CommitCounter {
  const file = openForReading(path);
  const dataVersion = file.prepare<[], number>("pragma data_version").pluck();
  return { version: () => dataVersion.get() ?? Number.NaN, close: () => file.close() };
}
