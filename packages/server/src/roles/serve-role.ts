import { availableParallelism } from "node:os";
import { ActivityLog } from "../activity/activity-log.ts";
import { tendActivity } from "../activity/tend-activity.ts";
import { type AppServices, buildApp } from "../app.ts";
import { type DocumentNetwork, ownNetwork } from "../auth/apps/document-network.ts";
import { endUnusedTokens } from "../auth/apps/revocation.ts";
import { deleteOldEvents } from "../auth/audit-retention.ts";
import { createRefusedUse, createTokenUse } from "../auth/token-use.ts";
import type { Config } from "../config/config.ts";
import { GivenCursors } from "../graphs/given-cursors.ts";
import type { GraphFiles } from "../graphs/graph-files.ts";
import { Graphs } from "../graphs/graphs.ts";
import { createLimits, type Limits } from "../http/limits/rate-limits.ts";
import type { App } from "../http/server.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Log } from "../model/log.ts";
import type { Clock, ObserveCache } from "../model/runtime.ts";
import { LinkMaps } from "../operations/link-maps.ts";
import { QueryThreads } from "../queries/query-threads.ts";
import type { Database } from "../store/port.ts";
import { EditTimes } from "../sync/looks/edit-times.ts";
import type { TextIndex } from "../texts/text-index.ts";
import { dayMs, type Task } from "./background.ts";

/** Threads that answer queries, at most one for each core. */
const maxQueryThreads = 2;

interface ReadingServices {
  readonly database: Database;
  readonly texts: TextIndex;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics | null;
  readonly observeCache: ObserveCache;
  /** The number of databases that share the memory and the cores of this process. */
  readonly databases: number;
  readonly files: GraphFiles | null;
  /** Bytes that graphs in memory may take, of all databases. */
  readonly budget: number;
  /** In place of the deadline and the module of threads for queries, for tests. */
  readonly queries?: QueryOptions;
}

export type QueryOptions = Partial<
  Pick<ConstructorParameters<typeof QueryThreads>[0], "deadlineMs" | "module">
>;

/** The graphs in memory, and the threads that answer queries on them. */
export interface Reading {
  readonly graphs: Graphs;
  readonly queryThreads: QueryThreads;
  readonly editTimes: EditTimes;
  readonly linkMaps: LinkMaps;
  /** Those of the lists that this process answers. */
  readonly givenCursors: GivenCursors;
  close(): Promise<void>;
}

/** Opens what the role `serve` answers from. */
export function openReading({
  database,
  texts,
  clock,
  log,
  metrics,
  observeCache,
  databases,
  files,
  budget,
  queries,
}: ReadingServices): Reading {
  const queryThreads = new QueryThreads({
    location: database.location,
    maxThreads: Math.ceil(Math.min(maxQueryThreads, availableParallelism()) / databases),
    onError: errorLog(log, "a thread for queries has ended; another one takes its place"),
    ...(metrics === null ? {} : { onJob: metrics.observeJob }),
    ...queries,
  });
  metrics?.observeJobCounts(() => queryThreads.counts());
  const linkMaps = new LinkMaps({
    database,
    onError: errorLog(log, "failed to make a map"),
    ...(metrics === null ? {} : { onJob: metrics.observeJob }),
  });
  const graphs = new Graphs({
    database,
    clock,
    texts,
    budget: budget / databases,
    ...(files && { files }),
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
    queryThreads,
    editTimes: new EditTimes({ database }),
    linkMaps,
    givenCursors: new GivenCursors(clock),
    async close() {
      await Promise.all([graphs.close(), queryThreads.close(), linkMaps.close()]);
    },
  };
}

type ServeServices = Omit<AppServices, "tokenUse" | "refusedUse" | "activity" | "documentNetwork"> & {
  readonly documentNetwork?: DocumentNetwork | undefined;
};

/** The limits of requests: one object for all buckets of a process. */
export function openLimits(config: Config, monotonic: () => number, observeCache: ObserveCache): Limits {
  return createLimits(
    {
      token: config.rateLimitToken,
      session: config.rateLimitSession,
      signIn: config.rateLimitSignIn,
      failedAuth: config.rateLimitFailedAuth,
      open: config.rateLimitOpen,
    },
    monotonic,
    observeCache,
  );
}

/** Builds the server of the role `serve` for one database, ready to listen. */
export async function buildServer(services: ServeServices): Promise<App> {
  const { database, clock, monotonic, log, config, buckets } = services;
  const others =
    buckets &&
    (() =>
      buckets
        .open()
        .map((bucket) => bucket.database)
        .filter((other) => other !== database));
  return buildApp({
    ...services,
    documentNetwork: services.documentNetwork ?? ownNetwork,
    tokenUse: createTokenUse({
      database,
      others,
      clock,
      onError: errorLog(log, "failed to write the use of tokens"),
    }),
    refusedUse: createRefusedUse({
      database,
      others,
      onError: errorLog(log, "failed to write refused uses of tokens to the audit trail"),
    }),
    activity: new ActivityLog({
      database,
      clock,
      monotonic,
      days: config.activityDays,
      onError: errorLog(log, "failed to write what tokens read"),
    }),
  });
}

/** The tasks of the role `serve`, besides answering. */
export function serveTasks({
  database,
  clock,
  log,
  editTimes,
  config: { auditDays, activityDays },
}: Pick<ReadingServices, "database" | "clock" | "log"> &
  Pick<Reading, "editTimes"> & {
    readonly config: Pick<Config, "auditDays" | "activityDays">;
  }): readonly Task[] {
  return [
    {
      everyMs: 15_000,
      failure: "failed to read until when edits are known",
      work: () => editTimes.refresh(),
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
      failure: "failed to delete what tokens read long ago",
      work: (signal) => tendActivity(database, clock() - activityDays * dayMs, signal),
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
