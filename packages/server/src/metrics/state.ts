import { Gauge, type Registry } from "prom-client";
import type { Graphs } from "../graph-cache/graphs.ts";
import type { Clock } from "../model/runtime.ts";
import type { Database } from "../store/port.ts";
import { readState } from "../store/queries/state.ts";

export interface StateParts {
  readonly database: Database;
  readonly graphs: Pick<Graphs, "heldBytes">;
  readonly clock: Clock;
}

/**
 * Gauges of what is stored and held. Returns what sets all of them to how it is now; a database that is away has none but
 * that it is.
 */
export function observeState(
  registry: Registry,
  { database, graphs, clock }: StateParts,
): () => Promise<void> {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const up = gauge("clew_database_up", "Whether the database answers");
  const held = gauge("clew_graphs_held_bytes", "Memory that the graphs of this instance take up");
  const connections = gauge("clew_connections", "Connections to workspaces, by status", ["status"]);
  const syncs = gauge("clew_sync_jobs", "Syncs that are awaited or under way, on all instances", ["state"]);
  const age = gauge(
    "clew_oldest_sync_age_seconds",
    "Time since the sync of an active connection that was longest ago",
  );
  const tokens = gauge("clew_service_tokens_usable", "Service tokens that are neither revoked nor expired");
  const sessions = gauge("clew_sessions_live", "Sessions that live");

  return async () => {
    const now = clock();
    const state = await database.snapshot((db) => readState(db, now)).catch(() => null);
    for (const each of [connections, syncs, age, tokens, sessions]) each.reset();
    up.set(state === null ? 0 : 1);
    held.set(graphs.heldBytes());
    if (state === null) return;
    for (const { status, count } of state.connections) connections.set({ status }, count);
    syncs.set({ state: "awaited" }, state.awaitedSyncs);
    syncs.set({ state: "under_way" }, state.syncsUnderWay);
    if (state.oldestSync !== null) age.set((now - state.oldestSync) / 1000);
    tokens.set(state.usableTokens);
    sessions.set(state.liveSessions);
  };
}
