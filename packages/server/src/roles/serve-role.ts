import { availableParallelism } from "node:os";
import { type AppServices, buildApp } from "../app.ts";
import { type DocumentNetwork, ownNetwork } from "../auth/apps/document-network.ts";
import { endUnusedTokens } from "../auth/apps/revocation.ts";
import { deleteOldEvents } from "../auth/audit-retention.ts";
import { Sessions } from "../auth/sessions.ts";
import { createRefusedUse, createTokenUse } from "../auth/token-use.ts";
import type { Config } from "../config/config.ts";
import { GraphFiles } from "../graphs/graph-files.ts";
import { Graphs, graphBudget } from "../graphs/graphs.ts";
import { createLimits } from "../http/limits/rate-limits.ts";
import type { App } from "../http/server.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Log } from "../model/log.ts";
import type { Clock, ObserveCache } from "../model/runtime.ts";
import { LinkMaps } from "../operations/link-maps.ts";
import { QueryThreads } from "../queries/query-threads.ts";
import type { Database } from "../store/port.ts";
import { liveIds } from "../store/queries/connections.ts";
import { requireFingerprint } from "../store/queries/installation.ts";
import type { TextIndex } from "../texts/text-index.ts";
import { dayMs, type Task } from "./background.ts";

/** Bytes of graphs in files, for each byte of graphs in memory. */
const graphFilesPerMemory = 4;

/** Threads that answer queries, at most one for each core. */
const maxQueryThreads = 2;

interface ReadingServices {
  readonly database: Database;
  readonly texts: TextIndex;
  readonly clock: Clock;
  /** The clock of this machine and of its files. */
  readonly machineClock: Clock;
  readonly dataDir: string;
  readonly log: Log;
  readonly metrics: Metrics | null;
  readonly observeCache: ObserveCache;
}

/** The graphs in memory, and the threads that answer queries on them. */
export interface Reading {
  readonly graphs: Graphs;
  readonly files: GraphFiles;
  readonly queryThreads: QueryThreads;
  readonly linkMaps: LinkMaps;
  close(): Promise<void>;
}

/** Opens what the role `serve` answers from. */
export async function openReading({
  database,
  texts,
  clock,
  log,
  metrics,
  observeCache,
  machineClock,
  dataDir,
}: ReadingServices): Promise<Reading> {
  const queryThreads = new QueryThreads({
    location: database.location,
    maxThreads: Math.min(maxQueryThreads, availableParallelism()),
    onError: errorLog(log, "a thread for queries has ended; another one takes its place"),
    ...(metrics === null ? {} : { onJob: metrics.observeJob }),
  });
  metrics?.observeJobCounts(() => queryThreads.counts());
  const linkMaps = new LinkMaps({
    database,
    onError: errorLog(log, "failed to make a map"),
    ...(metrics === null ? {} : { onJob: metrics.observeJob }),
  });
  const budget = graphBudget();
  const files = new GraphFiles({
    dataDir,
    fingerprint: await requireFingerprint(database.read),
    maxBytes: graphFilesPerMemory * budget,
    clock: machineClock,
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
    onError: errorLog(log, "failed to rebuild a graph"),
  });
  texts.onGrown((connectionId) => graphs.refreshTexts(connectionId));
  observeCache({ name: "graphs", bytes: () => graphs.heldBytes().graphs });
  observeCache({ name: "text_snapshots", bytes: () => graphs.heldBytes().texts });
  return {
    graphs,
    files,
    queryThreads,
    linkMaps,
    async close() {
      await Promise.all([graphs.close(), queryThreads.close(), linkMaps.close()]);
    },
  };
}

type ServeServices = Omit<
  AppServices,
  "sessions" | "limits" | "tokenUse" | "refusedUse" | "documentNetwork"
> & { readonly documentNetwork?: DocumentNetwork };

/** Builds the server of the role `serve` for one database, ready to listen. */
export async function buildServer(services: ServeServices): Promise<App> {
  const { config, database, clock, monotonic, log, observeCache } = services;
  const { allowed } = config;
  return buildApp({
    ...services,
    documentNetwork: services.documentNetwork ?? ownNetwork,
    sessions: await Sessions.create({ ...services, issuer: config.publicUrl.href, allowed }),
    limits: createLimits(
      {
        token: config.rateLimitToken,
        session: config.rateLimitSession,
        signIn: config.rateLimitSignIn,
        failedAuth: config.rateLimitFailedAuth,
        open: config.rateLimitOpen,
      },
      monotonic,
      observeCache,
    ),
    tokenUse: createTokenUse({
      database,
      clock,
      onError: errorLog(log, "failed to write the use of tokens"),
    }),
    refusedUse: createRefusedUse({
      database,
      onError: errorLog(log, "failed to write refused uses of tokens to the audit trail"),
    }),
  });
}

/** The tasks of the role `serve`, besides answering. */
export function serveTasks({
  database,
  clock,
  log,
  files,
  config: { auditDays },
}: Pick<ReadingServices, "database" | "clock" | "log"> &
  Pick<Reading, "files"> & { readonly config: Pick<Config, "auditDays"> }): readonly Task[] {
  return [
    {
      everyMs: 5_000,
      failure: "failed to tend the files of graphs",
      work: () => files.tend((ids) => liveIds(database.read, ids)),
    },
    {
      everyMs: 3_600_000,
      failure: "failed to delete old events of audit trails",
      work: async (signal) => {
        await deleteOldEvents(database, clock() - auditDays * dayMs, signal);
      },
    },
    {
      everyMs: 3_600_000,
      failure: "failed to end unused tokens of connected apps",
      work: async () => {
        const ended = await endUnusedTokens({ database, clock });
        if (ended > 0)
          log.info({ tokens: ended }, "ended tokens of connected apps that were not used for 30 days");
      },
    },
  ];
}

const errorLog = (log: Pick<Log, "error">, message: string) => (err: unknown) => log.error({ err }, message);
