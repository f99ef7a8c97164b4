import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { main, type Settings, withoutEnvFile, withoutSettings } from "./clew-process.ts";

/** The output and exit code of a command. */
export interface Said {
  readonly code: number | null;
  /** The standard output. */
  readonly output: string;
  readonly errors: string;
}

/** Runs a command of Clew in a separate process and waits for its end. Its environment holds only the settings. */
export async function runCommand(settings: Settings, ...words: string[]): Promise<Said> {
  return runCommandIn(withoutEnvFile, settings, ...words);
}

/** The same, in a working directory with a `.env`. */
export async function runCommandIn(cwd: string, settings: Settings, ...words: string[]): Promise<Said> {
  const child = spawn(process.execPath, [main, ...words], {
    cwd,
    env: { ...withoutSettings, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, output, errors };
}
