import { parentPort, Worker } from "node:worker_threads";
import type { FieldError, ProblemCode } from "@clew/contract";
import { IndexDamagedError } from "@clew/text-index";
import { ApiError } from "../../model/api-error.ts";

/** Why a call of a thread failed, if not with an `ApiError`. */
export type ThreadFailure =
  /** The thread ended before it was done. */
  | "ended"
  /** The text index that the call was about was replaced: look up the newest. */
  | "stale"
  /** The text index is damaged. */
  | "damaged"
  /** Anything else. */
  | "failed";

export class ThreadError extends Error {
  readonly failure: ThreadFailure;

  constructor(failure: ThreadFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "ThreadError";
    this.failure = failure;
  }
}

/** An error as it crosses from one thread to another. */
type SentError =
  | { readonly code: ProblemCode; readonly detail: string; readonly errors: readonly FieldError[] }
  | { readonly failure: ThreadFailure; readonly message: string; readonly stack: string | undefined };

function sentError(error: unknown): SentError {
  if (error instanceof ApiError) return { code: error.code, detail: error.message, errors: error.errors };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const own = error instanceof ThreadError ? error.failure : "failed";
  return { failure: error instanceof IndexDamagedError ? "damaged" : own, message, stack };
}

function receivedError(error: SentError): Error {
  if ("code" in error) return new ApiError(error.code, error.detail, { errors: error.errors });
  const received = new ThreadError(error.failure, error.message);
  // Where it was thrown in the thread.
  if (error.stack !== undefined) received.stack = error.stack;
  return received;
}

type Answer<Result> =
  | { readonly call: number; readonly result: Result }
  | { readonly call: number; readonly error: SentError };

interface ThreadOptions {
  /** The module that the thread runs: it calls `answerCalls`. */
  readonly module: URL;
  readonly workerData: unknown;
  readonly maxHeapMb: number;
  /** Receives what the thread sends besides its answers. */
  readonly onNews?: (news: unknown) => void;
}

/**
 * A worker thread that answers calls. It starts with the first call, and again with the next one after it ended. It keeps
 * the process alive only while calls wait for it.
 */
export class Thread<Call, Result> {
  readonly #options: ThreadOptions;
  readonly #waiting = new Map<number, { resolve(result: Result): void; reject(error: unknown): void }>();
  #worker: Worker | null = null;
  #calls = 0;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  get isStarted(): boolean {
    return this.#worker !== null;
  }

  /** Throws `ApiError` or `ThreadError`. */
  call(message: Call): Promise<Result> {
    const worker = this.#worker ?? this.#start();
    this.#worker = worker;
    this.#calls += 1;
    const call = this.#calls;
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.set(call, { resolve, reject });
      worker.ref();
      worker.postMessage({ call, message });
    });
  }

  /** Ends the thread; calls that wait for it fail. */
  async terminate(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const { module, workerData, maxHeapMb } = this.#options;
    // The process keeps the memory of a thread's short-lived objects for a while after the thread has ended.
    const resourceLimits = { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 32 };
    const worker = new Worker(module, { workerData, resourceLimits });
    let cause: unknown;
    worker.on("message", (answer: Answer<Result> | { readonly news: unknown }) => {
      if ("news" in answer) this.#options.onNews?.(answer.news);
      else this.#settle(worker, answer);
    });
    worker.on("error", (error) => {
      cause = error;
    });
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = null;
      const error = new ThreadError("ended", "a thread ended before it was done", { cause });
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    });
    return worker;
  }

  #settle(worker: Worker, answer: Answer<Result>): void {
    const waiting = this.#waiting.get(answer.call);
    this.#waiting.delete(answer.call);
    if (this.#waiting.size === 0) worker.unref();
    if ("error" in answer) waiting?.reject(receivedError(answer.error));
    else waiting?.resolve(answer.result);
  }
}

/** In a thread: answers the calls of its `Thread`, each as it comes. */
export function answerCalls<Call, Result>(answer: (message: Call) => Promise<Result>): void {
  parentPort?.on("message", async ({ call, message }: { readonly call: number; readonly message: Call }) => {
    try {
      parentPort?.postMessage({ call, result: await answer(message) });
    } catch (error) {
      parentPort?.postMessage({ call, error: sentError(error) });
    }
  });
}

/** In a thread: sends a message to `onNews`. */
export function sendNews(news: unknown): void {
  parentPort?.postMessage({ news });
}
