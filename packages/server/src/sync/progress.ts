import type { SyncPhase } from "@clew/contract";
import type { Graphs } from "../graph-cache/graphs.ts";
import type { SyncProgress } from "../model/connection.ts";
import type { Clock } from "../model/runtime.ts";
import type { Database } from "../store/port.ts";
import { setSyncProgress } from "../store/queries/connections.ts";

/** Writes down how far a run has come. Times are milliseconds since the Unix epoch. */
export interface Progress {
  /** A phase begins; `total` is null until it is known. */
  begin(phase: SyncPhase, total: number | null): void;
  /** So much of a phase is done; ignored in another phase. Written about once a second. */
  reach(phase: SyncPhase, done: number, total: number | null): void;
  /** The provider makes the run wait (SYNC-4). */
  wait(until: number): void;
  /** Resolves when everything is written; throws if that failed. */
  flush(): Promise<void>;
}

/** Milliseconds between two writes while only the number of what is done changes. */
const writeIntervalMs = 1000;

export function createProgress(database: Database, connectionId: number, clock: Clock): Progress {
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
    begin(phase, total) {
      current = { phase, done: 0, total };
      written = null;
      write();
    },
    reach(phase, done, total) {
      if (phase !== current.phase) return;
      current = { ...current, done, total };
      write();
    },
    wait(until) {
      waitsUntil = Math.max(waitsUntil, until);
      write();
    },
    async flush() {
      written = null;
      write();
      await writing;
    },
  };
}

/** Publishes what a run has written so far. */
export interface Publisher {
  publish(): Promise<void>;
  /** Publishes unless that was done a short while ago (SYNC-2). */
  publishIfDue(): Promise<void>;
}

/** Milliseconds between two publications while a run goes on. */
const publishIntervalMs = 30_000;

export function createPublisher(
  graphs: Pick<Graphs, "publish">,
  connectionId: number,
  clock: Clock,
): Publisher {
  let publishedAt = clock();
  const publish = async () => {
    publishedAt = clock();
    await graphs.publish(connectionId);
  };
  return {
    publish,
    async publishIfDue() {
      if (clock() - publishedAt >= publishIntervalMs) await publish();
    },
  };
}
