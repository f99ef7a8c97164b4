import { platform, setPriority } from "node:os";
import { parentPort, Worker } from "node:worker_threads";
import { endOf, receivedError, type SentError, sentError, ThreadError } from "./errors.ts";

/** A message of a thread to its owner. */
type Message<Result> =
  | { readonly isUp: true }
  | { readonly news: unknown }
  | { readonly question: number; readonly message: unknown }
  | { readonly call: number; readonly result: Result }
  | { readonly call: number; readonly error: SentError };

/** A message of the owner to its thread. */
type OwnerMessage<Call> =
  | { readonly call: number; readonly message: Call }
  | { readonly question: number; readonly result: unknown }
  | { readonly question: number; readonly error: SentError };

interface ThreadOptions {
  /** The module that the thread runs: it calls `answerCalls`. */
  readonly module: URL;
  readonly workerData?: unknown;
  /** Megabytes of its heap; the default of Node if left out. */
  readonly maxHeapMb?: number;
  /** Megabytes of short-lived objects: the process keeps their memory for a while after the thread has ended. */
  readonly maxYoungMb?: number;
  /** Receives what the thread sends besides its answers. */
  readonly onNews?: (news: unknown) => void;
  /** Answers what the thread asks by `askOwner`. */
  readonly onQuestion?: (message: unknown) => Promise<unknown>;
  /** Called when the thread has ended without `terminate`. */
  readonly onEnded?: (error: ThreadError) => void;
  /** Whether the database threw an error of `onQuestion` because it cannot be used now. */
  readonly isUnavailable?: (error: unknown) => boolean;
}

/** A worker while it runs. */
interface Running<Result> {
  readonly worker: Worker;
  /** Resolves once it answers calls. */
  readonly up: PromiseWithResolvers<void>;
  isUp: boolean;
  readonly waiting: Map<number, PromiseWithResolvers<Result>>;
}

/**
 * A worker thread that answers calls. It starts with the first call or before it, and again after it ended. It keeps the
 * process alive only while it starts, and while calls wait for it.
 */
export class Thread<Call, Result> {
  readonly #options: ThreadOptions;
  #running: Running<Result> | null = null;
  #ended: Promise<unknown> = Promise.resolve();
  #calls = 0;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  get isStarted(): boolean {
    return this.#running !== null;
  }

  /** Whether it answers calls at once. */
  get isUp(): boolean {
    return this.#running?.isUp === true;
  }

  /** Starts it unless it runs. Resolves once it is up; throws `ThreadError` if it ends before that. */
  start(): Promise<void> {
    this.#running ??= this.#start();
    return this.#running.up.promise;
  }

  /** Throws `ApiError`, `DatabaseUnavailableError` or `ThreadError`. */
  call(message: Call): Promise<Result> {
    this.#running ??= this.#start();
    const { worker, waiting } = this.#running;
    this.#calls += 1;
    const answer = Promise.withResolvers<Result>();
    waiting.set(this.#calls, answer);
    worker.ref();
    worker.postMessage({ call: this.#calls, message });
    return answer.promise;
  }

  /** Ends the thread; calls that wait for it fail. The next call starts another one. */
  async terminate(): Promise<void> {
    const worker = this.#running?.worker;
    this.#running = null;
    this.#ended = Promise.all([this.#ended, worker?.terminate()]);
    await this.#ended;
  }

  #start(): Running<Result> {
    const { module, workerData, maxHeapMb, maxYoungMb = 32 } = this.#options;
    const resourceLimits = {
      maxYoungGenerationSizeMb: maxYoungMb,
      ...(maxHeapMb !== undefined && { maxOldGenerationSizeMb: maxHeapMb }),
    };
    const worker = new Worker(module, { workerData, resourceLimits });
    const running = { worker, up: Promise.withResolvers<void>(), isUp: false, waiting: new Map() };
    // A caller learns of the end by its call.
    running.up.promise.catch(() => {});
    let cause: Error | undefined;
    worker.on("message", (message: Message<Result>) => this.#receive(running, message));
    worker.on("error", (error) => {
      cause = endOf(error);
    });
    worker.once("exit", () => {
      const error = new ThreadError("ended", "a thread ended before it was done", { cause });
      if (this.#running === running) {
        this.#running = null;
        this.#options.onEnded?.(error);
      }
      for (const { reject } of [running.up, ...running.waiting.values()]) reject(error);
      running.waiting.clear();
    });
    return running;
  }

  #receive(running: Running<Result>, message: Message<Result>): void {
    if ("news" in message) this.#options.onNews?.(message.news);
    else if ("question" in message) void this.#answer(running.worker, message);
    else if ("isUp" in message) {
      running.isUp = true;
      running.up.resolve();
    } else {
      const answer = running.waiting.get(message.call);
      running.waiting.delete(message.call);
      if ("error" in message) answer?.reject(receivedError(message.error));
      else answer?.resolve(message.result);
    }
    if (running.isUp && running.waiting.size === 0) running.worker.unref();
  }

  async #answer(
    worker: Worker,
    { question, message }: { question: number; message: unknown },
  ): Promise<void> {
    const { onQuestion, isUnavailable } = this.#options;
    try {
      worker.postMessage({ question, result: await onQuestion?.(message) });
    } catch (error) {
      worker.postMessage({ question, error: sentError(error, isUnavailable) });
    }
  }
}

interface AnswerOptions {
  /** Whether the database threw an error because it cannot be used now. Left out if such errors have a class of their own. */
  readonly isUnavailable?: (error: unknown) => boolean;
}

/** In a thread: the questions that its owner has not answered yet. */
const asked = new Map<number, PromiseWithResolvers<unknown>>();
let questions = 0;

/** In a thread: answers the calls of its `Thread`, each as it comes. From then on the thread is up. */
export function answerCalls<Call, Result>(
  answer: (message: Call) => Promise<Result>,
  { isUnavailable }: AnswerOptions = {},
): void {
  parentPort?.on("message", async (sent: OwnerMessage<Call>) => {
    if ("question" in sent) return settleQuestion(sent);
    const { call, message } = sent;
    try {
      parentPort?.postMessage({ call, result: await answer(message) });
    } catch (error) {
      parentPort?.postMessage({ call, error: sentError(error, isUnavailable) });
    }
  });
  parentPort?.postMessage({ isUp: true });
}

/** The niceness of a thread that others come before: where they compete for a core, it gets a quarter of the time. */
const niceness = 5;

/** In a thread: has it work when others of the machine leave it time. Only Linux gives threads priorities of their own. */
export function lowerPriority(): void {
  if (platform() !== "linux") return;
  try {
    // 0 is the calling thread: https://man7.org/linux/man-pages/man2/setpriority.2.html, "C library/kernel differences".
    setPriority(0, niceness);
  } catch {
    // A sandbox may forbid it.
  }
}

/** In a thread: sends a message to `onNews`. */
export function sendNews(news: unknown): void {
  parentPort?.postMessage({ news });
}

/** In a thread that is up: asks its owner. Throws `ApiError`, `DatabaseUnavailableError` or `ThreadError`. */
export function askOwner(message: unknown): Promise<unknown> {
  questions += 1;
  const answer = Promise.withResolvers<unknown>();
  asked.set(questions, answer);
  parentPort?.postMessage({ question: questions, message });
  return answer.promise;
}

function settleQuestion(sent: Exclude<OwnerMessage<never>, { call: number }>): void {
  const answer = asked.get(sent.question);
  asked.delete(sent.question);
  if ("error" in sent) answer?.reject(receivedError(sent.error));
  else answer?.resolve(sent.result);
}
