import { randomBytes } from "node:crypto";
import { pino } from "pino";
import pretty from "pino-pretty";
import { buildProgram } from "./cli/program.ts";
import { CommandError } from "./cli/surroundings.ts";
import { ConfigError, readConfig } from "./config/read-config.ts";
import { connectProvider } from "./connect-provider.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { SecretsError } from "./secrets/error.ts";
import { start } from "./start.ts";
import { keepHeapSteady } from "./steady-heap.ts";
import { DatabaseError } from "./store/error.ts";

// The only file that touches the process: its environment, signals, standard streams and exit codes.

/** Milliseconds from SIGTERM to the end, come what may (OPS-3). */
const patience = 9_000;

const surroundings = { clock: Date.now, random: randomBytes };

async function serve(): Promise<void> {
  keepHeapSteady();
  // From the first moment on: a signal that comes while Clew still starts ends it in order as well.
  const { promise: signalled, resolve: signal } = Promise.withResolvers<NodeJS.Signals>();
  process.once("SIGTERM", signal);
  process.once("SIGINT", signal);
  const config = readConfig(process.env);
  const destination = process.stdout.isTTY ? pretty({ ignore: "pid,hostname" }) : process.stdout;
  const log = pino({ level: config.logLevel, base: null }, destination);
  const metrics = config.metricsPort === null ? undefined : createMetrics();
  const network = metrics ? metrics.countProviderCalls(fetch) : fetch;
  const { provider, close } = await connectProvider(config, { ...surroundings, fetch: network });
  const running = await start(config, { ...surroundings, provider, log, metrics });
  log.info({ port: running.port, provider: provider.name }, `Clew serves. Open ${config.dashboardUrl.href}`);

  log.info({ signal: await signalled }, "stopping");
  setTimeout(() => process.exit(1), patience).unref();
  await running.stop();
  await close();
  process.exit(0);
}

/** Whether the message says all that there is to say to whoever runs Clew. */
function isForOperator(error: unknown): error is Error {
  const told = [CommandError, ConfigError, DatabaseError, SecretsError];
  if (told.some((kind) => error instanceof kind)) return true;
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}

const program = buildProgram({
  env: process.env,
  clock: Date.now,
  random: randomBytes,
  print: (line) => void process.stdout.write(`${line}\n`),
  serve,
});

// Whoever reads the output may have read enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

const words = process.argv.slice(2);
try {
  await program.parseAsync(words.length === 0 ? ["serve"] : words, { from: "user" });
} catch (error) {
  console.error(isForOperator(error) ? error.message : error);
  process.exit(1);
}
