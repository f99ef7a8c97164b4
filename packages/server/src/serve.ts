import { pino } from "pino";
import pretty from "pino-pretty";
import { codeMinutes } from "./auth/sign-in/code.ts";
import { readConfig } from "./config/config.ts";
import type { Environment } from "./config/read-settings.ts";
import { connectProvider } from "./connect-provider.ts";
import { createMetrics } from "./metrics/metrics.ts";
import type { Clock, RandomBytes } from "./model/runtime.ts";
import { start } from "./start.ts";

/** The process, as far as serving needs it. */
interface Process {
  readonly env: Environment;
  readonly clock: Clock;
  readonly monotonic: Clock;
  readonly random: RandomBytes;
  readonly fetch: typeof globalThis.fetch;
  readonly stdout: NodeJS.WriteStream;
  /** Where the operator reads what no log may hold. */
  readonly stderr: NodeJS.WritableStream;
}

/** Starts Clew as its settings say, and stops it in order once `signalled` tells of a signal (OPS-3). */
export async function serve(
  { env, stdout, stderr, ...runtime }: Process,
  signalled: Promise<NodeJS.Signals>,
): Promise<void> {
  const config = readConfig(env);
  const destination = stdout.isTTY ? pretty({ ignore: "pid,hostname" }) : stdout;
  const log = pino({ level: config.logLevel, base: null }, destination);
  const metrics = config.metricsPort === null ? undefined : createMetrics();
  const watchCalls = metrics?.countProviderCalls;
  const { close, ...connected } = await connectProvider(config, { ...runtime, log, watchCalls });
  const { provider } = connected;
  const running = await start(config, { ...runtime, ...connected, log, metrics });
  log.info({ port: running.port, provider: provider.name }, `Clew serves. Open ${config.dashboardUrl.href}`);
  if (provider.asksForCode) {
    const code = await running.newSignInCode();
    stderr.write(`Sign-in code, good for ${codeMinutes} minutes, once: ${code}\n`);
  }
  log.info({ signal: await signalled }, "stopping");
  await running.stop();
  await close();
}
