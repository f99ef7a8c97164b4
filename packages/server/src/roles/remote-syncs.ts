import { type SyncRequest, type Syncs, storedSyncs } from "../connections/request-sync.ts";
import type { Log } from "../model/log.ts";
import type { Clock } from "../model/runtime.ts";
import type { Database } from "../store/port.ts";
import { areJobsLeft } from "../store/queries/jobs.ts";
import type { Background } from "../sync/jobs/repeat.ts";
import { startTasks } from "./background.ts";
import type { RunnableSyncs } from "./sync-role.ts";

/** Milliseconds that a job may be due before it counts as left. Also the time between two looks. */
const lateMs = 60_000;

interface RemoteServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** The syncs of a process without the role `sync`: others find the requests in the database. Warns if none does. */
export class RemoteSyncs implements RunnableSyncs {
  readonly #services: RemoteServices;
  readonly #stored: Syncs;
  #watching: Background | null = null;
  #areLeft = false;

  constructor(services: RemoteServices) {
    this.#services = services;
    this.#stored = storedSyncs(services);
  }

  start(): void {
    this.#watching ??= startTasks(this.#services, [
      {
        everyMs: lateMs,
        delayMs: lateMs,
        failure: "failed to look for syncs that nobody runs",
        work: () => this.warnIfLeft(),
      },
    ]);
  }

  request(connectionId: number, request?: SyncRequest): Promise<void> {
    return this.#stored.request(connectionId, request);
  }

  abandon(connectionId: number): Promise<void> {
    return this.#stored.abandon(connectionId);
  }

  /** Warns once that no process runs the syncs that are due, until one does again. */
  async warnIfLeft(): Promise<void> {
    const { database, clock, log } = this.#services;
    const now = clock();
    const areLeft = await areJobsLeft(database.read, { dueBefore: now - lateMs, now });
    if (areLeft && !this.#areLeft)
      log.warn({}, "no process runs the syncs that are due: start one whose CLEW_ROLE has sync");
    this.#areLeft = areLeft;
  }

  async stop(): Promise<void> {
    await this.#watching?.stop();
  }
}
