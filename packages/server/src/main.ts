import { randomBytes } from "node:crypto";
import { buildProgram } from "./cli/program.ts";
import { CommandError } from "./cli/surroundings.ts";
import { ConfigError } from "./config/read-config.ts";
import { SecretsError } from "./secrets/error.ts";
import { keepHeapSteady } from "./steady-heap.ts";
import { DatabaseError } from "./store/error.ts";

// The only file that touches the process: its environment, arguments, signals, standard streams and exit codes.

/** Milliseconds from SIGTERM to the end, come what may (OPS-3). */
const patience = 9_000;

const surroundings = { env: process.env, clock: Date.now, random: randomBytes };

const program = buildProgram({
  ...surroundings,
  print: (line) => void process.stdout.write(`${line}\n`),
  async serve() {
    keepHeapSteady();
    // From the first moment on: a signal that comes while Clew still starts ends it in order as well.
    const { promise: signalled, resolve: signal } = Promise.withResolvers<NodeJS.Signals>();
    process.once("SIGTERM", signal);
    process.once("SIGINT", signal);
    void signalled.then(() => setTimeout(() => process.exit(1), patience).unref());
    // The other commands need none of it, and start in a third of the time.
    const { serve } = await import("./serve.ts");
    await serve({ ...surroundings, fetch, stdout: process.stdout }, signalled);
    process.exit(0);
  },
});

// Whoever reads the output may have read enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

/** Whether the message says all that there is to say to whoever runs Clew. */
function isForOperator(error: unknown): error is Error {
  const told = [CommandError, ConfigError, DatabaseError, SecretsError];
  if (told.some((kind) => error instanceof kind)) return true;
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}

const words = process.argv.slice(2);
try {
  await program.parseAsync(words.length === 0 ? ["serve"] : words, { from: "user" });
} catch (error) {
  console.error(isForOperator(error) ? error.message : error);
  process.exit(1);
}
