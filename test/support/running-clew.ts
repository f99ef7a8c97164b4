import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { pino } from "pino";
import type { DocumentNetwork } from "../../packages/server/src/auth/apps/document-network.ts";
import { type Config, readConfig } from "../../packages/server/src/config/config.ts";
import type { App } from "../../packages/server/src/http/server.ts";
import { maxBodyBytes } from "../../packages/server/src/http/strict-requests.ts";
import type { DatabaseLocation } from "../../packages/server/src/model/database-location.ts";
import { generousMs, generousQueries } from "../../packages/server/src/model/testing/deadlines.ts";
import { openServer } from "../../packages/server/src/server.ts";
import { dataRoot, onPostgres } from "../../packages/server/src/store/testing/location.ts";
import { freePort, quiet, type Settings } from "./clew-process.ts";
import { databaseSettings } from "./database-settings.ts";

interface Options {
  /** Settings as environment variables. By default there are no rate limits and no scheduled syncs. */
  readonly env?: Settings;
  /** The folder of Markdown that the demo workspace serves; by default the sample that comes with Clew. */
  readonly directory?: string;
  /** Milliseconds since the Unix epoch, for both Clew and the stand-in. */
  readonly clock?: () => number;
  /** Receives the log; standard output by default. */
  readonly log?: Writable;
  /** The network for documents of clients; this machine's by default. */
  readonly documentNetwork?: DocumentNetwork;
  /** Receives Clew's server before anything is registered on it. */
  readonly onServer?: (server: App) => void;
}

/** A Clew in this process, with its own stand-in. */
export interface RunningClew {
  /** PUBLIC_URL, with a trailing slash. */
  readonly url: URL;
  readonly databaseLocation: DatabaseLocation;
  readonly dataDir: string;
  /** Stops, and starts again on the same port and data with these settings besides. */
  restart(env: Settings): Promise<void>;
  /** Stops everything and removes its data. */
  stop(): Promise<void>;
}

/** Starts the whole service as `main.ts` does, on a free port with a new data folder. */
export async function startRunning(options: Options = {}): Promise<RunningClew> {
  const { env = {}, directory, clock, documentNetwork, log: destination, onServer = () => {} } = options;
  const folder = await mkdtemp(join(dataRoot, "clew-running-"));
  const port = String(await freePort());
  const { settings: database, remove: removeDatabase } = await databaseSettings();
  // One instance alone: what people allow in its demo workspace is in its folder.
  const data = { DATA_DIR: join(folder, "data"), ...(onPostgres && { STAND_IN: "1" }), ...database };
  const settings = { PORT: port, ...data, ...quiet, LOG_LEVEL: "silent", ...env };
  const config = readConfig(settings);
  const log =
    destination === undefined
      ? pino({ level: config.logLevel })
      : pino({ level: config.logLevel }, destination);
  const clocks = { clock: clock ?? Date.now, ...(clock && { databaseClock: clock }) };
  const network = documentNetwork && { documentNetwork };
  const runtime = {
    ...clocks,
    ...network,
    ...(directory !== undefined && { demoDirectory: directory }),
    monotonic: () => performance.now(),
    queries: generousQueries,
    responseTimeoutMs: generousMs,
    random: randomBytes,
    build: { version: "0.1.0", commit: "5f0e1d2c3b4a59687786a5b4c3d2e1f00f1e2d3c" },
    fetch,
    log,
  };
  const remove = async () => {
    await removeDatabase();
    await rm(folder, { recursive: true });
  };
  const open = (wanted: Config) => starting.run(onServer, () => openServer(wanted, runtime));
  let running = await open(config).catch(async (error) => {
    await remove();
    throw error;
  });
  return {
    url: new URL(`${config.publicUrl.href.replace(/\/$/, "")}/`),
    databaseLocation: config.databaseLocation,
    dataDir: config.dataDir,
    async restart(changes) {
      await running.stop();
      running = await open(readConfig({ ...settings, ...changes }));
    },
    async stop() {
      await running.stop().finally(remove);
    },
  };
}

/** The listener of the Clew that is being started. The files of a process start theirs at the same time. */
const starting = new AsyncLocalStorage<(server: App) => void>();

subscribe("fastify.initialization", (message) => {
  const { fastify } = message as { readonly fastify: App };
  // The demo workspace has a server too, with Fastify's default body limit.
  if (fastify.initialConfig.bodyLimit === maxBodyBytes) starting.getStore()?.(fastify);
});
