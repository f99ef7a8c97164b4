import { ApiError } from "../model/api-error.ts";
import { RoundRobin } from "../model/turns.ts";

interface JobQueueOptions {
  /** Jobs that may wait, of all callers and of one. */
  readonly maxWaiting: number;
  readonly maxWaitingOfCaller: number;
  /** Milliseconds that a job may wait while the queue moves. */
  readonly maxWaitMs: number;
}

interface WaitingJob<Thread> extends PromiseWithResolvers<Thread> {
  readonly caller: string;
  timer: NodeJS.Timeout | undefined;
  /** Stops listening for the end of its request. */
  readonly forget: () => void;
}

/** Jobs that wait for a thread. Callers take turns. */
export class JobQueue<Thread> {
  readonly #options: JobQueueOptions;
  readonly #jobs = new RoundRobin<string, WaitingJob<Thread>>();
  #isMoving = false;

  constructor(options: JobQueueOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#jobs.size;
  }

  /**
   * Waits for a thread. Throws `ApiError` `unavailable` if too many jobs wait, this one waited too long, or `signal` is
   * aborted.
   */
  wait(caller: string, signal: AbortSignal | undefined): Promise<Thread> {
    const { maxWaiting, maxWaitingOfCaller } = this.#options;
    if (this.#jobs.size >= maxWaiting || this.#jobs.countOf(caller) >= maxWaitingOfCaller)
      return Promise.reject(busy("Too many searches wait for their turn."));
    const leave = () => this.#refuse(job, "Nobody waits for the search any more.");
    const forget = () => signal?.removeEventListener("abort", leave);
    const job: WaitingJob<Thread> = { ...Promise.withResolvers<Thread>(), caller, timer: undefined, forget };
    this.#jobs.add(caller, job);
    if (this.#isMoving) this.#limit(job);
    signal?.addEventListener("abort", leave);
    if (signal?.aborted) leave();
    return job.promise;
  }

  /** Gives a thread to the next caller's next job; false if none waits. */
  give(thread: Thread): boolean {
    const job = this.#jobs.next();
    if (job === undefined) return false;
    this.#stopWaiting(job);
    job.resolve(thread);
    return true;
  }

  /** The time that jobs may wait runs only while the queue moves: that of a thread's start does not count. */
  setMoving(isMoving: boolean): void {
    if (this.#isMoving === isMoving) return;
    this.#isMoving = isMoving;
    for (const job of this.#jobs.all()) {
      if (isMoving) this.#limit(job);
      else clearTimeout(job.timer);
    }
  }

  /** Refuses all jobs that wait. */
  refuseAll(detail: string, cause?: unknown): void {
    for (const job of this.#jobs.all()) this.#refuse(job, detail, cause);
  }

  #limit(job: WaitingJob<Thread>): void {
    const refuse = () => this.#refuse(job, "The search had to wait for too long.");
    job.timer = setTimeout(refuse, this.#options.maxWaitMs);
  }

  #refuse(job: WaitingJob<Thread>, detail: string, cause?: unknown): void {
    this.#jobs.remove(job.caller, job);
    this.#stopWaiting(job);
    job.reject(busy(detail, cause));
  }

  #stopWaiting(job: WaitingJob<Thread>): void {
    clearTimeout(job.timer);
    job.forget();
  }
}

/** The refusal of a job, which may be repeated soon. */
export function busy(detail: string, cause?: unknown): ApiError {
  return new ApiError("unavailable", detail, { headers: { "retry-after": "1" }, cause });
}
