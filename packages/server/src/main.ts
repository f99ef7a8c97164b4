import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readBuild } from "./build.ts";
import { failureOf } from "./cli/failure.ts";
import { buildProgram } from "./cli/program.ts";
import { addCredentials } from "./config/credentials.ts";
import { mergeEnvFile } from "./config/env-file.ts";

// The process: its environment, arguments, signals, standard streams and exit codes.

/** Milliseconds from SIGTERM until the process exits in any case (OPS-3). */
const shutdownTimeoutMs = 9_000;

/**
 * Tells systemd that Clew is ready (sd_notify(3)). Its own program does, because Node cannot send to a datagram socket in the
 * file system.
 */
function notifyReady(): void {
  const { NOTIFY_SOCKET, PATH } = process.env;
  if (!NOTIFY_SOCKET) return;
  execFile("systemd-notify", ["--ready"], { env: { NOTIFY_SOCKET, PATH } }, (error) => {
    if (error !== null) console.error(`failed to tell systemd that Clew is ready: ${error.message}`);
  });
}

/** Errors that nothing handles still end the process, with exit code 1: what they left half done is unknown. */
const onCrash = (report: (error: unknown) => void) =>
  void process.on("uncaughtExceptionMonitor", (error) => report(error));

async function run(args: readonly string[]): Promise<void> {
  const readEnvFile = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : null);
  const given = addCredentials(process.env, readdirSync);
  const { env, fromFile } = mergeEnvFile(given, ".env", readEnvFile);
  const runtime = { env, fromEnvFile: fromFile, random: randomBytes };
  const clocks = { clock: Date.now, monotonic: () => performance.now() };
  const warn = (line: string) => void process.stderr.write(`${line}\n`);
  const program = buildProgram({
    ...runtime,
    print: (line) => void process.stdout.write(`${line}\n`),
    writeLog: (line) => void process.stderr.write(line),
    reading: {
      fetch,
      random: randomBytes,
      clock: Date.now,
      stdin: process.stdin,
      stdout: process.stdout,
      warn,
      async openFolder(path) {
        const { openFolder } = await import("./folder-process.ts");
        return openFolder(path, { ...runtime, ...clocks, fetch, build: readBuild(), warn });
      },
    },
    async serve(folders) {
      // Listens before anything is opened, so that a signal during the start also ends in order.
      const { promise: signalled, resolve: signal } = Promise.withResolvers<NodeJS.Signals>();
      process.once("SIGTERM", signal);
      process.once("SIGINT", signal);
      void signalled.then(() => setTimeout(() => process.exit(1), shutdownTimeoutMs).unref());
      // Imported here, since without it the other commands start in a third of the time.
      const { serve } = await import("./server.ts");
      const { stdout, stderr } = process;
      const isRoot = process.geteuid?.() === 0;
      const build = readBuild();
      const streams = { stdout, stderr };
      await serve(
        { ...runtime, ...clocks, ...streams, fetch, build, folders, isRoot, notifyReady, onCrash },
        signalled,
      );
      process.exit(0);
    },
  });
  await program.parseAsync(args, { from: "user" });
}

// The reader of a pipe may close it early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

const args = process.argv.slice(2);
try {
  await run(args.length === 0 ? ["--help"] : args);
} catch (error) {
  const { exitCode, message } = failureOf(error);
  if (message !== "") console.error(message ?? error);
  process.exit(exitCode);
}
