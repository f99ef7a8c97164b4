import { fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { totalmem } from "node:os";
import { join } from "node:path";

/** The end of a process, and the messages that it sent. */
export interface Told {
  readonly messages: readonly unknown[];
  /** null if the process completed. */
  readonly failure: string | null;
}

/** Memory limit of a process in bytes; other processes need the rest of the machine. */
const memoryLimit = totalmem() * 0.45;

/**
 * Runs a file of this folder in a separate process, with nearly half of the machine's memory. The process is killed if it
 * takes more, does not end within `limitMs`, or sends no message in the first `silenceMs`.
 */
export function runAlone(
  file: string,
  args: readonly string[],
  limits: { readonly limitMs: number; readonly silenceMs: number },
): Promise<Told> {
  const { promise, resolve } = Promise.withResolvers<Told>();
  const child = fork(join(import.meta.dirname, file), args, {
    execArgv: ["--expose-gc", "--max-old-space-size=12288"],
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  const messages: unknown[] = [];
  let written = "";
  let cut: string | null = null;
  const kill = (reason: string) => () => {
    cut = reason;
    child.kill("SIGKILL");
  };
  const whole = setTimeout(kill(`not finished after ${limits.limitMs / 1000} s`), limits.limitMs);
  const silence = setTimeout(kill(`not loaded after ${limits.silenceMs / 1000} s`), limits.silenceMs);
  const watch = setInterval(async () => {
    if ((await residentBytesOf(child.pid)) > memoryLimit)
      kill(`used more than ${Math.round(memoryLimit / 1e9)} GB of memory`)();
  }, 500);
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    written = (written + text).slice(-4000);
  });
  child.on("message", (message) => {
    clearTimeout(silence);
    messages.push(message);
  });
  child.on("close", (code, signal) => {
    clearTimeout(whole);
    clearTimeout(silence);
    clearInterval(watch);
    const failure = code === 0 ? null : (cut ?? `ended with ${code ?? signal}: ${lastLineOf(written)}`);
    resolve({ messages, failure });
  });
  return promise;
}

/** The last line that names an error, otherwise the last line. */
function lastLineOf(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? "no message";
}

/** Resident bytes of a process; 0 if the system has no `/proc`. */
export async function residentBytesOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
