import { randomBytes } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type StandIn, sampleDirectory, startStandIn } from "@clew/stand-in";
import { pino } from "pino";
import { readConfig } from "../../packages/server/src/config/read-config.ts";
import type { App } from "../../packages/server/src/http/server.ts";
import { createNotionProvider } from "../../packages/server/src/provider/notion/provider.ts";
import { type Running, start } from "../../packages/server/src/start.ts";
import { freePort } from "./clew-process.ts";

interface Options {
  /** Settings as the environment holds them; without rate limits and scheduled syncs unless they say otherwise. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of Markdown that the stand-in serves; the sample that comes with Clew where none is named. */
  readonly directory?: string;
  /** Milliseconds since the Unix epoch, for Clew and the stand-in alike. */
  readonly clock?: () => number;
  /** Is handed Clew's server before anything is registered on it. */
  readonly onServer?: (server: App) => void;
}

/** A Clew that runs in this process, over a stand-in of its own. */
export interface RunningClew {
  /** PUBLIC_URL, with a trailing slash. */
  readonly url: URL;
  readonly standIn: StandIn;
  readonly databasePath: string;
  /** Ends everything and removes its data. Again is fine. */
  stop(): Promise<void>;
}

const quiet = {
  SYNC_INTERVAL: "0",
  RATE_LIMIT_TOKEN: "0",
  RATE_LIMIT_SESSION: "0",
  RATE_LIMIT_SIGN_IN: "0",
  RATE_LIMIT_FAILED_AUTH: "0",
  LOG_LEVEL: "silent",
};

const client = { clientId: "clew", clientSecret: "stand-in" };

/** Starts the whole service as `main.ts` puts it together, on a free port and a new data folder. */
export async function startRunning(options: Options = {}): Promise<RunningClew> {
  const { env = {}, directory = sampleDirectory, clock = Date.now, onServer } = options;
  const dataDir = await mkdtemp(join(tmpdir(), "clew-running-"));
  const config = readConfig({ PORT: String(await freePort()), DATA_DIR: dataDir, ...quiet, ...env });
  const standIn = await startStandIn({
    ...client,
    directory,
    host: "127.0.0.1",
    port: 0,
    stateFile: null,
    clock,
    random: randomBytes,
    rateLimit: 0,
  });
  const provider = createNotionProvider({
    slug: "stand-in",
    aliases: ["notion"],
    name: "the built-in workspace",
    standIn: true,
    apiUrl: new URL(standIn.url),
    ...client,
    fetch,
    clock,
    random: randomBytes,
    requestsPerMinute: 1_000_000,
  });
  const log = pino({ level: config.logLevel });
  const running = await announcing(onServer, () =>
    start(config, { provider, clock, random: randomBytes, log }),
  );
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await running.stop();
    await standIn.close();
    await rm(dataDir, { recursive: true });
  };
  return {
    url: new URL(`${config.publicUrl.href.replace(/\/$/, "")}/`),
    standIn,
    databasePath: config.databasePath,
    stop: () => (stopping ??= stop()),
  };
}

/** Hands every server that Fastify makes meanwhile to the listener. */
async function announcing(onServer: Options["onServer"], work: () => Promise<Running>): Promise<Running> {
  const listener = (message: unknown) => onServer?.((message as { fastify: App }).fastify);
  subscribe("fastify.initialization", listener);
  try {
    return await work();
  } finally {
    unsubscribe("fastify.initialization", listener);
  }
}
