import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";

/** Clew's main module. */
export const main = join(import.meta.dirname, "../../packages/server/src/main.ts");

/** The same, with a demo workspace over the folder of the setting `DEMO_DIRECTORY`. */
const demoMain = join(import.meta.dirname, "demo-main.ts");

/** Clew's settings by name; nothing else of the environment reaches it. */
export type Settings = Readonly<Record<string, string>>;

/** Settings without rate limits and scheduled syncs. */
export const quiet: Settings = {
  SYNC_INTERVAL: "0",
  RATE_LIMIT_TOKEN: "0",
  RATE_LIMIT_SESSION: "0",
  RATE_LIMIT_SIGN_IN: "0",
  RATE_LIMIT_FAILED_AUTH: "0",
  RATE_LIMIT_OPEN: "0",
};

/** A Clew that runs in a process of its own. */
export interface ClewProcess {
  /** PUBLIC_URL, with a trailing slash. */
  readonly url: URL;
  readonly port: number;
  readonly pid: number;
  /** Its exit code once it has ended; null if a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Resolves when it is ready. Throws `EndedEarly` if it ends before that. */
  ready(): Promise<void>;
  /** Everything that it has written to its standard streams. */
  output(): string;
  /** Ends it at once, as `kill -9` does. */
  kill(): Promise<void>;
  /** Sends SIGTERM and returns the exit code; null if it had to be killed because it did not end in time. */
  terminate(): Promise<number | null>;
}

/** Clew ended before it was ready. The message is its output. */
export class EndedEarly extends Error {
  constructor(output: string) {
    super(`Clew ended before it was ready:\n${output}`);
    this.name = "EndedEarly";
  }
}

/** A working directory that has no `.env`: tests never read one (OPS-5). */
export const withoutEnvFile = import.meta.dirname;

/**
 * Environment variables of every Node process: the program path, what has it start faster in a test run, and where V8 writes
 * which code ran.
 */
export const withoutSettings = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  NODE_OPTIONS: process.env.NODE_OPTIONS,
  NODE_V8_COVERAGE: process.env.NODE_V8_COVERAGE,
};

/** Milliseconds from SIGTERM until a Clew that hangs is killed. It ends itself much earlier (OPS-3). */
const timeoutMs = 180_000;

/**
 * A port that was free a moment ago. It is below the range for outgoing connections, so that no other process takes it
 * while a Clew restarts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer().listen(port, "127.0.0.1");
    const free = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!free) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

/** Starts Clew with these settings, on a free port unless they name one, and returns when it is ready. */
export async function startClew(settings: Settings): Promise<ClewProcess> {
  const clew = await spawnClew(settings);
  await clew.ready();
  return clew;
}

interface ProcessOptions {
  /** The number of files that it may have open at most. */
  readonly openFiles?: number | "unlimited";
  /** The main module to run, if not this checkout's. */
  readonly program?: string;
  /** Folders that it serves beside the sources of its settings. */
  readonly folders?: readonly string[];
}

/** Starts Clew, and does not wait for it. */
export async function spawnClew(
  settings: Settings,
  {
    openFiles = "unlimited",
    program = settings.DEMO_DIRECTORY === undefined ? main : demoMain,
    folders = [],
  }: ProcessOptions = {},
): Promise<ClewProcess> {
  const port = settings.PORT === undefined ? await freePort() : Number(settings.PORT);
  const limited = ["-c", `ulimit -n ${openFiles} && exec "$0" "$@"`, process.execPath, program, "serve"];
  const [command, args] =
    openFiles === "unlimited"
      ? [process.execPath, [program, "serve", ...folders]]
      : (["sh", limited] as const);
  const child = spawn(command, args, {
    cwd: withoutEnvFile,
    env: { ...withoutSettings, PORT: String(port), ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let written = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      written += text;
    });
  }
  // `close` comes after `exit`, when all output has been read.
  const ended = once(child, "close").then(() => child.exitCode);
  const url = new URL(settings.PUBLIC_URL ?? `http://localhost:${port}/`);
  return {
    url: url.href.endsWith("/") ? url : new URL(`${url.href}/`),
    port,
    pid: child.pid ?? 0,
    ended,
    ready: () => ready(child, `http://127.0.0.1:${port}/readyz`, () => written),
    output: () => written,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    async terminate() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
      const code = await ended;
      clearTimeout(timer);
      return code;
    },
  };
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function ready(child: ChildProcess, url: string, output: () => string): Promise<void> {
  for (let attempt = 0; attempt < 2_400; attempt += 1) {
    if (hasEnded(child)) throw new EndedEarly(output());
    const response = await fetch(url).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill("SIGKILL");
  throw new Error(`Clew was not ready in time:\n${output()}`);
}
