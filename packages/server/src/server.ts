import { readdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import type { Build } from "@clew/contract";
import { connectedProvider } from "@clew/contract/settings";
import { designTokens } from "@clew/dashboard";
import type { FastifyBaseLogger } from "fastify";
import { pino } from "pino";
import { type AppServices, buildApp } from "./app.ts";
import { type DocumentNetwork, ownNetwork } from "./auth/apps/document-network.ts";
import { endUnusedTokens } from "./auth/apps/revocation.ts";
import { deleteOldEvents } from "./auth/audit-retention.ts";
import { Sessions } from "./auth/sessions.ts";
import { codeMinutes, issueSignInCode } from "./auth/sign-in/code.ts";
import { callbackUrl, codeUrl, startUrl } from "./auth/sign-in/redirect.ts";
import { createRefusedUse, createTokenUse } from "./auth/token-use.ts";
import { buildText } from "./build.ts";
import { type Config, readConfig } from "./config/config.ts";
import { prepareDataDir } from "./config/data-dir.ts";
import { ConfigError, type Environment } from "./config/read-settings.ts";
import { clearRemoved, expireWithdrawn, type RemovalServices } from "./connections/remove.ts";
import { revokeDueGrants } from "./connections/revoke-grants.ts";
import { GraphFiles } from "./graphs/graph-files.ts";
import { Graphs, graphBudget } from "./graphs/graphs.ts";
import { createLimits } from "./http/limits/rate-limits.ts";
import { listenOr } from "./http/listen.ts";
import type { App } from "./http/server.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { isLoopback } from "./model/loopback.ts";
import { readMemory } from "./model/machine.ts";
import type { CacheSource, Clock, RandomBytes } from "./model/runtime.ts";
import { createTurns } from "./model/turns.ts";
import { LinkMaps } from "./operations/link-maps.ts";
import { connectProvider } from "./providers/connect-provider.ts";
import { QueryThreads } from "./queries/query-threads.ts";
import { openSecrets } from "./secrets/open-secrets.ts";
import { warnOfMachine, watchProviderClock } from "./start-warnings.ts";
import { openDatabase } from "./store/database.ts";
import type { Database, SchemaState } from "./store/port.ts";
import { liveIds } from "./store/queries/connections.ts";
import { requireFingerprint } from "./store/queries/installation.ts";
import { logUpgrade } from "./store/upgrade.ts";
import { type Background, repeat } from "./sync/jobs/repeat.ts";
import { requestDueSyncs, requestSyncsOfMovedPages } from "./sync/schedule.ts";
import { SyncService } from "./sync/service.ts";
import { TextIndex } from "./texts/text-index.ts";

/** The parts that the server takes from the process and the outside world, besides its settings. */
interface Runtime {
  /** The clock of this machine. What the database records has the time of `Database.clock`. */
  readonly clock: Clock;
  /** Milliseconds on a clock that is never set. */
  readonly monotonic: () => number;
  readonly random: RandomBytes;
  readonly fetch: typeof globalThis.fetch;
  /** Which Clew it is. */
  readonly build: Build;
}

interface ServerRuntime extends Runtime {
  /** In place of the clock of the database, for tests. */
  readonly databaseClock?: Clock;
  /** In place of this machine's network for documents of clients, for tests. */
  readonly documentNetwork?: DocumentNetwork;
  readonly log: FastifyBaseLogger;
}

interface Process extends Runtime {
  readonly env: Environment;
  /** Whether it runs as root. */
  readonly isRoot: boolean;
  readonly stdout: NodeJS.WriteStream;
  /** Shows the operator what must not be in a log. */
  readonly stderr: NodeJS.WritableStream;
  /** Tells what supervises the process that it serves. */
  readonly notifyReady: () => void;
}

/**
 * Milliseconds that requests in flight have to end once Clew stops. After that, open connections are cut: a client may
 * never send the rest of its request, and browsers open connections in advance.
 */
const shutdownGraceMs = 5_000;

/** Milliseconds from a first sync to the next one. The provider's search lags just after a grant. */
const secondLookAfterMs = 120_000;

/** Calls to the provider under way at a time, over all syncs: each takes a socket. */
const providerCallsAtOnce = 256;

/** Milliseconds between two looks at the schema of the database. Each write looks as well. */
const schemaWatchMs = 2_000;

/** Bytes of graphs in files, for each byte of graphs in memory. */
const graphFilesPerMemory = 4;

/** Threads that answer queries, at most one for each core. */
const maxQueryThreads = 2;

/** Serves with the settings of the environment, and stops in order when `signalled` resolves (OPS-3). */
export async function serve(
  { env, isRoot, stdout, stderr, notifyReady, ...runtime }: Process,
  signalled: Promise<NodeJS.Signals>,
): Promise<void> {
  const config = readConfig(env);
  // Like the metrics, imported only where it is used: most processes need neither, and start sooner.
  const destination = stdout.isTTY
    ? (await import("pino-pretty")).default({ ignore: "pid,hostname", singleLine: true })
    : stdout;
  const log = pino({ level: config.logLevel, base: null }, destination);
  if (isRoot) log.warn("Clew runs as root, although it needs no such rights: give it a user of its own");
  log.info(`Clew ${buildText(runtime.build)}; data is kept in ${config.dataDir}`);
  const { port, provider, newSignInCode, stop } = await openServer(config, { ...runtime, log });
  log.info(
    { port, provider: provider.name },
    `server listening; the dashboard is at ${config.dashboardUrl.href}`,
  );
  if (config.provider.isDemo && !isLoopback(config.host)) log.info(describeOpenDemo(config));
  notifyReady();
  if (provider.asksForCode)
    stderr.write(`Sign-in code, valid once within ${codeMinutes} minutes: ${await newSignInCode()}\n`);
  log.info({ signal: await signalled }, "server stopping");
  await stop();
}

/** Says what other machines can see of a Clew without a source, and what a source needs (OPS-10). */
function describeOpenDemo({ workspaceDir, publicUrl }: Config): string {
  const { clientId, clientSecret, token } = connectedProvider.settings;
  const shown = workspaceDir === null ? "the sample that comes with Clew" : "the folder WORKSPACE_DIR";
  return [
    `no source is set up, so everyone who can reach this port can read ${shown}, as a demo, and nothing else`,
    `browsers reach it at PUBLIC_URL alone, ${publicUrl.href}`,
    `for pages of ${connectedProvider.name}, set ${token}, or ${clientId} and ${clientSecret}, with PUBLIC_URL and ALLOWED_EMAILS`,
  ].join("; ");
}

/** Opens everything and listens. Syncs that a restart interrupted continue. */
export async function openServer(config: Config, runtime: ServerRuntime) {
  await prepareDataDir(config);
  const metrics = config.metricsPort === null ? null : (await import("./metrics/metrics.ts")).createMetrics();
  const { close: closeProvider, ...connected } = await openProvider(config, runtime, metrics);
  const { databaseClock, random } = runtime;
  const caches: CacheSource[] = [];
  const observeCache = (cache: CacheSource) => void caches.push(cache);
  const database = await openDatabase({
    location: config.databaseLocation,
    ...(databaseClock && { clock: databaseClock }),
    random,
    observeCache,
    ...(metrics && { onPoolWait: metrics.observePoolWait }),
  });
  logUpgrade(runtime.log, database.location, database.upgrade);
  const close = async () => {
    await database.close();
    await closeProvider();
  };
  try {
    await warnOfMachine(database, runtime);
    const secrets = await openSecrets(config, database, random);
    return await listen(config, {
      ...runtime,
      ...connected,
      clock: database.clock,
      machineClock: runtime.clock,
      database,
      secrets,
      metrics,
      caches,
      observeCache,
      close,
    });
  } catch (error) {
    await close();
    throw error;
  }
}

async function openProvider(
  config: Config,
  { log, ...runtime }: ServerRuntime,
  metrics: Metrics | null,
): ReturnType<typeof connectProvider> {
  const { workspaceDir, publicUrl } = config;
  const { token, app, apiUrl, isDemo } = config.provider;
  if (isDemo && config.databaseLocation.kind === "postgres" && !config.standIn)
    throw new ConfigError([
      `DATABASE_URL names a PostgreSQL server, which several instances can share, while what people allow in the demo workspace is kept in each DATA_DIR: connect ${connectedProvider.name}, or, if there is one instance, set STAND_IN=1`,
    ]);
  if (isDemo && workspaceDir !== null) {
    await readdir(workspaceDir).catch(() => {
      throw new ConfigError(["WORKSPACE_DIR does not name a folder that can be read"]);
    });
  }
  return connectProvider({
    token,
    codeUrl: new URL(codeUrl(publicUrl)),
    app,
    network: {
      ...runtime,
      fetch: watchProviderClock(runtime.fetch, { log, clock: runtime.clock }),
      apiUrl,
      inTurn: createTurns({ atOnce: providerCallsAtOnce }),
    },
    watchCalls: metrics?.measureProviderCalls ?? ((fetch) => fetch),
    demo: {
      log,
      directory: workspaceDir,
      dataDir: config.dataDir,
      siteUrl: demoUrl(publicUrl),
      redirectUris: [callbackUrl(publicUrl)],
      signInUrl: startUrl(publicUrl),
      onwardOrigins: [config.dashboardUrl.origin],
      look: designTokens,
    },
  });
}

/** The address at which browsers reach the demo workspace, without a trailing slash (SIGN-11). */
function demoUrl(publicUrl: URL): string {
  return `${publicUrl.href.replace(/\/$/, "")}/demo`;
}

/** The parts that the server opens before it listens. */
interface Opened
  extends ServerRuntime,
    Pick<AppServices, "database" | "secrets" | "provider" | "demo" | "observeCache"> {
  readonly metrics: Metrics | null;
  /** The clock of this machine and of its files. */
  readonly machineClock: Clock;
  /** All caches that report to `observeCache`. */
  readonly caches: readonly CacheSource[];
  close(): Promise<void>;
}

async function listen(config: Config, opened: Opened) {
  const { database, provider, clock, log, metrics, observeCache } = opened;
  const { allowed } = config;
  const logError = (message: string) => (err: unknown) => log.error({ err }, message);
  const texts = new TextIndex(opened);
  const queryThreads = new QueryThreads({
    location: database.location,
    maxThreads: Math.min(maxQueryThreads, availableParallelism()),
    onError: logError("a thread for queries has ended; another one takes its place"),
    ...(metrics === null ? {} : { onJob: metrics.observeJob }),
  });
  metrics?.observeJobCounts(() => queryThreads.counts());
  const linkMaps = new LinkMaps({
    database,
    onError: logError("failed to make a map"),
    ...(metrics === null ? {} : { onJob: metrics.observeJob }),
  });
  const budget = graphBudget();
  const files = new GraphFiles({
    dataDir: config.dataDir,
    fingerprint: await requireFingerprint(database.read),
    maxBytes: graphFilesPerMemory * budget,
    clock: opened.machineClock,
    log,
  });
  const graphs = new Graphs({
    database,
    clock,
    texts,
    files,
    budget,
    onDropped: () => {
      for (const threads of [queryThreads, linkMaps]) threads.retain((id, graph) => graphs.holds(id, graph));
    },
    onError: logError("failed to rebuild a graph"),
  });
  texts.onGrown((connectionId) => graphs.refreshTexts(connectionId));
  observeCache({ name: "graphs", bytes: () => graphs.heldBytes().graphs });
  observeCache({ name: "text_snapshots", bytes: () => graphs.heldBytes().texts });
  const sync = new SyncService({
    ...opened,
    allowed,
    graphs,
    secondLookAfter: secondLookAfterMs,
    storage: { connectionQuota: config.connectionQuota, hasRoom: () => hasRoom(database) },
    onEnded: metrics?.observeSync,
  });
  const issuer = config.publicUrl.href;
  const lifecycle = { stopping: false };
  const app = await buildApp({
    ...opened,
    config,
    graphs,
    queryThreads,
    linkMaps,
    sync,
    lifecycle,
    documentNetwork: opened.documentNetwork ?? ownNetwork,
    sessions: await Sessions.create({ ...opened, issuer, allowed }),
    limits: createLimits(
      {
        token: config.rateLimitToken,
        session: config.rateLimitSession,
        signIn: config.rateLimitSignIn,
        failedAuth: config.rateLimitFailedAuth,
        open: config.rateLimitOpen,
      },
      opened.monotonic,
      observeCache,
    ),
    tokenUse: createTokenUse({ database, clock, onError: logError("failed to write the use of tokens") }),
    refusedUse: createRefusedUse({
      database,
      onError: logError("failed to write refused uses of tokens to the audit trail"),
    }),
  });
  // For "localhost" Fastify would open a second server, whose connections the guard does not see.
  const host = config.host === "localhost" ? "127.0.0.1" : config.host;
  const { port, metricsPort } = config;
  await listenOr({ host, port, portSetting: "PORT" }, () => app.listen({ host, port }));
  const { syncInterval: intervalMs } = config;
  metrics?.observeState({
    ...opened,
    allowed,
    intervalMs,
    memory: readMemory,
    textIndexLag: () => texts.lagPages,
  });
  const metricsServer =
    metrics === null || metricsPort === null
      ? null
      : await listenOr({ host, port: metricsPort, portSetting: "METRICS_PORT" }, () =>
          metrics.serve({ host, port: metricsPort, onError: logError("failed to render metrics") }),
        );
  if (opened.demo !== null) await requestSyncsOfMovedPages(opened, `${demoUrl(config.publicUrl)}/`);
  sync.start();
  queryThreads.warmUp();
  const background = startBackgroundTasks(config, { ...opened, graphs, files, texts, sync });
  return {
    /** The port it listens on; of interest where port 0 was asked for. */
    port: listeningPort(app),
    provider,
    /** Makes a one-time code for the sign-in page (SIGN-12). */
    newSignInCode: () => issueSignInCode(opened),
    /** Takes no new requests, lets those in flight end, writes checkpoints, and closes everything (OPS-3). */
    async stop(): Promise<void> {
      lifecycle.stopping = true;
      const cut = setTimeout(() => app.server.closeAllConnections(), shutdownGraceMs);
      const threads = [graphs, texts, queryThreads, linkMaps].map((each) => each.close());
      await Promise.all([...threads, sync.stop(), app.close(), ...background.map((task) => task.stop())]);
      clearTimeout(cut);
      await metricsServer?.close();
      await opened.close();
    },
  };
}

/** Whether the disk has room for more than the small writes that must always succeed. */
function hasRoom({ upkeep }: Database): boolean {
  const room = upkeep?.room();
  return room === undefined || room.freeBytes >= room.neededBytes;
}

function listeningPort(app: App): number {
  const address = app.server.address();
  if (address === null || typeof address === "string")
    throw new Error("The server does not listen on a port.");
  return address.port;
}

const dayMs = 86_400_000;

/** Starts the work that repeats while the server runs. The tasks are independent: none waits for another. */
function startBackgroundTasks(
  { allowed, syncInterval, withdrawnDays, auditDays, databaseCopyDays }: Config,
  services: RemovalServices &
    Opened & { readonly sync: SyncService; readonly texts: TextIndex; readonly files: GraphFiles },
): readonly Background[] {
  const { database, clock, log } = services;
  const { upkeep } = database;
  /** Logs a failed run; the next one tries again. None runs while the database has a schema that stops this program. */
  const every = (
    intervalMs: number,
    failure: string,
    work: (signal: AbortSignal) => Promise<void>,
    delayMs = 0,
  ) => {
    const onError = (err: unknown) => log.error({ err }, failure);
    const unlessStopped = async (signal: AbortSignal) => {
      if (database.schemaFault() === null) await work(signal);
    };
    return repeat({ delayMs, intervalMs, work: unlessStopped, onError });
  };
  return [
    watchSchema(database, log),
    every(15_000, "failed to request syncs that are due", () =>
      requestDueSyncs({ ...services, allowed, intervalMs: syncInterval }),
    ),
    every(5_000, "failed to revoke grants", (signal) => revokeDueGrants(services, signal)),
    every(5_000, "failed to remove withdrawn connections", () =>
      expireWithdrawn(services, withdrawnDays * dayMs),
    ),
    every(3_600_000, "failed to delete old events of audit trails", async (signal) => {
      await deleteOldEvents(database, clock() - auditDays * dayMs, signal);
    }),
    every(3_600_000, "failed to end unused tokens of connected apps", async () => {
      const ended = await endUnusedTokens(services);
      if (ended > 0)
        log.info({ tokens: ended }, "ended tokens of connected apps that were not used for 30 days");
    }),
    every(5_000, "failed to delete removed graphs", (signal) => clearRemoved(database, signal)),
    every(5_000, "failed to tend the files of graphs", () =>
      services.files.tend((ids) => liveIds(database.read, ids)),
    ),
    // It starts the index thread, which takes a fifth of the time of a start and is not needed for the first answers.
    every(5_000, "failed to tend the text index", () => services.texts.tend(), 5_000),
    ...(upkeep === undefined
      ? []
      : [
          every(5_000, "failed to erase what remains of deleted rows", () => upkeep.eraseRemains()),
          every(5_000, "failed to check the free room on the disk", () => upkeep.checkRoom()),
          every(3_600_000, "failed to remove old copies of the database", () =>
            upkeep.removeOldCopies(clock() - databaseCopyDays * dayMs),
          ),
        ]),
  ];
}

/** Logs that another program has migrated the database, and whether this one goes on (OPS-4). */
function watchSchema(database: Database, log: FastifyBaseLogger): Background {
  let before: SchemaState | null = null;
  const work = async () => {
    const state = await database.schemaState();
    const { version, program, isNewer, fault } = state;
    if (before?.version === version && before.fault === fault) return;
    if (fault !== null) log.error({ schema: version }, `stopped serving and syncing. ${fault}`);
    else if (before !== null && before.fault !== null)
      log.info({ schema: version }, "serving and syncing again");
    else if (isNewer)
      log.info(
        { schema: version },
        `Clew ${program} has migrated the database; this instance may go on beside it`,
      );
    before = state;
  };
  // A database that is away says nothing of its schema.
  return repeat({ intervalMs: schemaWatchMs, work, onError: () => {} });
}
