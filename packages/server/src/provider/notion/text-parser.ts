import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { ProviderError } from "../port.ts";
import type { Dialect } from "./dialect.ts";
import { textTasks } from "./parse-text.ts";

type Tasks = typeof textTasks;
type TaskName = keyof Tasks;
type Input<Name extends TaskName> = Parameters<Tasks[Name]>[0];

/** What a thread is sent. */
export interface TextOrder {
  readonly name: TaskName;
  readonly input: unknown;
  readonly demoUrl: string | null;
}

/** What a thread answers: a value, or why the text cannot be read, null where that says nothing to people. */
export type Outcome = { readonly value: unknown } | { readonly failure: string | null };

/** Does the work on texts, however large and odd they are, without holding up anything else (SYNC-5). */
export interface TextParser {
  /**
   * Runs a task on a text of so many characters. Throws `ProviderError` `nonsense` where the text cannot be read or takes
   * too long, and the signal's reason once it is aborted.
   */
  parse<Name extends TaskName>(
    name: Name,
    input: Input<Name>,
    options: { readonly length: number; readonly dialect: Dialect; readonly signal: AbortSignal },
  ): Promise<ReturnType<Tasks[Name]>>;
}

interface Options {
  /** Texts of up to so many characters are parsed at once: the oddest takes some milliseconds, less than a thread. */
  readonly mostHere?: number;
  /** Milliseconds of a processor that one task may take in a thread. */
  readonly timeoutMs?: number;
  /** Threads at a time: a text that takes long holds up no other grant's. */
  readonly mostThreads?: number;
}

/** Milliseconds for which a thread waits for more work. */
const idleMs = 10_000;

/** A text of 10 MB has its tokens within this. */
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };

/** Parses small texts at once and large ones in threads, which start with the first and end when there is nothing to do. */
export function createTextParser({
  mostHere = 16_384,
  timeoutMs = 500,
  mostThreads = 2,
}: Options = {}): TextParser {
  const idle: TextThread[] = [];
  const waiting: (() => void)[] = [];
  let busy = 0;

  /** A thread that nobody else uses until it is given back. */
  async function acquire(): Promise<TextThread> {
    while (busy >= mostThreads) await new Promise<void>((resolve) => waiting.push(resolve));
    busy += 1;
    for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) if (thread.wake()) return thread;
    return startThread();
  }

  function release(thread: TextThread): void {
    busy -= 1;
    if (thread.rest()) idle.push(thread);
    waiting.shift()?.();
  }

  return {
    async parse(name, input, { length, dialect, signal }) {
      signal.throwIfAborted();
      // Each name has one task, whose input and value the signature of `parse` holds together.
      const task = textTasks[name] as (input: unknown, of: Dialect) => ReturnType<Tasks[typeof name]>;
      if (length <= mostHere) return here(() => task(input, dialect));
      const thread = await acquire();
      try {
        const order = { name, input, demoUrl: dialect.demoUrl?.href ?? null };
        const outcome = await thread.run(order, { timeoutMs, signal });
        if ("failure" in outcome) throw unreadable(outcome.failure);
        return outcome.value as ReturnType<Tasks[typeof name]>;
      } finally {
        release(thread);
      }
    },
  };
}

function here<Value>(task: () => Value): Value {
  try {
    return task();
  } catch (cause) {
    throw cause instanceof ProviderError ? cause : unreadable(null, cause);
  }
}

function unreadable(reason: string | null, cause?: unknown): ProviderError {
  return new ProviderError("nonsense", reason ?? "The provider's answer makes no sense", { cause });
}

/** A thread, which keeps the process alive only while it runs something. */
interface TextThread {
  /** False where it has ended meanwhile. */
  wake(): boolean;
  /** Runs one order. Where that fails the thread is ended. */
  run(
    order: TextOrder,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<Outcome>;
  /** Waits for more, for a while; false where it has ended. */
  rest(): boolean;
}

function startThread(): TextThread {
  const worker = new Worker(new URL("./text-worker.ts", import.meta.url), { resourceLimits });
  let hasEnded = false;
  let idleTimer: NodeJS.Timeout | undefined;
  worker.once("exit", () => {
    hasEnded = true;
  });
  // What a run does not wait for fails nobody.
  worker.on("error", () => {});
  const end = () => {
    hasEnded = true;
    void worker.terminate();
  };
  const message = async (signal: AbortSignal): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const onAbort = () => reject(signal.reason);
    const onEnd = (cause?: unknown) => reject(unreadable("The page's text could not be parsed", cause));
    worker.once("message", resolve).once("error", onEnd).once("exit", onEnd);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      signal.throwIfAborted();
      return await promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
      worker.off("message", resolve).off("error", onEnd).off("exit", onEnd);
    }
  };
  // The time that a thread takes to start is not the text's.
  const started = message(new AbortController().signal);
  started.catch(() => {});
  return {
    wake() {
      clearTimeout(idleTimer);
      worker.ref();
      return !hasEnded;
    },
    async run(order, { timeoutMs, signal }) {
      await started;
      // To copy a text takes some milliseconds, and so did whatever came before.
      await setImmediate();
      const tooLong = new ProviderError("nonsense", `Parsing the page's text took more than ${timeoutMs} ms`);
      const timeout = new AbortController();
      const stopWatching = watchCpuTime(worker, timeoutMs, () => timeout.abort(tooLong));
      try {
        worker.postMessage(order);
        return (await message(AbortSignal.any([signal, timeout.signal]))) as Outcome;
      } catch (error) {
        end();
        throw error;
      } finally {
        stopWatching();
      }
    },
    rest() {
      worker.unref();
      idleTimer = setTimeout(end, idleMs).unref();
      return !hasEnded;
    },
  };
}

/**
 * Calls back once a thread has had so many milliseconds of a processor, and not when they have passed: on a busy machine
 * an ordinary text may wait for as long.
 */
function watchCpuTime(worker: Worker, milliseconds: number, onUsedUp: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isWatching = true;
  const watch = async () => {
    const before = await worker.cpuUsage();
    const look = async () => {
      const { user, system } = await worker.cpuUsage(before);
      const left = milliseconds - (user + system) / 1000;
      if (!isWatching) return;
      if (left <= 0) onUsedUp();
      else wait(left);
    };
    const wait = (left: number) => {
      timer = setTimeout(() => void look().catch(() => {}), left);
    };
    if (isWatching) wait(milliseconds);
  };
  // It fails where the thread has ended, which whoever waits for it is told as well.
  watch().catch(() => {});
  return () => {
    isWatching = false;
    clearTimeout(timer);
  };
}
