import type { Environment } from "../config/read-settings.ts";
import type { Clock, RandomBytes } from "../model/runtime.ts";

/** What commands work in: the process they run in, as far as they may touch it. */
export interface CliContext {
  readonly env: Environment;
  /** The names of `env` that come from the env file and not from the environment itself. */
  readonly fromEnvFile: ReadonlySet<string>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Writes a line to the standard output: what was asked for. */
  readonly print: (line: string) => void;
  /** Writes a line of a log to the standard error. */
  readonly writeLog: (line: string) => void;
}

/** A command cannot do what it was asked for. The message is for the operator, and all that there is to say. */
export class CommandError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "CommandError";
  }
}
