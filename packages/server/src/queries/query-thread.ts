import type { Graph } from "@clew/graph";
import { Thread, ThreadError } from "@clew/threads";
import type { DatabaseLocation } from "../model/database-location.ts";
import type { TextSnapshot } from "../texts/text-snapshots.ts";
import { errorsOf } from "../threads/errors.ts";
import type { JobName, QueryCall, SentSource } from "./query-worker.ts";

/** A graph that a job reads, with its texts if the job searches them. */
export interface JobSource {
  readonly connectionId: number;
  readonly graph: Graph;
  readonly texts?: TextSnapshot;
}

/** Whether a connection's graph may still be asked for. */
export type IsHeld = (connectionId: number, graph: Graph) => boolean;

export interface QueryThreadOptions {
  readonly location: DatabaseLocation;
  /** Milliseconds in which a thread must be up. */
  readonly maxStartMs: number;
  /** Milliseconds that a job may run. */
  readonly deadlineMs: number;
  /** The module that a thread runs, for tests. */
  readonly module: URL;
}

/** Far more than a job needs: one that takes more ends its thread and not the process. */
const maxHeapMb = 384;

/** A graph that a thread has. */
interface KnownGraph {
  readonly connectionId: number;
  /** The number under which the thread knows it. */
  readonly key: number;
  /** The texts that the thread knows with it. */
  readonly texts: TextSnapshot | undefined;
}

/** A thread, and which graphs it has. It runs one job at a time. */
export class QueryThread {
  readonly #options: QueryThreadOptions;
  readonly #thread: Thread<QueryCall, unknown>;
  readonly #known = new Map<Graph, KnownGraph>();
  #keys = 0;
  #forgotten: number[] = [];

  constructor(options: QueryThreadOptions) {
    const { module, location } = options;
    this.#options = options;
    this.#thread = new Thread({ module, workerData: location, maxHeapMb, errors: errorsOf() });
  }

  get isStarted(): boolean {
    return this.#thread.isStarted;
  }

  /** Whether it can take a job. */
  get isUp(): boolean {
    return this.#thread.isUp;
  }

  /** Resolves once it is up. Throws `ThreadError` `ended` if it is not up in time, or ends before that. */
  async start(): Promise<void> {
    const { maxStartMs } = this.#options;
    this.#known.clear();
    this.#forgotten = [];
    const late = `a thread for queries did not start within ${seconds(maxStartMs)}`;
    await this.#within(maxStartMs, this.#thread.start(), "a thread for queries ended while it started", late);
  }

  /** Runs a job in the thread, which is up. Throws as `Thread.call` does; a job that takes too long ends the thread. */
  async run(name: JobName, input: unknown, sources: readonly JobSource[]): Promise<unknown> {
    const { deadlineMs } = this.#options;
    const forget = this.#forgotten.splice(0);
    const sent = sources.map((source) => this.#sent(source));
    const answer = this.#thread.call({ name, input, sources: sent, forget });
    const late = `the query "${name}" was ended at its deadline of ${seconds(deadlineMs)}`;
    return this.#within(deadlineMs, answer, `the query "${name}" ended its thread`, late);
  }

  /** Ends the thread after some milliseconds. If it ends, the error says why: `ended`, or `late` after that time. */
  async #within<T>(milliseconds: number, work: Promise<T>, ended: string, late: string): Promise<T> {
    let reason = ended;
    const timer = setTimeout(() => {
      reason = late;
      void this.#thread.terminate();
    }, milliseconds);
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof ThreadError) || !error.hasEnded) throw error;
      throw new ThreadError("ended", reason, { cause: error.cause });
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

const seconds = (milliseconds: number) => `${milliseconds / 1000} s`;
