import type { Config } from "../config/config.ts";
import type { GraphFiles } from "../graphs/graph-files.ts";
import { publishStored } from "../graphs/publish-stored.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { DatabaseLocation } from "../model/database-location.ts";
import type { ServedFolder } from "../model/folders.ts";
import type { Log } from "../model/log.ts";
import type { Clock, ObserveCache, RandomBytes } from "../model/runtime.ts";
import type { OpenDemo } from "../providers/connect-provider.ts";
import type { Sources } from "../providers/sources.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Database } from "../store/port.ts";
import { TextIndex } from "../texts/text-index.ts";
import { databaseTasks, schemaLog, startTasks, watchSchema } from "./background.ts";
import { RemoteSyncs } from "./remote-syncs.ts";
import { openReading, type QueryOptions, type Reading, serveTasks } from "./serve-role.ts";
import { type RunnableSyncs, SyncRole } from "./sync-role.ts";
import { connectionShares, SyncThread, syncThreadData } from "./sync-thread.ts";

interface RoleServices {
  readonly config: Config;
  readonly database: Database;
  readonly secrets: Secrets;
  readonly sources: Sources;
  readonly demo: OpenDemo | null;
  readonly folders: readonly ServedFolder[];
  readonly metrics: Metrics | null;
  readonly observeCache: ObserveCache;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log & ConstructorParameters<typeof TextIndex>[0]["log"];
  /** Graphs in files, of all databases; null without the role `serve`. */
  readonly files: GraphFiles | null;
  /** Bytes that graphs in memory may take, of all databases. */
  readonly budget: number;
  readonly writeLogLine?: ((line: string) => void) | undefined;
  readonly queries?: QueryOptions;
}

/** The roles of this process for one database. */
export interface DatabaseRoles {
  /** The graphs and threads that the role `serve` answers from; null without it. */
  readonly reading: Reading | null;
  readonly syncs: RunnableSyncs;
  /** The number of pages whose latest change the text index does not have yet. */
  lagPages(): number;
  /** Begins to work in the background. */
  start(): void;
  /** Lets what runs end, and leaves the database open. */
  stop(): Promise<void>;
}

/** Opens the roles of this process for one database of several: `databases` share its memory. */
export function openRoles(services: RoleServices, databases: number): DatabaseRoles {
  const { config, database, log } = services;
  const texts = new TextIndex({ ...services, writes: config.clewRole.includes("index") });
  const reading = config.clewRole.includes("serve") ? openReading({ ...services, texts, databases }) : null;
  const syncs = openSyncs({ ...services, texts, reading });
  const tending = {
    everyMs: 5_000,
    // It starts the index thread, which takes a fifth of the time of a start and is not needed for the first answers.
    delayMs: 5_000,
    failure: "failed to tend the text index",
    work: () => texts.tend(reading?.graphs.heldIds() ?? []),
  };
  let background: readonly { stop(): Promise<void> }[] = [];
  return {
    reading,
    syncs,
    lagPages: () => texts.lagPages,
    start() {
      syncs.start();
      background = [
        watchSchema(database, schemaLog(log)),
        startTasks(services, [
          ...databaseTasks(database, config),
          ...(reading === null ? [] : serveTasks({ ...services, ...reading })),
          tending,
        ]),
      ];
    },
    async stop() {
      const tasks = background.map((task) => task.stop());
      await Promise.all([reading?.close(), texts.close(), syncs.stop(), ...tasks]);
    },
  };
}

/** The connections that the main thread may open to a database, if it shares them with a sync thread; null otherwise. */
export function mainConnections(
  { clewRole: roles }: Pick<Config, "clewRole">,
  location: DatabaseLocation,
  { writeLogLine }: Pick<RoleServices, "writeLogLine">,
): number | null {
  const hasSyncThread = writeLogLine !== undefined && roles.includes("serve") && roles.includes("sync");
  return hasSyncThread ? (connectionShares(location)?.answering ?? null) : null;
}

/** The syncs as this process has them: in a thread of their own if it also answers requests. */
function openSyncs(
  services: RoleServices & { readonly texts: TextIndex; readonly reading: Reading | null },
): RunnableSyncs {
  const { config, database, demo, folders, metrics, reading, log, writeLogLine } = services;
  const { clewRole: roles } = config;
  const [onEnded, onLooked] = [metrics?.observeSync, metrics?.observeLook];
  if (!roles.includes("sync")) return new RemoteSyncs(services);
  if (reading === null) {
    const texts = roles.includes("index") ? services.texts : undefined;
    const graphs = {
      publish: async (id: number) => void (await publishStored({ database, texts }, id)),
      forget() {},
    };
    // Lists are answered elsewhere.
    const lists = { readingLeft: () => 0 };
    return new SyncRole({ ...services, config, graphs, lists, onEnded, onLooked });
  }
  const { graphs, givenCursors: lists } = reading;
  if (writeLogLine === undefined)
    return new SyncRole({ ...services, config, graphs, lists, onEnded, onLooked });
  return new SyncThread({
    ...services,
    data: syncThreadData(
      { ...config, databaseLocation: database.location },
      { demo, folders, measures: metrics !== null },
    ),
    graphs,
    lists,
    answerDemo: demo?.answer ?? null,
    log,
    writeLogLine,
    onEnded,
    onLooked,
    onProviderCall: metrics?.observeProviderCall,
    onPoolWait: metrics?.observePoolWait,
  });
}
