import type { Build } from "@clew/contract";
import { Gauge, type Registry } from "prom-client";
import { type AllowList, allowsWorkspace } from "../model/allow-list.ts";
import type { Memory } from "../model/machine.ts";
import type { CacheSource, Clock } from "../model/runtime.ts";
import type { Database } from "../store/port.ts";
import { staleConnections } from "../store/queries/connections.ts";
import { readState, type StoredState } from "../store/queries/state.ts";

/** The sources of the gauges that are read each time that the metrics are rendered. */
export interface StateSources {
  readonly build: Build;
  readonly database: ObservedDatabase;
  /** The buckets after the first, whose database is the one above; left out if there is one alone. */
  readonly otherBuckets?: () => readonly ObservedBucket[];
  readonly caches: readonly CacheSource[];
  readonly clock: Clock;
  /** Who may use Clew: other people's workspaces are not synced. */
  readonly allowed: AllowList;
  /** Milliseconds between the syncs of a connection; 0 for no schedule. */
  readonly intervalMs: number;
  readonly memory: () => Memory;
  /** The pages whose changes the text index does not have yet. */
  readonly textIndexLag: () => number;
}

type ObservedDatabase = Pick<Database, "snapshot" | "upkeep" | "poolCounts">;

/** A bucket; its database is null while it could not be opened. */
interface ObservedBucket {
  readonly number: number;
  readonly database: ObservedDatabase | null;
}

/** The number of intervals without a sync after which a connection is overdue. */
const overdueIntervals = 4;

/**
 * Returns a function that sets all gauges to the current state. While the database is down, those that are read from it have no
 * values.
 */
export function stateGauges(registry: Registry, sources: StateSources): () => Promise<void> {
  const refreshProcess = processGauges(registry, sources);
  const refreshStored = storedGauges(registry, sources);
  return async () => {
    refreshProcess();
    await refreshStored();
  };
}

function gaugesIn(registry: Registry) {
  return <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
}

/** Gauges of what this process holds, and of the limits that it meets. */
function processGauges(
  registry: Registry,
  { caches, database, otherBuckets = () => [], memory, textIndexLag }: StateSources,
): () => void {
  const gauge = gaugesIn(registry);
  const cacheBytes = gauge("clew_cache_bytes", "Memory of caches that are bounded in bytes", ["cache"]);
  const cacheEntries = gauge("clew_cache_entries", "Entries of caches that are bounded in entries", [
    "cache",
  ]);
  const memoryLimit = gauge(
    "clew_memory_limit_bytes",
    "Memory that the process may take: the limit of its container, or what the machine has",
  );
  const heapLimit = gauge("clew_heap_limit_bytes", "Size that the heap of the main thread may reach");
  const { upkeep, poolCounts } = database;
  const diskFree = gauge("clew_disk_free_bytes", "Free bytes on the disk of the database");
  const diskNeeded = gauge(
    "clew_disk_needed_bytes",
    "Free bytes on that disk below which syncs store nothing",
  );
  // A new gauge is 0. A database server has a disk elsewhere.
  for (const each of [diskFree, diskNeeded]) each.remove();
  const pool = gauge("clew_db_pool", "Connections to PostgreSQL, and callers waiting for one", ["state"]);
  const lag = gauge(
    "clew_text_index_lag_pages",
    "Pages whose latest change the text index does not have yet",
  );
  return () => {
    lag.set(textIndexLag());
    for (const each of [cacheBytes, cacheEntries, pool]) each.reset();
    // Each bucket has its own caches of the same names.
    for (const { name: cache, bytes, entries } of caches) {
      if (bytes !== undefined) cacheBytes.inc({ cache }, bytes());
      if (entries !== undefined) cacheEntries.inc({ cache }, entries());
    }
    const { limit, heapLimit: heap } = memory();
    memoryLimit.set(limit);
    heapLimit.set(heap);
    if (upkeep !== undefined) {
      const { freeBytes, neededBytes } = upkeep.room();
      diskFree.set(freeBytes);
      diskNeeded.set(neededBytes);
    }
    for (const counts of [poolCounts, ...otherBuckets().map((bucket) => bucket.database?.poolCounts)])
      for (const [state, count] of Object.entries(counts?.() ?? {})) pool.inc({ state }, count);
  };
}

/** Gauges of what the database has, of all instances together. */
function storedGauges(registry: Registry, sources: StateSources): () => Promise<void> {
  const { build, database, otherBuckets, clock, allowed, intervalMs } = sources;
  const gauge = gaugesIn(registry);
  const info = gauge("clew_build_info", "Always 1; the labels say which Clew it is", [
    "version",
    "commit",
    "schema",
  ]);
  const up = gauge("clew_database_up", "Whether the database responds");
  const bucketsUp = gauge("clew_bucket_up", "Whether the database of a bucket after the first responds", [
    "bucket",
  ]);
  const connections = gauge("clew_connections", "Connections to workspaces, by status", ["status"]);
  const syncs = gauge("clew_sync_jobs", "Waiting and running syncs on all instances", ["state"]);
  const age = gauge(
    "clew_oldest_sync_age_seconds",
    "Time since the oldest last sync of an active connection",
  );
  const unsynced = gauge(
    "clew_connections_never_synced",
    "Active connections without a sync that stored its end",
  );
  const unsyncedAge = gauge(
    "clew_oldest_never_synced_age_seconds",
    "Time since the oldest of them was connected",
  );
  const overdue = gauge(
    "clew_connections_overdue",
    `Active connections whose last sync ended more than ${overdueIntervals} times SYNC_INTERVAL ago`,
  );
  const tokens = gauge("clew_service_tokens_usable", "Service tokens that are neither revoked nor expired");
  const sessions = gauge("clew_sessions_live", "Sessions that have neither ended nor expired");
  const backup = gauge(
    "clew_backup_last_success_timestamp_seconds",
    "Unix time of the last backup that was complete and checked, if Clew knows of one",
  );

  /** Sets what all buckets have together. */
  const setStored = (all: readonly Stored[], now: number) => {
    const states = all.map(({ state }) => state);
    const [backedUpAt = null] = states.map((state) => state.backedUpAt);
    if (backedUpAt !== null) backup.set(backedUpAt / 1000);
    const sum = (count: (state: StoredState) => number) =>
      states.reduce((total, each) => total + count(each), 0);
    for (const { status, count } of states.flatMap((state) => state.connections))
      connections.inc({ status }, count);
    syncs.set(
      { state: "awaited" },
      sum((state) => state.awaitedSyncs),
    );
    syncs.set(
      { state: "under_way" },
      sum((state) => state.syncsUnderWay),
    );
    const oldest = states.flatMap(({ oldestSync }) => oldestSync ?? []);
    if (oldest.length > 0) age.set((now - Math.min(...oldest)) / 1000);
    const stale = all.flatMap((each) => each.stale).filter((each) => allowsWorkspace(allowed, each));
    const never = stale.filter(({ lastSyncedAt }) => lastSyncedAt === null);
    unsynced.set(never.length);
    const since = never.reduce((first, { connectedAt }) => Math.min(first, connectedAt), now);
    unsyncedAge.set((now - since) / 1000);
    overdue.set(stale.length - never.length);
    tokens.set(sum((state) => state.usableTokens));
    sessions.set(sum((state) => state.liveSessions));
  };

  return async () => {
    const now = clock();
    const endedBefore = intervalMs === 0 ? null : now - overdueIntervals * intervalMs;
    const others = otherBuckets?.() ?? [];
    const [read = null, ...ofOthers] = await Promise.all(
      [database, ...others.map((bucket) => bucket.database)].map((each) =>
        readStored(each, { now, endedBefore }),
      ),
    );
    for (const each of [info, connections, syncs]) each.reset();
    // Without labels, `reset` would set them to 0.
    for (const each of [age, unsynced, unsyncedAge, overdue, tokens, sessions, backup]) each.remove();
    const schema = read?.state.schema ?? "";
    info.set({ version: build.version, commit: build.commit ?? "", schema }, 1);
    up.set(read === null ? 0 : 1);
    for (const [index, { number }] of others.entries())
      bucketsUp.set({ bucket: String(number) }, ofOthers[index] == null ? 0 : 1);
    if (read === null) return;
    setStored(
      [read, ...ofOthers].filter((each) => each !== null),
      now,
    );
  };
}

type Stored = NonNullable<Awaited<ReturnType<typeof readStored>>>;

/** Reads what a database has; null if it is not open or does not respond. */
async function readStored(
  database: ObservedDatabase | null,
  { now, endedBefore }: { now: number; endedBefore: number | null },
) {
  if (database === null) return null;
  try {
    return await database.snapshot(async (db) => ({
      state: await readState(db, now),
      stale: await staleConnections(db, { endedBefore }),
    }));
  } catch {
    return null;
  }
}
