import type { SyncPhase } from "@clew/contract";
import type { SyncProgress } from "../model/connection.ts";
import type { Clock } from "../model/runtime.ts";
import type { Database } from "../store/port.ts";
import { setSyncProgress } from "../store/queries/connections.ts";

/** Where a run stands, for whoever is watching. Times are milliseconds since the Unix epoch. */
export interface Progress {
  /** A phase begins; `total` is null where that is still to be found out. */
  begin(phase: SyncPhase, total: number | null): void;
  /** So much of the phase is done. Written down about once a second. */
  reach(done: number, total: number | null): void;
  /** The provider makes the run wait (SYNC-4). */
  wait(until: number): void;
  /** Resolves when everything is written down; throws where that failed. */
  settle(): Promise<void>;
}

/** Milliseconds between two writes while nothing but the number of what is done changes. */
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
    // `settle` tells.
    writing.catch(() => {});
  };

  return {
    begin(phase, total) {
      current = { phase, done: 0, total };
      written = null;
      write();
    },
    reach(done, total) {
      current = { ...current, done, total };
      write();
    },
    wait(until) {
      waitsUntil = Math.max(waitsUntil, until);
      write();
    },
    async settle() {
      written = null;
      write();
      await writing;
    },
  };
}
