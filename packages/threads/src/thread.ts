import { platform, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { type ErrorCodec, endOf, receivedError, type SentError, sentError, ThreadError } from "./errors.ts";
import type { Work, WorkMark } from "./work-mark.ts";

/** A message of a thread to its owner. */
type Message<Result, Part> =
  | { readonly isUp: true }
  | { readonly news: unknown }
  | { readonly question: number; readonly message: unknown }
  | { readonly call: number; readonly part: Part }
  | { readonly call: number; readonly result: Result }
  | { readonly call: number; readonly error: SentError };

/** A message of the owner to its thread. */
type OwnerMessage<Call> =
  | { readonly call: number; readonly message: Call }
  | { readonly question: number; readonly result: unknown }
  | { readonly question: number; readonly error: SentError };

export interface ThreadOptions {
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
  /** The limit of a single piece of work of the thread, which marks it (`markWorkIn`). */
  readonly work?: WorkLimit;
  /** Sends and receives errors of the program's own classes; the thread's `answerCalls` has the same. */
  readonly errors?: ErrorCodec;
}

interface WorkLimit {
  readonly mark: WorkMark;
  /** Milliseconds of processor time after which a piece of work ends its thread. They are looked at each second. */
  readonly limitMs: number;
  /** Called with the name of the work that ended the thread. */
  readonly onSlow: (name: string) => void;
}

interface CallOptions<Part> {
  /**
   * Milliseconds of processor time of the thread, from soon after the call, after which it is ended. Elapsed time would end ordinary calls
   * on a busy machine. A thread with such calls has one at a time.
   */
  readonly limitMs?: number;
  /** Receives each part that the thread sends before its result. */
  readonly onPart?: (part: Part) => void;
}

/** A call that waits for its result. */
interface WaitingCall<Result, Part> extends PromiseWithResolvers<Result> {
  readonly onPart: ((part: Part) => void) | undefined;
}

/** A worker while it runs. */
interface Running<Result, Part> {
  readonly worker: Worker;
  /** Resolves once it answers calls. */
  readonly up: PromiseWithResolvers<void>;
  isUp: boolean;
  readonly waiting: Map<number, WaitingCall<Result, Part>>;
  /** Why it was ended; null if it was not. */
  end: ThreadError | null;
  /** Whether `terminate` ended it. */
  isTerminated: boolean;
}

/** Milliseconds before the processor time of a call is counted. */
const graceMs = 200;

/** How often the work of a thread is looked at. */
const workLookMs = 1_000;

/**
 * A worker thread that answers calls. It starts with the first call or before it, and again after it ended. It keeps the
 * process alive only while it starts, and while calls wait for it.
 */
export class Thread<Call, Result, Part = never> {
  readonly #options: ThreadOptions;
  #running: Running<Result, Part> | null = null;
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

  /** Throws `ThreadError`, and the errors of the `ErrorCodec`. */
  call(message: Call, { limitMs, onPart }: CallOptions<Part> = {}): Promise<Result> {
    this.#running ??= this.#start();
    const running = this.#running;
    const { worker, waiting } = running;
    this.#calls += 1;
    const answer = Promise.withResolvers<Result>();
    waiting.set(this.#calls, { ...answer, onPart });
    worker.ref();
    worker.postMessage({ call: this.#calls, message });
    if (limitMs !== undefined) void this.#endAfter(limitMs, running, this.#calls);
    return answer.promise;
  }

  /** Ends the thread; calls that wait for it fail. The next call starts another one. */
  async terminate(): Promise<void> {
    const running = this.#running;
    if (running !== null) running.isTerminated = true;
    this.#running = null;
    this.#ended = Promise.all([this.#ended, running?.worker.terminate()]);
    await this.#ended;
  }

  #end(running: Running<Result, Part>, error: ThreadError): void {
    if (this.#running === running) this.#running = null;
    running.end ??= error;
    this.#ended = Promise.all([this.#ended, running.worker.terminate()]);
  }

  /** Ends the thread when a call has used its processor time. The time in which the thread starts does not count. */
  async #endAfter(limitMs: number, running: Running<Result, Part>, call: number): Promise<void> {
    const { worker, waiting, up } = running;
    const isWaiting = () => waiting.has(call);
    try {
      await up.promise;
      // Most calls end before that, and asking for times interrupts the thread.
      await sleep(graceMs, undefined, { ref: false });
      if (!isWaiting()) return;
      const before = await worker.cpuUsage();
      for (let remainingMs = limitMs; remainingMs > 0 && isWaiting(); ) {
        await sleep(Math.max(1, remainingMs), undefined, { ref: false });
        if (!isWaiting()) return;
        const { user, system } = await worker.cpuUsage(before);
        remainingMs = limitMs - (user + system) / 1_000;
      }
      if (!isWaiting()) return;
      this.#end(running, new ThreadError("slow", `a thread was ended after ${limitMs} ms of processor time`));
    } catch {
      // The thread has ended meanwhile, and its calls with it.
    }
  }

  /** Ends the thread when a single piece of its work has used its processor time. */
  async #watchWork({ mark, limitMs, onSlow }: WorkLimit, running: Running<Result, Part>): Promise<void> {
    const { worker, up } = running;
    // A worker that starts has no times yet.
    await up.promise;
    let seen: Work | null = null;
    let before = await worker.cpuUsage();
    while (running.end === null && this.#running === running) {
      await sleep(workLookMs, undefined, { ref: false });
      const work = mark.current();
      if (work === null || work.turn !== seen?.turn) {
        seen = work;
        before = await worker.cpuUsage();
        continue;
      }
      const { user, system } = await worker.cpuUsage(before);
      if (user + system < limitMs * 1_000 || mark.current()?.turn !== work.turn) continue;
      onSlow(work.name);
      this.#end(
        running,
        new ThreadError("slow", "a thread was ended because one piece of work took too long"),
      );
    }
  }

  #start(): Running<Result, Part> {
    const { module, workerData, maxHeapMb, maxYoungMb = 32 } = this.#options;
    const resourceLimits = {
      maxYoungGenerationSizeMb: maxYoungMb,
      ...(maxHeapMb !== undefined && { maxOldGenerationSizeMb: maxHeapMb }),
    };
    const worker = new Worker(module, { workerData, resourceLimits });
    const running: Running<Result, Part> = {
      worker,
      up: Promise.withResolvers<void>(),
      isUp: false,
      waiting: new Map(),
      end: null,
      isTerminated: false,
    };
    // It ends with the thread.
    if (this.#options.work) this.#watchWork(this.#options.work, running).catch(() => {});
    // A caller learns of the end by its call.
    running.up.promise.catch(() => {});
    worker.on("message", (message: Message<Result, Part>) => this.#receive(running, message));
    worker.on("error", (error: Error & { readonly code?: unknown }) => {
      const failure = error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : "ended";
      running.end ??= new ThreadError(failure, ended, { cause: endOf(error) });
    });
    worker.once("exit", () => {
      const error = running.end ?? new ThreadError("ended", ended);
      if (this.#running === running) this.#running = null;
      if (!running.isTerminated) this.#options.onEnded?.(error);
      for (const { reject } of [running.up, ...running.waiting.values()]) reject(error);
      running.waiting.clear();
    });
    return running;
  }

  #receive(running: Running<Result, Part>, message: Message<Result, Part>): void {
    if ("news" in message) this.#options.onNews?.(message.news);
    else if ("question" in message) void this.#answer(running.worker, message);
    else if ("isUp" in message) {
      running.isUp = true;
      running.up.resolve();
    } else if ("part" in message) running.waiting.get(message.call)?.onPart?.(message.part);
    else {
      const answer = running.waiting.get(message.call);
      running.waiting.delete(message.call);
      if ("error" in message) answer?.reject(receivedError(message.error, this.#options.errors));
      else answer?.resolve(message.result);
    }
    if (running.isUp && running.waiting.size === 0) running.worker.unref();
  }

  async #answer(
    worker: Worker,
    { question, message }: { question: number; message: unknown },
  ): Promise<void> {
    const { onQuestion, errors } = this.#options;
    try {
      worker.postMessage({ question, result: await onQuestion?.(message) });
    } catch (error) {
      worker.postMessage({ question, error: sentError(error, errors) });
    }
  }
}

const ended = "a thread ended before it was done";

/** In a thread: the questions that its owner has not answered yet. */
const asked = new Map<number, PromiseWithResolvers<unknown>>();
let questions = 0;

/**
 * In a thread: answers the calls of its `Thread`, each as it comes. From then on the thread is up. `sendPart` sends a part of
 * the result before it, which stays if the thread is ended.
 */
export function answerCalls<Call, Result, Part = never>(
  answer: (message: Call, sendPart: (part: Part) => void) => Result | Promise<Result>,
  errors?: ErrorCodec,
): void {
  parentPort?.on("message", async (sent: OwnerMessage<Call>) => {
    if ("question" in sent) return settleQuestion(sent, errors);
    const { call, message } = sent;
    try {
      const sendPart = (part: Part) => parentPort?.postMessage({ call, part });
      parentPort?.postMessage({ call, result: await answer(message, sendPart) });
    } catch (error) {
      parentPort?.postMessage({ call, error: sentError(error, errors) });
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

/** In a thread of `ReadingLanes`: answers its calls, in the slow lane with a lower priority. */
export function answerReadings<Call, Result, Part = never>(
  answer: (message: Call, sendPart: (part: Part) => void) => Result | Promise<Result>,
  errors?: ErrorCodec,
): void {
  if (workerData?.isSlow === true) lowerPriority();
  answerCalls(answer, errors);
}

/** In a thread: sends a message to `onNews`. */
export function sendNews(news: unknown): void {
  parentPort?.postMessage({ news });
}

/** In a thread that is up: asks its owner. Throws `ThreadError`, and the errors of the `ErrorCodec`. */
export function askOwner(message: unknown): Promise<unknown> {
  questions += 1;
  const answer = Promise.withResolvers<unknown>();
  asked.set(questions, answer);
  parentPort?.postMessage({ question: questions, message });
  return answer.promise;
}

function settleQuestion(
  sent: Exclude<OwnerMessage<never>, { call: number }>,
  errors: ErrorCodec | undefined,
): void {
  const answer = asked.get(sent.question);
  asked.delete(sent.question);
  if ("error" in sent) answer?.reject(receivedError(sent.error, errors));
  else answer?.resolve(sent.result);
}
