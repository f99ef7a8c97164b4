import type { SyncPhase } from "@clew/contract";
import type { Graphs } from "../graphs/graphs.ts";
import type { SyncProgress } from "../model/connection.ts";
import type { Clock } from "../model/runtime.ts";
import type { Database } from "../store/port.ts";
import { setSyncProgress } from "../store/queries/connections.ts";

/** Milliseconds between two writes while only the number of what is done changes. */
const writeIntervalMs = 1000;

export type Progress = ReturnType<typeof createProgress>;

/** Writes down how far a run has come. Times are milliseconds since the Unix epoch. */
export function createProgress(database: Database, connectionId: number, clock: Clock) {
  let current: Pick<SyncProgress, "phase" | "done" | "total"> = { phase: null, done: 0, total: null };
  let waitsUntil = 0;
  let written: { readonly until: number | null; readonly total: number | null; readonly at: number } | null =
    null;
  let writing = Promise.resolve();

  const write = () => {
    const until = clock() < waitsUntil ? waitsUntil : null;
    const { total } = current;
    if (written?.until === until && written.total === total && clock() - written.at < writeIntervalMs) return;
    written = { until, total, at: clock() };
    const state = until === null ? "running" : "waiting";
    const progress = { ...current, state, waitingUntil: until } as const;
    writing = writing.then(() => database.transaction((trx) => setSyncProgress(trx, connectionId, progress)));
    // `flush` throws it.
    writing.catch(() => {});
  };

  return {
    begin(phase: SyncPhase): void {
      current = { phase, done: 0, total: null };
      written = null;
      write();
    },
    /** Reports that `done` of a phase is done; ignored in another phase. `total` is null until it is known. */
    reach(phase: SyncPhase, done: number, total: number | null): void {
      if (phase !== current.phase) return;
      current = { ...current, done, total };
      write();
    },
    /** The provider makes the run wait (SYNC-4). */
    wait(until: number): void {
      waitsUntil = Math.max(waitsUntil, until);
      write();
    },
    /** Resolves when everything is written; throws if that failed. */
    async flush(): Promise<void> {
      written = null;
      write();
      await writing;
    },
  };
}

/** Milliseconds between two publications during a run. */
const publishIntervalMs = 30_000;

export type Publisher = ReturnType<typeof createPublisher>;

/** Publishes what a run has written so far. */
export function createPublisher(graphs: Pick<Graphs, "publish">, connectionId: number, clock: Clock) {
  let publishedAt = clock();
  const publish = async () => {
    publishedAt = clock();
    await graphs.publish(connectionId);
  };
  return {
    publish,
    /** Publishes unless that was done a short while ago (SYNC-2). */
    async publishIfDue(): Promise<void> {
      if (clock() - publishedAt >= publishIntervalMs) await publish();
    },
  };
}
