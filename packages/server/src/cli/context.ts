import type { Environment } from "../config/read-settings.ts";
import type { Clock, RandomBytes } from "../model/runtime.ts";

/** The parts of the process that commands use. */
export interface CliContext {
  readonly env: Environment;
  /** The names in `env` whose values come from the env file. */
  readonly fromEnvFile: ReadonlySet<string>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Writes a line to standard output. */
  readonly print: (line: string) => void;
  /** Writes a line of the log to standard error. */
  readonly writeLog: (line: string) => void;
}

/** A command failed. The message is for the operator and complete. */
export class CommandError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "CommandError";
  }
}
