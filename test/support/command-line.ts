import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { main, type Settings, withoutEnvFile, withoutSettings } from "./clew-process.ts";

/** What a command said, and how it ended. */
export interface Said {
  readonly code: number | null;
  /** The standard output. */
  readonly output: string;
  readonly errors: string;
}

/** Runs a command of Clew's in a process of its own, to its end. Nothing of the environment reaches it but the settings. */
export async function runCommand(settings: Settings, ...words: string[]): Promise<Said> {
  return runCommandIn(withoutEnvFile, settings, ...words);
}

/** The same, in a working directory whose `.env` counts. */
export async function runCommandIn(cwd: string, settings: Settings, ...words: string[]): Promise<Said> {
  const child = spawn(process.execPath, [main, ...words], {
    cwd,
    env: { ...withoutSettings, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, output, errors };
}
