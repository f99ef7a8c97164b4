import { ThreadError } from "@clew/threads";
import type { DatabaseLocation } from "../model/database-location.ts";
import { busy, JobQueue } from "./job-queue.ts";
import { type IsHeld, type JobSource, QueryThread } from "./query-thread.ts";
import type { JobInput, JobName, JobResult } from "./query-worker.ts";

interface JobOptions {
  /** Whose job it is: callers take turns. */
  readonly caller: string;
  readonly sources: readonly JobSource[];
  /** Aborted once the answer is no longer needed: a job that waits for its turn is then dropped. */
  readonly signal?: AbortSignal | undefined;
}

interface QueryThreadsOptions {
  readonly location: DatabaseLocation;
  /** Threads that run at a time. */
  readonly maxThreads: number;
  /** Receives why a thread ended, or could not be started. */
  readonly onError: (error: ThreadError) => void;
  /** Jobs that may wait, of all callers and of one. */
  readonly maxWaiting?: number;
  readonly maxWaitingOfCaller?: number;
  /** Milliseconds that a job may wait and run, each. Neither counts the time in which a thread starts. */
  readonly deadlineMs?: number;
  /** Milliseconds in which a thread must be up: far more than it takes on a busy machine. */
  readonly maxStartMs?: number;
  /** Told about each job when it has ended. */
  readonly onJob?: (report: JobReport) => void;
  /** The module that threads run, for tests. */
  readonly module?: URL;
}

/** How a job ended. `refused`: it never ran, because too many jobs waited, it waited too long, or the service stopped. */
export interface JobReport {
  readonly name: JobName;
  readonly outcome: "done" | "failed" | "refused";
  /** Milliseconds that it ran. */
  readonly ms: number;
}

/**
 * Runs queries in threads, so that none of them delays another request. A job is given to a thread that is up; threads
 * start in the background, if all others are at work or if one has ended.
 */
export class QueryThreads {
  readonly #onError: (error: ThreadError) => void;
  readonly #onJob: (report: JobReport) => void;
  readonly #threads: readonly QueryThread[];
  /** Those that were given to a job. */
  readonly #busy = new Set<QueryThread>();
  readonly #queue: JobQueue<QueryThread>;
  #isClosed = false;

  constructor({
    location,
    maxThreads,
    onError,
    onJob = () => {},
    maxWaiting = 64,
    maxWaitingOfCaller = 16,
    deadlineMs = 6_000,
    maxStartMs = 60_000,
    module = new URL("./query-worker.ts", import.meta.url),
  }: QueryThreadsOptions) {
    this.#onError = onError;
    this.#onJob = onJob;
    const options = { location, maxStartMs, deadlineMs, module };
    this.#threads = Array.from({ length: maxThreads }, () => new QueryThread(options));
    this.#queue = new JobQueue({ maxWaiting, maxWaitingOfCaller, maxWaitMs: deadlineMs });
  }

  /** Starts a thread in the background, so that the first job finds one. */
  warmUp(): void {
    if (!this.#threads.some(({ isStarted }) => isStarted)) this.#startAnother();
  }

  /**
   * Runs a job. Throws the `ApiError` that the job threw; `unavailable` if there are too many jobs, this one took too long or
   * ended its thread, or no thread can be started; `DatabaseUnavailableError`; and `ThreadError` if it failed otherwise.
   */
  async run<Name extends JobName>(
    name: Name,
    input: JobInput<Name>,
    { caller, sources, signal }: JobOptions,
  ): Promise<JobResult<Name>> {
    const refuse = (error: unknown): never => {
      this.#onJob({ name, outcome: "refused", ms: 0 });
      throw error;
    };
    const thread = await this.#acquire(caller, signal).catch(refuse);
    if (this.#isClosed) return refuse(busy(stopping));
    const began = performance.now();
    let outcome: JobReport["outcome"] = "failed";
    try {
      // The registry of jobs pairs names with results.
      const result = (await thread.run(name, input, sources)) as JobResult<Name>;
      outcome = "done";
      return result;
    } catch (error) {
      if (!(error instanceof ThreadError) || !error.hasEnded) throw error;
      if (!this.#isClosed) this.#onError(error);
      throw busy("The search took too long or failed.", error);
    } finally {
      this.#onJob({ name, outcome, ms: performance.now() - began });
      this.#release(thread);
    }
  }

  /** Jobs that wait for a thread, and jobs that run. */
  counts() {
    return { waiting: this.#queue.size, running: this.#busy.size };
  }

  /** Lets go of the graphs that no job can be about any more. */
  retain(isHeld: IsHeld): void {
    for (const thread of this.#threads) thread.retain(isHeld);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#queue.refuseAll(stopping);
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }

  async #acquire(caller: string, signal: AbortSignal | undefined): Promise<QueryThread> {
    if (this.#isClosed) throw busy(stopping);
    const free = this.#threads.find((thread) => thread.isUp && !this.#busy.has(thread));
    if (free !== undefined) {
      this.#busy.add(free);
      return free;
    }
    const turn = this.#queue.wait(caller, signal);
    this.#startAnother();
    return turn;
  }

  /** Gives a thread to the job that is next, or replaces it if the last one has ended it. */
  #release(thread: QueryThread): void {
    this.#busy.delete(thread);
    if (this.#isClosed) return;
    if (thread.isUp) this.#give(thread);
    else void this.#start(thread);
  }

  /** Gives a thread that has no job to the one that is next. */
  #give(thread: QueryThread): void {
    if (thread.isUp && !this.#busy.has(thread) && this.#queue.give(thread)) this.#busy.add(thread);
  }

  #startAnother(): void {
    const thread = this.#threads.find(({ isStarted }) => !isStarted);
    if (thread !== undefined) void this.#start(thread);
  }

  async #start(thread: QueryThread): Promise<void> {
    const started = thread.start();
    this.#noteThreads();
    try {
      await started;
      this.#noteThreads();
      this.#give(thread);
    } catch (error) {
      if (this.#isClosed) return;
      // `QueryThread.start` throws nothing else.
      this.#onError(error as ThreadError);
      // Nobody else would take the jobs that wait. The next one tries to start a thread again.
      if (!this.#threads.some(({ isStarted }) => isStarted))
        this.#queue.refuseAll("The search cannot start.", error);
    }
  }

  /** Jobs wait without a limit of time only until a thread is up, or until none can be started. */
  #noteThreads(): void {
    this.#queue.setMoving(this.#threads.some(({ isUp }) => isUp));
  }
}

const stopping = "The service is stopping.";
