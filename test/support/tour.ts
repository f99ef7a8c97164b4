import { execFile } from "node:child_process";
import { join } from "node:path";

const script = join(import.meta.dirname, "../../scripts/tour/main.ts");

/** A run of the tour: its exit code and what it printed. */
interface TourRun {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the tour as a new user does. */
export function runTour(
  options: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<TourRun> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...settings };
    execFile(process.execPath, [script, ...options], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

/** Runs the tour through the Clew at `url`. Throws with its output unless it reaches the last line, the refusal of its token. */
export async function tourThrough(url: URL): Promise<void> {
  const { code, stdout, stderr } = await runTour(["--url", url.href]);
  if (code !== 0 || !/"code": "token_revoked"[^$]*$/.test(stdout))
    throw new Error(`the tour ended with ${code} before its last line:\n${stdout}${stderr}`);
}
