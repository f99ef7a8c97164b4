import { mkdir } from "node:fs/promises";
import type { FastifyBaseLogger } from "fastify";
import type { DemoSite } from "./api/demo.ts";
import { buildApp } from "./app.ts";
import { createSessions } from "./auth/sessions.ts";
import { issueSignInCode } from "./auth/sign-in/code.ts";
import { createRefusedUse, createTokenUse } from "./auth/token-use.ts";
import type { Config } from "./config/config.ts";
import { demoUrl } from "./config/demo-url.ts";
import { upkeepTasks } from "./connections/upkeep.ts";
import { createGraphs } from "./graph-cache/graphs.ts";
import { createLimits } from "./http/limits/rate-limits.ts";
import type { App } from "./http/server.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { type MetricsServer, serveMetrics } from "./metrics/server.ts";
import type { StateParts } from "./metrics/state.ts";
import type { Clock, RandomBytes } from "./model/runtime.ts";
import type { Provider } from "./provider/port.ts";
import { openSecrets } from "./secrets/open-secrets.ts";
import type { Secrets } from "./secrets/secrets.ts";
import { openDatabase } from "./store/database.ts";
import type { Database } from "./store/port.ts";
import { repeat } from "./sync/jobs/repeat.ts";
import { requestSyncsOfMovedPages, startSchedule } from "./sync/schedule.ts";
import { createSyncService } from "./sync/service.ts";

/** What comes from outside the process, besides the settings. */
export interface Runtime {
  readonly provider: Provider;
  /** What the demo workspace shows in browsers; null where it does not serve. */
  readonly demo: DemoSite | null;
  readonly clock: Clock;
  /** Milliseconds on a clock that nobody sets. */
  readonly monotonic: Clock;
  readonly random: RandomBytes;
  readonly log: FastifyBaseLogger;
  /** What is measured; left out where nobody asks for it. */
  readonly metrics?: Metrics | undefined;
}

/**
 * Milliseconds that requests in flight have to end once Clew stops. Then whoever still holds a connection is cut off: a
 * client that never sends the rest of its request, or a browser that opened a connection in advance.
 */
const shutdownGraceMs = 5_000;

/** Milliseconds between two looks at how much of the disk is free. */
const diskPause = 5_000;

/** Milliseconds from a first sync to a look at what the provider's search did not list yet: it lags just after a grant. */
const secondLookAfter = 120_000;

/** A server that listens. */
export interface Running {
  /** The port it listens on; interesting where port 0 was asked for. */
  readonly port: number;
  /** Makes a one-time code for the sign-in page (SIGN-12). */
  newSignInCode(): Promise<string>;
  /** Takes no new requests, lets those in flight end, writes checkpoints, and closes everything (OPS-3). */
  stop(): Promise<void>;
}

/** Opens the database, puts the parts together and listens. Syncs that a restart interrupted go on. */
export async function start(config: Config, runtime: Runtime): Promise<Running> {
  const { random } = runtime;
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const database = await openDatabase({
    path: config.databasePath,
    clock: runtime.clock,
    random,
  });
  try {
    const secrets = await openSecrets(config, database, random);
    return await serve(config, { ...runtime, database, secrets });
  } catch (error) {
    await database.close();
    throw error;
  }
}

function listeningPort(app: App): number {
  const address = app.server.address();
  if (address === null || typeof address === "string")
    throw new Error("The server does not listen on a port.");
  return address.port;
}

async function serve(
  config: Config,
  base: Runtime & {
    readonly database: Database;
    readonly secrets: Secrets;
  },
): Promise<Running> {
  const { database, secrets, clock, random, log } = base;
  const graphs = createGraphs({
    database,
    clock,
    onError: (err) => log.error({ err }, "a graph was not rebuilt"),
  });
  const sync = createSyncService({
    ...base,
    allowed: config.allowed,
    graphs,
    secondLookAfter,
    storage: { connectionQuota: config.connectionQuota, hasRoom: database.upkeep.hasRoom },
  });
  const lifecycle = { stopping: false };
  const app = await buildApp({
    ...base,
    config,
    graphs,
    sync,
    lifecycle,
    sessions: await createSessions({
      database,
      secrets,
      clock,
      random,
      issuer: config.publicUrl.href,
      provider: base.provider,
      allowed: config.allowed,
    }),
    limits: createLimits(
      {
        token: config.rateLimitToken,
        session: config.rateLimitSession,
        signIn: config.rateLimitSignIn,
        failedAuth: config.rateLimitFailedAuth,
        open: config.rateLimitOpen,
      },
      base.monotonic,
    ),
    tokenUse: createTokenUse({
      database,
      clock,
      onError: (err) => log.error({ err }, "token use was not written"),
    }),
    refusedUse: createRefusedUse({
      database,
      onError: (err) => log.error({ err }, "refused uses of tokens were not written to the audit trail"),
    }),
  });
  // For "localhost" Fastify would open a second server, whose connections nobody guards.
  await app.listen({ host: config.host === "localhost" ? "127.0.0.1" : config.host, port: config.port });
  const metricsServer = await startMetrics(config, { ...base, graphs });
  if (base.demo !== null) await requestSyncsOfMovedPages(base, `${demoUrl(config.publicUrl)}/`);
  sync.start();
  const background = [
    startSchedule({ ...base, allowed: config.allowed, sync, intervalMs: config.syncInterval }, (err) =>
      log.error({ err }, "the schedule could not look for syncs that are due"),
    ),
    ...upkeepTasks({ ...base, sync, graphs }).map(({ failure, ...task }) =>
      repeat({ ...task, onError: (err) => log.error({ err }, failure) }),
    ),
    repeat({
      intervalMs: diskPause,
      work: () => database.upkeep.checkRoom(),
      onError: (err) => log.error({ err }, "the reserve on the disk could not be kept"),
    }),
  ];
  return {
    port: listeningPort(app),
    newSignInCode: () => issueSignInCode(base),
    async stop() {
      lifecycle.stopping = true;
      const cut = setTimeout(() => app.server.closeAllConnections(), shutdownGraceMs);
      await Promise.all([graphs.close(), sync.stop(), app.close(), ...background.map((part) => part.stop())]);
      clearTimeout(cut);
      await metricsServer?.close();
      await database.close();
    },
  };
}

async function startMetrics(
  { host, metricsPort: port }: Config,
  { metrics, log, ...parts }: Runtime & StateParts,
): Promise<MetricsServer | null> {
  if (metrics === undefined || port === null) return null;
  metrics.observeState(parts);
  const onError = (err: unknown) => log.error({ err }, "metrics could not be told");
  return serveMetrics(metrics, { host, port, onError });
}
