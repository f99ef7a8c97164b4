/**
 * The exit codes of all commands (OPS-7). 0: found, or done. A command that reads fails with `nothing`, one that checks
 * with `found`, one that works on an installation with `failed`.
 */
export const exitCodes = { nothing: 1, found: 1, failed: 1, usage: 2, refused: 3, unavailable: 4 } as const;

/** Why a reading command ends without a result. */
export type ReadingFailure = Exclude<keyof typeof exitCodes, "failed">;

/** A reading command failed, or found nothing. The message is complete; empty if there is nothing to say. */
export class ReadingError extends Error {
  override readonly name = "ReadingError";
  readonly exitCode: number;

  constructor(kind: ReadingFailure, message: string) {
    super(message);
    this.exitCode = exitCodes[kind];
  }
}
