import type { Build } from "@clew/contract";
import { roles as allRoles, connectedProvider } from "@clew/contract/settings";
import { designTokens } from "@clew/dashboard";
import type { FastifyBaseLogger } from "fastify";
import { pino } from "pino";
import { type AppServices, buildHealthApp } from "./app.ts";
import type { DocumentNetwork } from "./auth/apps/document-network.ts";
import { Sessions } from "./auth/sessions.ts";
import { codeMinutes, issueSignInCode } from "./auth/sign-in/code.ts";
import { callbackUrl, startUrl } from "./auth/sign-in/redirect.ts";
import { Buckets, requireAllBuckets } from "./buckets/buckets.ts";
import { Front } from "./buckets/front.ts";
import { OtherBuckets } from "./buckets/other-buckets.ts";
import { buildText } from "./build.ts";
import { type Config, readConfig } from "./config/config.ts";
import { prepareDataDir } from "./config/data-dir.ts";
import { ConfigError, type Environment } from "./config/read-settings.ts";
import { adoptFolders } from "./connections/adopt-folders.ts";
import { identifyFolders } from "./connections/identify-folders.ts";
import { GraphFiles } from "./graphs/graph-files.ts";
import { graphBudget } from "./graphs/graphs.ts";
import { inProcessFetch } from "./http/in-process.ts";
import { listenOr } from "./http/listen.ts";
import type { App } from "./http/server.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { type ServedFolder, unreadableFolders } from "./model/folders.ts";
import { isLoopback } from "./model/loopback.ts";
import { readMemory } from "./model/machine.ts";
import type { CacheSource, Clock, ObserveCache, RandomBytes } from "./model/runtime.ts";
import {
  connectDemo,
  connectSources,
  formerDemo,
  type OpenDemo,
  openDemo,
} from "./providers/connect-provider.ts";
import { Sources } from "./providers/sources.ts";
import type { ProviderCall } from "./providers/timed-fetch.ts";
import { startTasks, type Task } from "./roles/background.ts";
import { type DatabaseRoles, mainConnections, openRoles } from "./roles/database-roles.ts";
import { buildServer, openLimits, type QueryOptions } from "./roles/serve-role.ts";
import { sourceSettings } from "./roles/sync-thread.ts";
import { openSecrets } from "./secrets/open-secrets.ts";
import type { Secrets } from "./secrets/secrets.ts";
import { warnOfMachine, watchProviderClock } from "./start-warnings.ts";
import { claimBucket, openDatabase } from "./store/database.ts";
import type { Database } from "./store/port.ts";
import { liveIds } from "./store/queries/connections.ts";
import { requireFingerprint } from "./store/queries/installation.ts";
import { logUpgrade } from "./store/upgrade.ts";
import { requestSyncsOfMovedPages } from "./sync/schedule.ts";
import { openTerminalLog } from "./terminal-log.ts";

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
  /** A folder of Markdown in place of the sample of the demo workspace, for tests. */
  readonly demoDirectory?: string;
}

interface ServerRuntime extends Runtime {
  /** In place of the clock of the database, for tests. */
  readonly databaseClock?: Clock;
  /** In place of this machine's network for documents of clients, for tests. */
  readonly documentNetwork?: DocumentNetwork;
  /** In place of Clew's own deadlines of queries and responses, for tests. */
  readonly queries?: QueryOptions;
  readonly responseTimeoutMs?: number;
  readonly log: FastifyBaseLogger;
  /** False for a server that its own process alone calls, by `fetch`; true if left out. */
  readonly listens?: boolean;
  /**
   * Writes a line of the log that another thread has made. Left out, syncs run on this thread, with this clock and network, as tests
   * need them.
   */
  readonly writeLogLine?: (line: string) => void;
}

interface Process extends Runtime {
  readonly env: Environment;
  /** Folders of Markdown to serve beside those of the settings (SRC-2). */
  readonly folders: readonly string[];
  /** Whether it runs as root. */
  readonly isRoot: boolean;
  readonly stdout: NodeJS.WriteStream;
  /** Shows the operator what must not be in a log. */
  readonly stderr: NodeJS.WritableStream;
  /** Tells what supervises the process that it serves. */
  readonly notifyReady: () => void;
  /** Calls `report` with an error that nothing handles, right before that ends the process. */
  readonly onCrash: (report: (error: unknown) => void) => void;
}

/**
 * Milliseconds that requests in flight have to end once Clew stops. After that, open connections are cut: a client may
 * never send the rest of its request, and browsers open connections in advance.
 */
const shutdownGraceMs = 5_000;

/** Bytes of graphs in files, for each byte of graphs in memory. */
const graphFilesPerMemory = 4;

/** Serves with the settings of the environment, and stops in order when `signalled` resolves (OPS-3). */
export async function serve(
  { env, folders, isRoot, stdout, stderr, notifyReady, onCrash, ...runtime }: Process,
  signalled: Promise<NodeJS.Signals>,
): Promise<void> {
  const config = readConfig(env, { folders });
  // Like the metrics, imported only where it is used: most processes need neither, and start sooner.
  const destination = stdout.isTTY ? await openTerminalLog() : stdout;
  const log = pino({ level: config.logLevel, base: null }, destination);
  onCrash((err) => log.fatal({ err }, "Clew ends, because nothing handled an error"));
  if (isRoot) log.warn("Clew runs as root, although it needs no such rights: give it a user of its own");
  log.info(`Clew ${buildText(runtime.build)}; data is kept in ${config.dataDir}`);
  const writeLogLine = (line: string) => void destination.write(line);
  const { port, sources, newSignInCode, stop } = await openServer(config, { ...runtime, log, writeLogLine });
  const { clewRole: roles } = config;
  const serves = roles.includes("serve");
  log.info(
    { port, sources: sources.all.map(({ name }) => name), ...(roles.length < allRoles.length && { roles }) },
    serves
      ? `server listening; the dashboard is at ${config.dashboardUrl.href}`
      : "running without the role serve; health checks are answered",
  );
  if (config.provider.isDemo && !isLoopback(config.host)) log.info(describeOpenDemo(config));
  if (config.folders.length > 0 && config.databaseLocation.kind === "postgres") log.info(sharedFolders);
  notifyReady();
  if (serves && sources.all.some(({ asksForCode }) => asksForCode))
    stderr.write(`Sign-in code, valid once within ${codeMinutes} minutes: ${await newSignInCode()}\n`);
  log.info({ signal: await signalled }, "server stopping");
  await stop();
}

/** Says what other machines can see of a Clew without a source, and what a source needs (OPS-10). */
function describeOpenDemo({ publicUrl }: Config): string {
  const { clientId, clientSecret, token } = connectedProvider.settings;
  return [
    "no source is set up, so everyone who can reach this port can read the sample that comes with Clew, as a demo, and nothing else",
    `browsers reach it at PUBLIC_URL alone, ${publicUrl.href}`,
    `for pages of ${connectedProvider.name}, set ${token}, or ${clientId} and ${clientSecret}, with PUBLIC_URL and ALLOWED_EMAILS; for a folder of Markdown, set FOLDERS`,
  ].join("; ");
}

/** The things that instances on one PostgreSQL database must have in common to serve folders. */
const sharedFolders =
  "folders are read by every instance that syncs: if there are several, give all of them the same FOLDERS, the same files at those paths, and one DATA_DIR that they share";

/** Opens everything and listens. Syncs that a restart interrupted continue. */
export async function openServer(config: Config, runtime: ServerRuntime) {
  await prepareDataDir(config);
  await requireSources(config);
  const metrics = config.metricsPort === null ? null : (await import("./metrics/metrics.ts")).createMetrics();
  const { databaseClock, random, log } = runtime;
  const caches: CacheSource[] = [];
  const observeCache = (cache: CacheSource) => void caches.push(cache);
  const maxConnections = mainConnections(config, config.databaseLocation, runtime);
  const database = await openDatabase({
    location: config.databaseLocation,
    ...(maxConnections !== null && { maxConnections }),
    ...(databaseClock && { clock: databaseClock }),
    random,
    observeCache,
    ...(metrics && { onPoolWait: metrics.observePoolWait }),
  });
  logUpgrade(log, database.location, database.upgrade);
  let demo: OpenDemo | null = null;
  const close = async () => {
    await database.close();
    await demo?.close();
  };
  try {
    await warnOfMachine(database, runtime);
    const secrets = await openSecrets(config, database, random);
    const { clock } = database;
    // An adopted connection says which workspace its folder is.
    if (config.folders.length > 0)
      await adoptFolders({ database, secrets, clock, log, ...formerDemo(config) });
    const folders = await identifyFolders(database, config.folders, random);
    const opened = await openSources(config, folders, runtime, metrics?.observeProviderCall);
    demo = opened.demo;
    return await startRoles(config, {
      ...runtime,
      ...opened,
      folders,
      clock,
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

/** Throws a `ConfigError` if there is a source that cannot be served. */
async function requireSources(config: Config): Promise<void> {
  const faults = await unreadableFolders(config.folders);
  if (config.provider.isDemo && config.databaseLocation.kind === "postgres" && !config.standIn)
    faults.push(
      `DATABASE_URL names a PostgreSQL server, which several instances can share, while what people allow in the demo workspace is kept in each DATA_DIR: connect ${connectedProvider.name} or a folder, or, if there is one instance, set STAND_IN=1`,
    );
  if (faults.length > 0) throw new ConfigError(faults);
}

/** The sources of this process, and the demo workspace if it is the only one. */
async function openSources(
  config: Config,
  folders: readonly ServedFolder[],
  { log, clock, random, fetch, demoDirectory: directory }: ServerRuntime,
  onCall: ((call: ProviderCall) => void) | undefined,
): Promise<{ readonly sources: Sources; readonly demo: OpenDemo | null }> {
  const { publicUrl, dataDir } = config;
  const connected = connectSources(sourceSettings(config, folders), {
    network: {
      clock,
      random,
      fetch: watchProviderClock(fetch, { log, clock }),
      apiUrl: config.provider.apiUrl,
    },
    onCall,
    log,
  });
  if (connected !== null) return { sources: connected, demo: null };
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
  return { sources: new Sources(connectDemo(demo.client, demo.answer, { clock, random, onCall })), demo };
}

/** The address at which browsers reach the demo workspace, without a trailing slash (SIGN-11). */
function demoUrl(publicUrl: URL): string {
  return `${publicUrl.href.replace(/\/$/, "")}/demo`;
}

/** The parts that are open before any role begins. */
interface Opened extends ServerRuntime {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly sources: Sources;
  readonly demo: OpenDemo | null;
  readonly folders: readonly ServedFolder[];
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
  const { database, demo, sources, log, metrics, monotonic, observeCache } = opened;
  const { allowed, databaseLocations } = config;
  const lifecycle = { stopping: false };
  const budget = graphBudget();
  const files = config.clewRole.includes("serve") ? await openGraphFiles(config, opened, budget) : null;
  const roles = openRoles({ ...opened, config, files, budget }, databaseLocations.length);
  const limits = openLimits(config, monotonic, observeCache);
  const several = await openSeveral(config, opened);
  const shared = { ...opened, ...several, config, lifecycle, limits, files, budget };
  const app = await buildHome(shared, roles);
  const siteUrl = `${demoUrl(config.publicUrl)}/`;
  const others =
    several && (await OtherBuckets.open({ ...shared, ...several, home: database, demoUrl: siteUrl }));
  // For "localhost" Fastify would open a second server, whose connections the guard does not see.
  const host = config.host === "localhost" ? "127.0.0.1" : config.host;
  const { port, metricsPort } = config;
  if (opened.listens !== false)
    await listenOr({ host, port, portSetting: "PORT" }, () => app.listen({ host, port }));
  metrics?.observeState({
    ...opened,
    ...(others && { otherBuckets: () => others.list() }),
    allowed,
    intervalMs: config.syncInterval,
    memory: readMemory,
    textIndexLag: () => roles.lagPages() + (others?.lagPages() ?? 0),
  });
  const onError = (err: unknown) => log.error({ err }, "failed to render metrics");
  const metricsServer =
    metrics === null || metricsPort === null
      ? null
      : await listenOr({ host, port: metricsPort, portSetting: "METRICS_PORT" }, () =>
          metrics.serve({ host, port: metricsPort, onError }),
        );
  if (demo !== null) await requestSyncsOfMovedPages(opened, { slug: sources.first.slug, baseUrl: siteUrl });
  roles.start();
  const all = () => [database, ...(others?.list() ?? []).map((bucket) => bucket.database)];
  const tendingFiles = files && startTasks(opened, [graphFilesTask(files, all)]);
  roles.reading?.queryThreads.warmUp();
  return {
    /** The port it listens on; of interest where port 0 was asked for. null if it does not listen. */
    port: opened.listens === false ? null : listeningPort(app),
    /** Calls it without a connection. */
    fetch: inProcessFetch(app),
    sources,
    /** Makes a one-time code for the sign-in page (SIGN-12). */
    newSignInCode: () => issueSignInCode(opened),
    /** Takes no new requests, lets those in flight end, writes checkpoints, and closes everything (OPS-3). */
    async stop(): Promise<void> {
      lifecycle.stopping = true;
      const cut = setTimeout(() => app.server.closeAllConnections(), shutdownGraceMs);
      await Promise.all([roles.stop(), app.close(), others?.close(), tendingFiles?.stop()]);
      clearTimeout(cut);
      await metricsServer?.close();
      await opened.close();
    },
  };
}

/** The graphs in files of DATA_DIR: those of all buckets, whose ids differ. */
async function openGraphFiles(
  { dataDir }: Config,
  { database, machineClock, log }: Opened,
  budget: number,
): Promise<GraphFiles> {
  return new GraphFiles({
    dataDir,
    fingerprint: await requireFingerprint(database.read),
    maxBytes: graphFilesPerMemory * budget,
    clock: machineClock,
    log,
  });
}

/** Deletes files of graphs that no database has any more. A database that is away, which is null before it was opened, may have any. */
function graphFilesTask(files: GraphFiles, databases: () => readonly (Database | null)[]): Task {
  const liveAmong = (database: Database | null, ids: readonly number[]) =>
    database === null ? new Set(ids) : liveIds(database.read, ids).catch(() => new Set(ids));
  return {
    everyMs: 5_000,
    failure: "failed to tend the files of graphs",
    work: () =>
      files.tend(async (ids) => {
        const live = await Promise.all(databases().map((database) => liveAmong(database, ids)));
        return new Set(live.flatMap((each) => [...each]));
      }),
  };
}

/** The parts that choose among several buckets; null if there is one alone. Throws `DatabaseError` if the addresses are not the right ones. */
async function openSeveral(config: Config, { database, monotonic, observeCache }: Opened) {
  const count = config.databaseLocations.length;
  await requireAllBuckets(database, count);
  if (count === 1) return null;
  const fingerprint = await requireFingerprint(database.read);
  await claimBucket(database, { bucket: 1, homeFingerprint: fingerprint });
  const buckets = new Buckets({ count, fingerprint, monotonic, observeCache });
  return { fingerprint, buckets, front: new Front(buckets) };
}

/** Builds the server of the home bucket, or of the only database. */
async function buildHome(
  services: Opened &
    Partial<NonNullable<Awaited<ReturnType<typeof openSeveral>>>> &
    Pick<AppServices, "config" | "lifecycle" | "limits">,
  { reading, syncs: sync }: DatabaseRoles,
): Promise<App> {
  const { config, buckets, database, demo } = services;
  if (reading === null) return buildHealthApp(services);
  const { allowed, publicUrl } = config;
  const owns = buckets?.ownerOf(1);
  const sessions = await Sessions.create({ ...services, owns, issuer: publicUrl.href, allowed });
  if (owns !== undefined) buckets?.add({ number: 1, database, sessions, sync, owns });
  return buildServer({
    ...services,
    ...reading,
    sessions,
    sync,
    demo: demo?.site ?? null,
    ...(owns && { owns }),
  });
}

function listeningPort(app: App): number {
  const address = app.server.address();
  if (address === null || typeof address === "string")
    throw new Error("The server does not listen on a port.");
  return address.port;
}
