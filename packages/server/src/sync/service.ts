import type { Provider } from "@clew/provider";
import { type SyncRequest, type Syncs, storedSyncs } from "../connections/request-sync.ts";
import type { RandomBytes, Sleep } from "../model/runtime.ts";
import { createTurns } from "../model/turns.ts";
import type { Sources } from "../providers/sources.ts";
import { newId } from "../secrets/new-id.ts";
import { setSyncProgress } from "../store/queries/connections.ts";
import { renewLeases } from "../store/queries/jobs.ts";
import { type Claim, claimJob, leaseMs, releaseJob } from "./jobs/lease.ts";
import { createMemoryBudget, type MemoryBudget } from "./jobs/memory-budget.ts";
import { type Background, repeat } from "./jobs/repeat.ts";
import { syncConnection } from "./run-sync.ts";
import { heldBytesOf } from "./state.ts";
import type { SyncServices } from "./steps/open-context.ts";

/** Milliseconds between two polls, each of which renews the leases: far shorter than a lease. */
const pollIntervalMs = 5_000;

/** Writes of syncs that are under way at a time. */
const maxConcurrentWrites = 4;

/** The reason with which a sync is aborted to free memory. */
const suspended = new Error("The sync waits for memory");

export interface SyncServiceOptions extends Omit<SyncServices, "provider" | "takeTurn" | "onHeld"> {
  readonly sources: Sources;
  readonly random: RandomBytes;
  /** Bytes that the syncs of a process may hold together, as estimated. */
  readonly memoryLimit?: number;
  /** Waits between two polls. */
  readonly sleep?: Sleep | undefined;
  /** Nodes of a workspace whose sync is small: it does not wait for the memory that larger ones hold. */
  readonly smallNodes?: number;
}

/** A job that this process has under way. */
interface RunningJob {
  readonly ended: Promise<void>;
  readonly controller: AbortController;
}

/** Reads workspaces into the store, in the background: one worker of those that share the database (SYNC-9). */
export class SyncService implements Syncs {
  readonly #stored: Syncs;
  readonly #options: SyncServiceOptions;
  readonly #worker: string;
  readonly #takeTurn = createTurns({ atOnce: maxConcurrentWrites });
  readonly #smallNodes: number;
  readonly #memory: MemoryBudget;
  /** By connection. */
  readonly #jobs = new Map<number, RunningJob>();
  #isStopping = false;
  #background: Background | null = null;
  #polling = Promise.resolve();

  constructor(options: SyncServiceOptions) {
    const { memoryLimit = 256 * 1024 * 1024, smallNodes = 2_000 } = options;
    this.#options = options;
    this.#stored = storedSyncs(options);
    this.#worker = newId(options.random);
    this.#smallNodes = smallNodes;
    this.#memory = createMemoryBudget({ limit: memoryLimit, small: heldBytesOf(smallNodes) });
  }

  async request(connectionId: number, request?: SyncRequest): Promise<void> {
    await this.#stored.request(connectionId, request);
    void this.poll();
  }

  /** Polls for due jobs from now on: those of before a restart, of other instances, and scheduled ones. */
  start(): void {
    const work = async () => {
      // No write of this program succeeds.
      if (this.#options.database.schemaFault() !== null) return;
      await this.#renew();
      await this.poll();
    };
    const { sleep } = this.#options;
    this.#background ??= repeat({ intervalMs: pollIntervalMs, work, onError: this.#onError, sleep });
  }

  /** Interrupts all syncs, for another worker to take over; resolves once nothing is written any more. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([this.#polling, this.#background?.stop()]);
    for (const { controller } of this.#jobs.values()) controller.abort(new Error("Clew is stopping"));
    await Promise.all([...this.#jobs.values()].map(({ ended }) => ended));
  }

  async abandon(connectionId: number): Promise<void> {
    const job = this.#jobs.get(connectionId);
    job?.controller.abort(new Error("The connection was removed"));
    await job?.ended;
  }

  readonly #onError = (error: unknown) => {
    this.#options.log.error({ err: error }, "failed to poll for sync jobs");
  };

  /** Begins all due jobs for which there is memory, one poll after the other. */
  poll(): Promise<void> {
    this.#polling = this.#polling
      .then(async () => {
        while (await this.#beginNext());
      })
      .catch(this.#onError);
    return this.#polling;
  }

  /** Begins the next job; false if there is none, or no memory for it. */
  async #beginNext(): Promise<boolean> {
    if (this.#isStopping) return false;
    const { database, sources, clock, log } = this.#options;
    let bytes = 0;
    const search = {
      providers: sources.slugs,
      now: clock(),
      except: [...this.#jobs.keys()],
      hasRoomFor: (connectionId: number, nodes: number) => {
        bytes = heldBytesOf(nodes);
        return this.#memory.hasRoomFor(connectionId, bytes);
      },
      maxOvertakingNodes: this.#smallNodes,
    };
    const job = await database.transaction((trx) => claimJob(trx, this.#worker, search));
    if (job === null) return false;
    const { connectionId, provider, attempts } = job;
    if (attempts > 1) log.warn({ connectionId, attempts }, "resuming an interrupted sync");
    this.#memory.hold(connectionId, bytes);
    const controller = new AbortController();
    // A job that waits for memory may begin once this one has ended.
    const ended = this.#run(
      { connectionId, worker: this.#worker },
      sources.of(provider),
      controller.signal,
    ).then(() => void this.poll());
    this.#jobs.set(connectionId, { ended, controller });
    this.#makeRoom();
    return true;
  }

  async #run(claim: Claim, provider: Provider, signal: AbortSignal): Promise<void> {
    const { connectionId } = claim;
    const { database, clock, log } = this.#options;
    const onHeld = (bytes: number) => {
      if (signal.aborted) return;
      this.#memory.hold(connectionId, bytes);
      this.#makeRoom();
    };
    try {
      const looks = this.#options.looks && provider.sortsByEdit;
      const services = { ...this.#options, provider, looks, takeTurn: this.#takeTurn, onHeld };
      await syncConnection(claim, services, signal);
      if (!signal.aborted) return;
      // Leaves the interrupted job to the next worker.
      await database.transaction(async (trx) => {
        await releaseJob(trx, claim, clock());
        if (signal.reason === suspended)
          await setSyncProgress(trx, connectionId, { state: "waiting", waitingUntil: null });
      });
    } catch (error) {
      log.error({ connectionId, err: error }, "failed to run a sync");
    } finally {
      this.#jobs.delete(connectionId);
      this.#memory.release(connectionId);
    }
  }

  /** Suspends the largest sync if all together hold too much; it resumes once there is room (SYNC-6). */
  #makeRoom(): void {
    const connectionId = this.#memory.chooseToSuspend();
    if (connectionId === null) return;
    this.#options.log.info({ connectionId }, "suspending the largest sync until there is memory for it");
    this.#jobs.get(connectionId)?.controller.abort(suspended);
  }

  /** Renews the leases. Ends jobs that another worker has taken over, which happens if this process slept. */
  async #renew(): Promise<void> {
    if (this.#jobs.size === 0) return;
    const { database, clock } = this.#options;
    const running = [...this.#jobs];
    const ids = running.map(([connectionId]) => connectionId);
    const renewed = await database.record((trx) => renewLeases(trx, this.#worker, ids, clock() + leaseMs));
    for (const [connectionId, { controller }] of running)
      if (!renewed.includes(connectionId)) controller.abort(new Error("Another worker took over the sync"));
  }
}
