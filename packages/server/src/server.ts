import { readdir } from "node:fs/promises";
import type { Build } from "@clew/contract";
import { roles as allRoles, connectedProvider } from "@clew/contract/settings";
import { designTokens } from "@clew/dashboard";
import type { Provider } from "@clew/provider";
import type { FastifyBaseLogger } from "fastify";
import { pino } from "pino";
import { buildHealthApp } from "./app.ts";
import type { DocumentNetwork } from "./auth/apps/document-network.ts";
import { codeMinutes, issueSignInCode } from "./auth/sign-in/code.ts";
import { callbackUrl, codeUrl, startUrl } from "./auth/sign-in/redirect.ts";
import { buildText } from "./build.ts";
import { type Config, readConfig } from "./config/config.ts";
import { prepareDataDir } from "./config/data-dir.ts";
import { ConfigError, type Environment } from "./config/read-settings.ts";
import type { Graphs } from "./graphs/graphs.ts";
import { publishStored } from "./graphs/publish-stored.ts";
import { listenOr } from "./http/listen.ts";
import type { App } from "./http/server.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { isLoopback } from "./model/loopback.ts";
import { readMemory } from "./model/machine.ts";
import type { CacheSource, Clock, ObserveCache, RandomBytes } from "./model/runtime.ts";
import { connectDemo, connectProvider, type OpenDemo, openDemo } from "./providers/connect-provider.ts";
import type { ProviderCall } from "./providers/timed-fetch.ts";
import { databaseTasks, schemaLog, startTasks, watchSchema } from "./roles/background.ts";
import { RemoteSyncs } from "./roles/remote-syncs.ts";
import { buildServer, openReading, serveTasks } from "./roles/serve-role.ts";
import { type RunnableSyncs, SyncRole } from "./roles/sync-role.ts";
import { connectionShares, SyncThread, syncThreadData } from "./roles/sync-thread.ts";
import { openSecrets } from "./secrets/open-secrets.ts";
import type { Secrets } from "./secrets/secrets.ts";
import { warnOfMachine, watchProviderClock } from "./start-warnings.ts";
import { openDatabase } from "./store/database.ts";
import type { Database } from "./store/port.ts";
import { logUpgrade } from "./store/upgrade.ts";
import { requestSyncsOfMovedPages } from "./sync/schedule.ts";
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
  /**
   * Writes a line of the log that another thread has made. Left out, syncs run on this thread, with this clock and network, as tests
   * need them.
   */
  readonly writeLogLine?: (line: string) => void;
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
  const writeLogLine = (line: string) => void destination.write(line);
  const { port, provider, newSignInCode, stop } = await openServer(config, { ...runtime, log, writeLogLine });
  const { clewRole: roles } = config;
  const serves = roles.includes("serve");
  log.info(
    { port, provider: provider.name, ...(roles.length < allRoles.length && { roles }) },
    serves
      ? `server listening; the dashboard is at ${config.dashboardUrl.href}`
      : "running without the role serve; health checks are answered",
  );
  if (config.provider.isDemo && !isLoopback(config.host)) log.info(describeOpenDemo(config));
  notifyReady();
  if (serves && provider.asksForCode)
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
  const { provider, demo } = await openProvider(config, runtime, metrics?.observeProviderCall);
  const { databaseClock, random } = runtime;
  const caches: CacheSource[] = [];
  const observeCache = (cache: CacheSource) => void caches.push(cache);
  const shares = hasSyncThread(config, runtime) ? connectionShares(config.databaseLocation) : null;
  const database = await openDatabase({
    location: config.databaseLocation,
    ...(shares !== null && { maxConnections: shares.answering }),
    ...(databaseClock && { clock: databaseClock }),
    random,
    observeCache,
    ...(metrics && { onPoolWait: metrics.observePoolWait }),
  });
  logUpgrade(runtime.log, database.location, database.upgrade);
  const close = async () => {
    await database.close();
    await demo?.close();
  };
  try {
    await warnOfMachine(database, runtime);
    const secrets = await openSecrets(config, database, random);
    return await startRoles(config, {
      ...runtime,
      provider,
      demo,
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

/** The workspace provider of this process, and the demo workspace if that is it. */
async function openProvider(
  config: Config,
  { log, clock, random, fetch }: ServerRuntime,
  onCall: ((call: ProviderCall) => void) | undefined,
): Promise<{ readonly provider: Provider; readonly demo: OpenDemo | null }> {
  const { publicUrl } = config;
  const connected = connectProvider({
    ...config.provider,
    codeUrl: new URL(codeUrl(publicUrl)),
    network: {
      clock,
      random,
      fetch: watchProviderClock(fetch, { log, clock }),
      apiUrl: config.provider.apiUrl,
    },
    onCall,
  });
  if (connected !== null) return { provider: connected, demo: null };
  if (config.databaseLocation.kind === "postgres" && !config.standIn)
    throw new ConfigError([
      `DATABASE_URL names a PostgreSQL server, which several instances can share, while what people allow in the demo workspace is kept in each DATA_DIR: connect ${connectedProvider.name}, or, if there is one instance, set STAND_IN=1`,
    ]);
  const { workspaceDir: directory, dataDir } = config;
  if (directory !== null)
    await readdir(directory).catch(() => {
      throw new ConfigError(["WORKSPACE_DIR does not name a folder that can be read"]);
    });
  const demo = await openDemo(
    {
      log,
      directory,
      dataDir,
      siteUrl: demoUrl(publicUrl),
      redirectUris: [callbackUrl(publicUrl)],
      signInUrl: startUrl(publicUrl),
      onwardOrigins: [config.dashboardUrl.origin],
      look: designTokens,
    },
    { clock, random },
  );
  return { provider: connectDemo(demo.client, demo.answer, { clock, random, onCall }), demo };
}

/** The address at which browsers reach the demo workspace, without a trailing slash (SIGN-11). */
function demoUrl(publicUrl: URL): string {
  return `${publicUrl.href.replace(/\/$/, "")}/demo`;
}

/** The parts that are open before any role begins. */
interface Opened extends ServerRuntime {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly provider: Provider;
  readonly demo: OpenDemo | null;
  readonly metrics: Metrics | null;
  /** The clock of this machine and of its files. */
  readonly machineClock: Clock;
  /** All caches that report to `observeCache`. */
  readonly caches: readonly CacheSource[];
  readonly observeCache: ObserveCache;
  close(): Promise<void>;
}

/** Begins the roles of this process, and listens. */
async function startRoles(config: Config, opened: Opened) {
  const { database, demo, provider, log, metrics } = opened;
  const { allowed, clewRole: roles } = config;
  const lifecycle = { stopping: false };
  const texts = new TextIndex({ ...opened, writes: roles.includes("index") });
  const { dataDir } = config;
  const reading = roles.includes("serve") ? await openReading({ ...opened, dataDir, texts }) : null;
  const syncs = openSyncs(config, { ...opened, texts, graphs: reading?.graphs ?? null });
  const app =
    reading === null
      ? await buildHealthApp({ ...opened, config, lifecycle })
      : await buildServer({
          ...opened,
          ...reading,
          demo: demo?.site ?? null,
          config,
          sync: syncs,
          lifecycle,
        });
  // For "localhost" Fastify would open a second server, whose connections the guard does not see.
  const host = config.host === "localhost" ? "127.0.0.1" : config.host;
  const { port, metricsPort } = config;
  await listenOr({ host, port, portSetting: "PORT" }, () => app.listen({ host, port }));
  metrics?.observeState({
    ...opened,
    allowed,
    intervalMs: config.syncInterval,
    memory: readMemory,
    textIndexLag: () => texts.lagPages,
  });
  const onError = (err: unknown) => log.error({ err }, "failed to render metrics");
  const metricsServer =
    metrics === null || metricsPort === null
      ? null
      : await listenOr({ host, port: metricsPort, portSetting: "METRICS_PORT" }, () =>
          metrics.serve({ host, port: metricsPort, onError }),
        );
  if (demo !== null) await requestSyncsOfMovedPages(opened, `${demoUrl(config.publicUrl)}/`);
  syncs.start();
  reading?.queryThreads.warmUp();
  const background = [
    watchSchema(database, schemaLog(log)),
    startTasks(opened, [
      ...databaseTasks(database, config),
      ...(reading === null ? [] : serveTasks({ ...opened, ...reading, config })),
      {
        everyMs: 5_000,
        // It starts the index thread, which takes a fifth of the time of a start and is not needed for the first answers.
        delayMs: 5_000,
        failure: "failed to tend the text index",
        work: () => texts.tend(),
      },
    ]),
  ];
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
      await Promise.all([
        reading?.close(),
        texts.close(),
        syncs.stop(),
        app.close(),
        ...background.map((task) => task.stop()),
      ]);
      clearTimeout(cut);
      await metricsServer?.close();
      await opened.close();
    },
  };
}

/** Whether syncs run in a thread beside the one that answers. */
function hasSyncThread(
  { clewRole: roles }: Config,
  { writeLogLine }: Pick<ServerRuntime, "writeLogLine">,
): boolean {
  return writeLogLine !== undefined && roles.includes("serve") && roles.includes("sync");
}

/** The syncs as this process has them: in a thread of their own if it also answers requests. */
function openSyncs(
  config: Config,
  services: Opened & { readonly texts: TextIndex; readonly graphs: Graphs | null },
): RunnableSyncs {
  const { database, demo, metrics, log, writeLogLine, clewRole: roles } = { ...config, ...services };
  const onEnded = metrics?.observeSync;
  if (!roles.includes("sync")) return new RemoteSyncs(services);
  if (services.graphs === null) {
    const texts = roles.includes("index") ? services.texts : undefined;
    const graphs = {
      publish: async (id: number) => void (await publishStored({ database, texts }, id)),
      forget() {},
    };
    return new SyncRole({ ...services, config, graphs, onEnded });
  }
  if (writeLogLine === undefined)
    return new SyncRole({ ...services, config, graphs: services.graphs, onEnded });
  return new SyncThread({
    ...services,
    data: syncThreadData(config, { demo, measures: metrics !== null }),
    graphs: services.graphs,
    answerDemo: demo?.answer ?? null,
    log,
    writeLogLine,
    onEnded,
    onProviderCall: metrics?.observeProviderCall,
    onPoolWait: metrics?.observePoolWait,
  });
}

function listeningPort(app: App): number {
  const address = app.server.address();
  if (address === null || typeof address === "string")
    throw new Error("The server does not listen on a port.");
  return address.port;
}
