import { CommanderError, exitCodes, ReadingError } from "@clew/cli";
import { ConfigError } from "../config/read-settings.ts";
import { SecretsError } from "../secrets/secrets.ts";
import { DatabaseError } from "../store/port.ts";
import { CommandError } from "./installation.ts";

/** How a command ends that threw an error. */
interface Failure {
  readonly exitCode: number;
  /** The text that the user sees, empty if nothing is left to say; null for a bug in Clew, whose stack trace is of use. */
  readonly message: string | null;
}

/** The exit code (OPS-7) and message for what a command threw. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommanderError)
    // It has written the help, the version or the usage error already.
    return { exitCode: error.exitCode === 0 ? 0 : exitCodes.usage, message: "" };
  if (error instanceof ReadingError) return { exitCode: error.exitCode, message: error.message };
  return { exitCode: exitCodes[endOf(error)], message: operatorMessage(error) };
}

/** How a command ends that threw an error, so that whatever supervises `serve` knows whether to start it again. */
function endOf(error: unknown): keyof typeof exitCodes {
  if (error instanceof ConfigError) return "settings";
  if (error instanceof SecretsError) return "refused";
  if (!(error instanceof DatabaseError)) return "failed";
  return error.code === "unreachable" || error.code === "in_use" ? "unavailable" : "refused";
}

const forOperators = [CommandError, ConfigError, DatabaseError, SecretsError];

function operatorMessage(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (forOperators.some((kind) => error instanceof kind)) return error.message;
  const { code, syscall, path, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  if (code === "EADDRINUSE") {
    return `Port ${port} on ${address} is already in use. Stop the program that uses it, or set another port.`;
  }
  if (code === "EACCES" && port !== undefined) {
    return `No permission to listen on port ${port}. Set a port above 1023.`;
  }
  const condition = conditions[code ?? ""];
  return condition === undefined || path === undefined ? null : `Cannot ${syscall} ${path}: ${condition}.`;
}

/** Conditions of a machine, and no bugs in Clew, that keep it from a file. */
const conditions: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota on the disk is used up",
};
