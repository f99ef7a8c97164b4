import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { ProviderError } from "../port.ts";
import { textTasks } from "./text-tasks.ts";
import type { Dialect } from "./urls.ts";

type Tasks = typeof textTasks;

/** A task for a worker thread. */
export interface TextOrder {
  readonly name: keyof Tasks;
  readonly input: unknown;
  readonly demoUrl: string | null;
}

/** A worker's answer: a value, or why the text cannot be read; null if the error's message is not for people. */
export type TextOutcome = { readonly value: unknown } | { readonly failure: string | null };

/** Works on texts of any size and shape without blocking the event loop (SYNC-5). */
export interface TextParser {
  /**
   * Runs a task on a text of `length` characters. Throws `ProviderError` `nonsense` if the text cannot be read or takes too
   * long, and the signal's reason once it is aborted.
   */
  parse<Name extends keyof Tasks>(
    name: Name,
    input: Parameters<Tasks[Name]>[0],
    options: { readonly length: number; readonly dialect: Dialect; readonly signal: AbortSignal },
  ): Promise<ReturnType<Tasks[Name]>>;
}

interface Options {
  /** Shorter texts are parsed on the event loop: the worst takes a few milliseconds, less than a thread takes to start. */
  readonly maxInlineChars?: number;
  /** CPU time that one task may take in a thread. */
  readonly timeoutMs?: number;
  /** At least two, so that a slow text does not delay those of other grants. */
  readonly maxThreads?: number;
}

/** A thread without work ends after this time. */
const idleMs = 10_000;

/** Enough for the tokens of a text of 10 MB. */
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };

/** Parses small texts at once, and large ones in threads that start on demand and end when idle. */
export function createTextParser({
  maxInlineChars = 16_384,
  timeoutMs = 500,
  maxThreads = 2,
}: Options = {}): TextParser {
  const idle: TextThread[] = [];
  const waiting: (() => void)[] = [];
  let busy = 0;

  async function acquire(): Promise<TextThread> {
    while (busy >= maxThreads) await new Promise<void>((resolve) => waiting.push(resolve));
    busy += 1;
    for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) if (thread.wake()) return thread;
    return new TextThread();
  }

  function release(thread: TextThread): void {
    busy -= 1;
    if (thread.rest()) idle.push(thread);
    waiting.shift()?.();
  }

  return {
    async parse(name, input, { length, dialect, signal }) {
      signal.throwIfAborted();
      // The signature of `parse` matches the task's input and result to its name.
      const task = textTasks[name] as (input: unknown, of: Dialect) => ReturnType<Tasks[typeof name]>;
      if (length <= maxInlineChars) return runInline(() => task(input, dialect));
      const thread = await acquire();
      try {
        const order = { name, input, demoUrl: dialect.demoUrl?.href ?? null };
        const outcome = await thread.run(order, timeoutMs, signal);
        if ("failure" in outcome) throw unreadable(outcome.failure);
        return outcome.value as ReturnType<Tasks[typeof name]>;
      } finally {
        release(thread);
      }
    },
  };
}

function runInline<Value>(task: () => Value): Value {
  try {
    return task();
  } catch (cause) {
    throw cause instanceof ProviderError ? cause : unreadable(null, cause);
  }
}

function unreadable(message: string | null, cause?: unknown): ProviderError {
  return new ProviderError("nonsense", message ?? "failed to read the provider's answer", { cause });
}

/** A worker thread. It keeps the process alive only while it runs a task. */
class TextThread {
  readonly #worker = new Worker(new URL("./text-worker.ts", import.meta.url), { resourceLimits });
  /** The time that the thread takes to start does not count as parsing. */
  readonly #started: Promise<unknown>;
  #hasEnded = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor() {
    this.#worker.once("exit", () => {
      this.#hasEnded = true;
    });
    // Without a listener, an error while idle would end the process.
    this.#worker.on("error", () => {});
    this.#started = this.#nextMessage();
    this.#started.catch(() => {});
  }

  /** Prepares it for work; false if it has ended. */
  wake(): boolean {
    clearTimeout(this.#idleTimer);
    this.#worker.ref();
    return !this.#hasEnded;
  }

  /** Lets it wait for more work; false if it has ended. */
  rest(): boolean {
    this.#worker.unref();
    this.#idleTimer = setTimeout(() => this.#end(), idleMs).unref();
    return !this.#hasEnded;
  }

  /** Runs one task. If that throws, the thread ends. */
  async run(order: TextOrder, timeoutMs: number, signal: AbortSignal): Promise<TextOutcome> {
    await this.#started;
    // Copying a text to the thread blocks for milliseconds, so other work gets a turn first.
    await setImmediate();
    const timeout = new AbortController();
    const stopWatching = watchCpuTime(this.#worker, timeoutMs, () =>
      timeout.abort(unreadable(`failed to parse the page's text: it took more than ${timeoutMs} ms`)),
    );
    try {
      this.#worker.postMessage(order);
      return (await this.#nextMessage(AbortSignal.any([signal, timeout.signal]))) as TextOutcome;
    } catch (error) {
      this.#end();
      throw error;
    } finally {
      stopWatching();
    }
  }

  async #nextMessage(signal?: AbortSignal): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const onAbort = () => reject(signal?.reason);
    const onEnd = (cause?: unknown) => reject(unreadable("failed to parse the page's text", cause));
    this.#worker.once("message", resolve).once("error", onEnd).once("exit", onEnd);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      signal?.throwIfAborted();
      return await promise;
    } finally {
      signal?.removeEventListener("abort", onAbort);
      this.#worker.off("message", resolve).off("error", onEnd).off("exit", onEnd);
    }
  }

  #end(): void {
    this.#hasEnded = true;
    void this.#worker.terminate();
  }
}

/** Calls back once a thread has used so much CPU time. Elapsed time would fail ordinary texts on a busy machine. */
function watchCpuTime(worker: Worker, limitMs: number, onUsedUp: () => void): () => void {
  const stop = new AbortController();
  const watch = async () => {
    const before = await worker.cpuUsage();
    for (let remainingMs = limitMs; remainingMs > 0; ) {
      await sleep(remainingMs, undefined, { signal: stop.signal });
      const { user, system } = await worker.cpuUsage(before);
      remainingMs = limitMs - (user + system) / 1000;
    }
    if (!stop.signal.aborted) onUsedUp();
  };
  // It throws when it is stopped, and if the thread has ended, which `run` reports.
  watch().catch(() => {});
  return () => stop.abort();
}
