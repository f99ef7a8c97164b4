import { CommanderError, exitCodes, ReadingError, safeText } from "@clew/cli";
import { accessFault } from "../config/file-access.ts";
import { ConfigError } from "../config/read-settings.ts";
import { ListenError } from "../http/listen.ts";
import { codeOf } from "../model/thrown.ts";
import { SecretsError } from "../secrets/secrets.ts";
import { DatabaseError } from "../store/port.ts";
import { CommandError } from "./installation.ts";

/** How a command ends that threw an error. */
interface Failure {
  readonly exitCode: number;
  /** The text that the user sees, empty if nothing is left to say; null for a bug in Clew, whose stack trace is of use. */
  readonly message: string | null;
}

/** The exit code (OPS-7) and message for what a command threw. The message may quote names that anyone has chosen: it is safe for a terminal. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommanderError)
    // It has written the help, the version or the usage error already.
    return { exitCode: error.exitCode === 0 ? 0 : exitCodes.usage, message: "" };
  if (error instanceof ReadingError) return { exitCode: error.exitCode, message: safeText(error.message) };
  const message = operatorMessage(error);
  return { exitCode: exitCodes[endOf(error)], message: message === null ? null : safeText(message) };
}

/** How a command ends that threw an error, so that whatever supervises `serve` knows whether to start it again. */
function endOf(error: unknown): keyof typeof exitCodes {
  if (error instanceof ConfigError) return "settings";
  if (error instanceof ListenError) return error.isLasting ? "settings" : "unavailable";
  if (error instanceof SecretsError) return "refused";
  if (!(error instanceof DatabaseError)) return isOfFullDisk(error) ? "unavailable" : "failed";
  const canPass = error.code === "unreachable" || error.code === "in_use" || isOfFullDisk(error.cause);
  return canPass ? "unavailable" : "refused";
}

const isOfFullDisk = (error: unknown) => ["ENOSPC", "EDQUOT"].includes(codeOf(error));

const forOperators = [CommandError, ConfigError, DatabaseError, ListenError, SecretsError];

/** Returns what an operator reads about an error; null for a bug in Clew. */
export function operatorMessage(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (!forOperators.some((kind) => error instanceof kind)) return fileMessage(error, "");
  return fileMessage(error.cause, error.message) ?? error.message;
}

/** Faults of a path that Clew itself may have composed: without a message of its own, the stack trace says more. */
const doubtful = ["ENOENT", "EISDIR", "ENOTDIR"];

/** The message about a file that this process cannot use, after `message`; null for any other error. */
function fileMessage(error: unknown, message: string): string | null {
  if (!(error instanceof Error)) return null;
  const { syscall, path, code } = error as NodeJS.ErrnoException;
  if (message === "" && doubtful.includes(code ?? "")) return null;
  const fault = path === undefined ? null : accessFault(path, error);
  if (path === undefined || fault === null) return null;
  const { reason, remedy } = fault;
  const problem = message === "" ? `Cannot ${syscall} ${path}` : message;
  const at = problem.includes(path) ? "" : `${path}: `;
  return `${problem}: ${at}${reason}.${remedy === "" ? "" : ` ${remedy}.`}`;
}
