import type { Config } from "../config/config.ts";
import { clearRemoved, expireWithdrawn } from "../connections/remove.ts";
import type { SyncRequest, Syncs } from "../connections/request-sync.ts";
import { revokeDueGrants } from "../connections/revoke-grants.ts";
import type { Graphs } from "../graphs/graphs.ts";
import type { Log } from "../model/log.ts";
import type { Clock, RandomBytes } from "../model/runtime.ts";
import type { Sources } from "../providers/sources.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Database } from "../store/port.ts";
import type { Background } from "../sync/jobs/repeat.ts";
import { type LookOutcome, Looks } from "../sync/looks/looks.ts";
import { requestDueSyncs } from "../sync/schedule.ts";
import { SyncService, type SyncServiceOptions } from "../sync/service.ts";
import { type ReadLists, WaitingEdits } from "../sync/waiting-edits.ts";
import { watchSources } from "../sync/watch-sources.ts";
import { dayMs, startTasks, type Task } from "./background.ts";

/** Milliseconds from a first sync to the next one. The provider's search lags just after a grant. */
const secondLookAfterMs = 120_000;

interface SyncRoleServices {
  readonly config: Pick<Config, "allowed" | "syncInterval" | "connectionQuota" | "withdrawnDays">;
  readonly database: Database;
  readonly sources: Sources;
  readonly secrets: Secrets;
  /** The graphs in memory: those of this process, or none. */
  readonly graphs: Pick<Graphs, "publish" | "forget">;
  /** The lists that this process answers, on this thread or another. */
  readonly lists: ReadLists;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log;
  readonly onEnded?: SyncServiceOptions["onEnded"];
  readonly onLooked?: ((outcome: LookOutcome) => void) | undefined;
}

/** Syncs that this process may run: on this thread, in another, or not at all. */
export interface RunnableSyncs extends Syncs {
  /** Begins to run them, if this process does. */
  start(): void;
  /** Interrupts all syncs, for another worker to take over; resolves once nothing is written any more (OPS-3). */
  stop(): Promise<void>;
}

/** The role `sync` for one database: runs its jobs, and looks after its connections. */
export class SyncRole implements RunnableSyncs {
  readonly #services: SyncRoleServices;
  readonly #sync: SyncService;
  readonly #edits: WaitingEdits;
  /** Looks for edits; null if there are none. */
  readonly #looks: Looks | null;
  #tasks: Background | null = null;
  #watches: Background | null = null;

  constructor(services: SyncRoleServices) {
    const { config, database, sources } = services;
    const { allowed, syncInterval, connectionQuota } = config;
    const storage = { connectionQuota, hasRoom: () => hasRoom(database) };
    const sorted = sources.filter(({ sortsByEdit }) => sortsByEdit);
    const looks = syncInterval > 0 && sorted !== null;
    this.#services = services;
    this.#sync = new SyncService({
      ...services,
      allowed,
      looks,
      // Without an interval only what is requested is listed.
      secondLookAfter: syncInterval > 0 ? secondLookAfterMs : null,
      storage,
    });
    const edits = new WaitingEdits({ ...services, sync: this.#sync });
    this.#edits = edits;
    this.#looks = looks
      ? new Looks({ ...services, sources: sorted, allowed, sync: this.#sync, edits, storage })
      : null;
  }

  start(): void {
    this.#sync.start();
    this.#looks?.start();
    this.#watches ??= watchSources({
      ...this.#services,
      allowed: this.#services.config.allowed,
      edits: this.#edits,
    });
    this.#tasks ??= startTasks(this.#services, connectionTasks({ ...this.#services, sync: this.#sync }));
  }

  request(connectionId: number, request?: SyncRequest): Promise<void> {
    return this.#sync.request(connectionId, request);
  }

  abandon(connectionId: number): Promise<void> {
    return this.#sync.abandon(connectionId);
  }

  /** Begins jobs that are due now, instead of with the next poll. */
  poll(): void {
    void this.#sync.poll();
  }

  async stop(): Promise<void> {
    // A look or a change may request a sync, and waits for the request.
    await Promise.all([this.#edits.stop(), this.#looks?.stop(), this.#watches?.stop()]);
    await Promise.all([this.#sync.stop(), this.#tasks?.stop()]);
  }
}

/** The tasks for connections, besides their syncs. */
function connectionTasks(services: SyncRoleServices & { readonly sync: SyncService }): readonly Task[] {
  const { config, database } = services;
  const { allowed, syncInterval: intervalMs } = config;
  return [
    {
      everyMs: 15_000,
      failure: "failed to request syncs that are due",
      work: () => requestDueSyncs({ ...services, allowed, intervalMs }),
    },
    {
      everyMs: 5_000,
      failure: "failed to revoke grants",
      work: (signal) => revokeDueGrants(services, signal),
    },
    {
      everyMs: 5_000,
      failure: "failed to remove withdrawn connections",
      work: () => expireWithdrawn(services, config.withdrawnDays * dayMs),
    },
    {
      everyMs: 5_000,
      failure: "failed to delete removed graphs",
      work: (signal) => clearRemoved(database, signal),
    },
  ];
}

/** Whether the disk has room for more than the small writes that must always succeed. */
function hasRoom({ upkeep }: Database): boolean {
  const room = upkeep?.room();
  return room === undefined || room.freeBytes >= room.neededBytes;
}
