import type { Graph } from "@clew/graph";
import { ApiError } from "../../model/api-error.ts";
import type { TextSnapshot } from "../texts/snapshot.ts";
import type { JobInput, JobName, JobResult } from "./jobs.ts";
import type { QueryCall, SentSource } from "./query-worker.ts";
import { Thread, ThreadError } from "./thread.ts";

/** A graph that a job reads, with its texts if the job searches them. */
interface JobSource {
  readonly connectionId: number;
  readonly graph: Graph;
  readonly texts?: TextSnapshot;
}

interface JobOptions {
  /** Whose job it is: callers take turns. */
  readonly caller: string;
  readonly sources: readonly JobSource[];
}

interface QueryThreadsOptions {
  /** `Database.location`. */
  readonly location: string;
  /** Threads that run at a time. */
  readonly maxThreads: number;
  /** Receives what ended a thread. */
  readonly onError: (error: unknown) => void;
  /** Jobs that may wait, of all callers and of one. */
  readonly maxWaiting?: number;
  readonly maxWaitingOfCaller?: number;
  /** Milliseconds that a job may wait and run, each. */
  readonly deadlineMs?: number;
  /** Told about each job when it has ended. */
  readonly onJob?: (report: JobReport) => void;
}

/** How a job ended. `refused`: it never ran, because too many jobs waited, it waited too long, or the service stopped. */
export interface JobReport {
  readonly name: JobName;
  readonly outcome: "done" | "failed" | "refused";
  /** Milliseconds that it ran. */
  readonly ms: number;
}

/** Far more than a job needs: one that takes more ends its thread and not the process. */
const maxHeapMb = 384;

/** Runs queries in threads, so that none of them delays another request. */
export type QueryThreads = ReturnType<typeof createQueryThreads>;

interface WaitingJob {
  readonly caller: string;
  readonly timer: NodeJS.Timeout;
  start(thread: QueryThread): void;
  reject(error: unknown): void;
}

export function createQueryThreads(options: QueryThreadsOptions) {
  const { maxWaiting = 64, maxWaitingOfCaller = 16, deadlineMs = 6_000, maxThreads } = options;
  const { onJob = () => {} } = options;
  const idle = Array.from({ length: maxThreads }, () => new QueryThread(options));
  const threads = [...idle];
  /** Jobs by caller; the caller whose turn is next comes first. */
  const queues = new Map<string, WaitingJob[]>();
  let waiting = 0;
  let isClosed = false;

  function acquire(caller: string): Promise<QueryThread> {
    // A thread that has started is better than one that has not.
    const free = idle.findIndex(({ isStarted }) => isStarted);
    const [thread] = idle.splice(Math.max(0, free), 1);
    if (thread !== undefined) return Promise.resolve(thread);
    const queue = queues.get(caller) ?? [];
    if (waiting >= maxWaiting || queue.length >= maxWaitingOfCaller)
      return Promise.reject(busy("Too many searches wait for their turn."));
    return new Promise((start, reject) => {
      const timer = setTimeout(() => {
        remove(job);
        reject(busy("The search had to wait for too long."));
      }, deadlineMs);
      const job: WaitingJob = { caller, timer, start, reject };
      queue.push(job);
      queues.set(caller, queue);
      waiting += 1;
    });
  }

  function remove(job: WaitingJob): void {
    const queue = queues.get(job.caller) ?? [];
    queue.splice(queue.indexOf(job), 1);
    if (queue.length === 0) queues.delete(job.caller);
    waiting -= 1;
    clearTimeout(job.timer);
  }

  /** Gives the thread to the next caller's next job. */
  function release(thread: QueryThread): void {
    const [caller, queue] = queues.entries().next().value ?? [];
    const job = queue?.[0];
    if (caller === undefined || queue === undefined || job === undefined) {
      idle.push(thread);
      return;
    }
    remove(job);
    // Its turn comes again after all others.
    queues.delete(caller);
    if (queue.length > 0) queues.set(caller, queue);
    job.start(thread);
  }

  return {
    /**
     * Runs a job. Throws the `ApiError` that the job threw; `unavailable` if there are too many jobs, or this one took too
     * long or ended its thread; and `ThreadError` if it failed otherwise.
     */
    async run<Name extends JobName>(
      name: Name,
      input: JobInput<Name>,
      { caller, sources }: JobOptions,
    ): Promise<JobResult<Name>> {
      const refuse = (error: unknown): never => {
        onJob({ name, outcome: "refused", ms: 0 });
        throw error;
      };
      if (isClosed) return refuse(busy("The service is stopping."));
      const thread = await acquire(caller).catch(refuse);
      if (isClosed) return refuse(busy("The service is stopping."));
      const began = performance.now();
      let outcome: JobReport["outcome"] = "failed";
      try {
        // The registry of jobs pairs names with results.
        const result = (await thread.run(name, input, sources, deadlineMs)) as JobResult<Name>;
        outcome = "done";
        return result;
      } catch (error) {
        if (!(error instanceof ThreadError) || error.failure !== "ended") throw error;
        if (!isClosed) options.onError(error);
        throw busy("The search took too long or failed.", error);
      } finally {
        onJob({ name, outcome, ms: performance.now() - began });
        release(thread);
      }
    },

    /** Jobs that wait for a thread, and jobs that run. */
    counts: () => ({ waiting, running: threads.length - idle.length }),

    /** Lets go of the graphs that no job can be about any more. */
    retain(isHeld: IsHeld): void {
      for (const thread of threads) thread.retain(isHeld);
    },

    async close(): Promise<void> {
      isClosed = true;
      for (const job of [...queues.values()].flat()) {
        remove(job);
        job.reject(busy("The service is stopping."));
      }
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}

function busy(detail: string, cause?: unknown): ApiError {
  return new ApiError("unavailable", detail, { headers: { "retry-after": "1" }, cause });
}

/** Whether a connection's graph may still be asked for. */
type IsHeld = (connectionId: number, graph: Graph) => boolean;

/** A graph that a thread has. */
interface KnownGraph {
  readonly connectionId: number;
  /** The number under which the thread knows it. */
  readonly key: number;
  /** The texts that the thread knows with it. */
  readonly texts: TextSnapshot | undefined;
}

/** A thread, and which graphs it has. It runs one job at a time. */
class QueryThread {
  readonly #thread: Thread<QueryCall, unknown>;
  readonly #known = new Map<Graph, KnownGraph>();
  #keys = 0;
  #forgotten: number[] = [];

  constructor({ location }: QueryThreadsOptions) {
    this.#thread = new Thread({
      module: new URL("./query-worker.ts", import.meta.url),
      workerData: location,
      maxHeapMb,
    });
  }

  get isStarted(): boolean {
    return this.#thread.isStarted;
  }

  async run(
    name: JobName,
    input: unknown,
    sources: readonly JobSource[],
    deadlineMs: number,
  ): Promise<unknown> {
    if (!this.isStarted) {
      this.#known.clear();
      this.#forgotten = [];
    }
    const timer = setTimeout(() => void this.#thread.terminate(), deadlineMs);
    try {
      const forget = this.#forgotten.splice(0);
      const sent = sources.map((source) => this.#sent(source));
      return await this.#thread.call({ name, input, sources: sent, forget });
    } finally {
      clearTimeout(timer);
    }
  }

  /** A source as the thread needs it: columns are in shared memory, and sent only once. */
  #sent({ connectionId, graph, texts }: JobSource): SentSource {
    const known = this.#known.get(graph);
    const isNew = texts !== undefined && texts !== known?.texts;
    const key = known?.key ?? ++this.#keys;
    this.#known.set(graph, { connectionId, key, texts: texts ?? known?.texts });
    return { connectionId, key, columns: known ? null : graph.columns, texts: isNew ? texts : null };
  }

  retain(isHeld: IsHeld): void {
    for (const [graph, { key, connectionId }] of this.#known) {
      if (isHeld(connectionId, graph)) continue;
      this.#known.delete(graph);
      this.#forgotten.push(key);
    }
  }

  terminate(): Promise<void> {
    return this.#thread.terminate();
  }
}
