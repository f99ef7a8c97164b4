/** The exit codes of all commands (OPS-7), by how a command ends. `exitCodeTable` says what they mean. */
export const exitCodes = {
  nothing: 1,
  found: 1,
  failed: 1,
  usage: 2,
  settings: 2,
  refused: 3,
  unavailable: 4,
} as const;

/** The meaning of an exit code, in the words of the help and of docs/operations.md. */
interface ExitCodeRow {
  readonly code: number;
  /** The end of a command that reads a Clew over its API, in a word or two. */
  readonly reading: string;
  /** The end of a command that works on an installation, in a word or two. */
  readonly operating: string;
  /** The meaning for the commands that work on an installation, `serve` among them. */
  readonly meaning: string;
  /** Whether what supervises `serve` should start it again. */
  readonly restart: string;
}

/** Every exit code. */
export const exitCodeTable: readonly ExitCodeRow[] = [
  {
    code: 0,
    reading: "found",
    operating: "done",
    meaning: "done, or for a list: listed, even if it is empty; `serve`: ended in order by a signal",
    restart: "no",
  },
  {
    code: 1,
    reading: "nothing found",
    operating: "could not be done",
    meaning:
      "not done: no such token, a damaged backup, a file that cannot be written; or a fault of Clew, with its stack trace",
    restart: "yes",
  },
  {
    code: 2,
    reading: "wrong usage",
    operating: "wrong usage or settings",
    meaning:
      "called incorrectly, or a setting is wrong, or the file that it names, or the permissions of `DATA_DIR`",
    restart: "no: it ends in the same way until they are corrected",
  },
  {
    code: 3,
    reading: "refused",
    operating: "refused the key or the database",
    meaning:
      "Clew refuses the key (missing, wrong, open to other users) or the database (damaged, of a newer Clew, on an unsuitable server)",
    restart: "no: it ends in the same way until they are corrected",
  },
  {
    code: 4,
    reading: "Clew cannot be reached or is busy",
    operating: "something that it needs is not available now",
    meaning:
      "not available now: PostgreSQL is away or refuses Clew, another process has the database or the port, the address is not there yet, the disk is full",
    restart: "yes, after some seconds",
  },
];

/** The line of a help text that explains the exit codes. */
export function exitCodeHelp(kind: "reading" | "operating"): string {
  return `Exit codes: ${exitCodeTable.map((row) => `${row.code} ${row[kind]}`).join(", ")}.`;
}

/** Why a reading command ends without a result. */
export type ReadingFailure = Exclude<keyof typeof exitCodes, "failed" | "settings">;

/** A reading command failed, or found nothing. The message is complete; empty if there is nothing to say. */
export class ReadingError extends Error {
  override readonly name = "ReadingError";
  readonly exitCode: number;

  constructor(kind: ReadingFailure, message: string) {
    super(message);
    this.exitCode = exitCodes[kind];
  }
}
