import type { Build } from "@clew/contract";
import type { Provider } from "@clew/provider";
import { Gauge, type Registry } from "prom-client";
import { type AllowList, allowsWorkspace } from "../model/allow-list.ts";
import type { Memory } from "../model/machine.ts";
import type { CacheSource, Clock } from "../model/runtime.ts";
import type { Database } from "../store/port.ts";
import { staleConnections } from "../store/queries/connections.ts";
import { readState } from "../store/queries/state.ts";

/** The sources of the gauges that are read each time that the metrics are rendered. */
export interface StateSources {
  readonly build: Build;
  readonly database: Pick<Database, "snapshot" | "upkeep" | "poolCounts">;
  readonly caches: readonly CacheSource[];
  readonly clock: Clock;
  readonly provider: Pick<Provider, "slug">;
  /** Who may use Clew: other people's workspaces are not synced. */
  readonly allowed: AllowList;
  /** Milliseconds between the syncs of a connection; 0 for no schedule. */
  readonly intervalMs: number;
  readonly memory: () => Memory;
  /** The pages whose changes the text index does not have yet. */
  readonly textIndexLag: () => number;
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
  { caches, database, memory, textIndexLag }: StateSources,
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
    for (const { name: cache, bytes, entries } of caches) {
      if (bytes !== undefined) cacheBytes.set({ cache }, bytes());
      if (entries !== undefined) cacheEntries.set({ cache }, entries());
    }
    const { limit, heapLimit: heap } = memory();
    memoryLimit.set(limit);
    heapLimit.set(heap);
    if (upkeep !== undefined) {
      const { freeBytes, neededBytes } = upkeep.room();
      diskFree.set(freeBytes);
      diskNeeded.set(neededBytes);
    }
    for (const [state, count] of Object.entries(poolCounts?.() ?? {})) pool.set({ state }, count);
  };
}

/** Gauges of what the database has, of all instances together. */
function storedGauges(registry: Registry, sources: StateSources): () => Promise<void> {
  const { build, database, clock, provider, allowed, intervalMs } = sources;
  const gauge = gaugesIn(registry);
  const info = gauge("clew_build_info", "Always 1; the labels say which Clew it is", [
    "version",
    "commit",
    "schema",
  ]);
  const up = gauge("clew_database_up", "Whether the database responds");
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

  return async () => {
    const now = clock();
    const endedBefore = intervalMs === 0 ? null : now - overdueIntervals * intervalMs;
    const read = await database
      .snapshot(async (db) => ({
        state: await readState(db, now),
        stale: await staleConnections(db, { provider: provider.slug, endedBefore }),
      }))
      .catch(() => null);
    for (const each of [info, connections, syncs]) each.reset();
    // Without labels, `reset` would set them to 0.
    for (const each of [age, unsynced, unsyncedAge, overdue, tokens, sessions, backup]) each.remove();
    const schema = read?.state.schema ?? "";
    info.set({ version: build.version, commit: build.commit ?? "", schema }, 1);
    up.set(read === null ? 0 : 1);
    if (read === null) return;
    const { state } = read;
    for (const { status, count } of state.connections) connections.set({ status }, count);
    syncs.set({ state: "awaited" }, state.awaitedSyncs);
    syncs.set({ state: "under_way" }, state.syncsUnderWay);
    if (state.oldestSync !== null) age.set((now - state.oldestSync) / 1000);
    const stale = read.stale.filter((each) => allowsWorkspace(allowed, each));
    const never = stale.filter(({ lastSyncedAt }) => lastSyncedAt === null);
    unsynced.set(never.length);
    const since = never.reduce((oldest, { connectedAt }) => Math.min(oldest, connectedAt), now);
    unsyncedAge.set((now - since) / 1000);
    overdue.set(stale.length - never.length);
    tokens.set(state.usableTokens);
    sessions.set(state.liveSessions);
    if (state.backedUpAt !== null) backup.set(state.backedUpAt / 1000);
  };
}
