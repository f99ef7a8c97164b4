import { once } from "node:events";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { parentPort, Worker } from "node:worker_threads";
import { ProviderError, type TextReader } from "@clew/provider";
import type { textTasksFor } from "./text-tasks.ts";

/**
 * Tasks by name. They have no state and no I/O, and their inputs, results and dialects can be sent to a thread. They throw
 * `ProviderError` if a text cannot be read.
 */
type Tasks<Dialect> = Readonly<Record<string, (input: never, dialect: Dialect) => unknown>>;

/** Works on texts of any size and shape without blocking the event loop (SYNC-5). */
export interface TextParser<Known extends Tasks<Dialect>, Dialect> {
  /**
   * Runs a task on a text of `length` characters. Throws `ProviderError` `malformed` if the text cannot be read or takes too
   * long, and the signal's reason once it is aborted.
   */
  parse<Name extends keyof Known & string>(
    name: Name,
    input: Parameters<Known[Name]>[0],
    options: { readonly length: number; readonly dialect: Dialect; readonly signal: AbortSignal },
  ): Promise<ReturnType<Known[Name]>>;
}

export interface TextLimits {
  /** Shorter texts are parsed on the event loop: the worst takes a few milliseconds, less than a thread takes to start. */
  readonly maxInlineChars?: number;
  /** CPU time that one task may take in a thread. */
  readonly timeoutMs?: number;
  /** At least two, so that a slow text does not delay those of other grants. */
  readonly maxThreads?: number;
}

/** A task, as it can be sent to a worker thread. */
interface TextOrder {
  readonly name: string;
  readonly input: unknown;
  readonly dialect: unknown;
}

/** A value, or why the text cannot be read; null if the error's message may contain the text. */
type TextOutcome = { readonly value: unknown } | { readonly failure: string | null };

/** A thread without work ends after this time. */
const idleMs = 10_000;

/** Enough for the tokens of a text of 10 MB. */
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };

/**
 * Parses small texts at once, and large ones in threads that start on demand and end when idle. `worker` is the module of
 * such a thread, which calls `serveTextTasks` with the same tasks.
 */
export function createTextParser<Known extends Tasks<Dialect>, Dialect>(
  tasks: Known,
  worker: URL,
  { maxInlineChars = 16_384, timeoutMs = 500, maxThreads = 2 }: TextLimits = {},
): TextParser<Known, Dialect> {
  const idle: TextThread[] = [];
  const waiting: (() => void)[] = [];
  let busy = 0;

  async function acquire(): Promise<TextThread> {
    while (busy >= maxThreads) await new Promise<void>((resolve) => waiting.push(resolve));
    busy += 1;
    for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) if (thread.wake()) return thread;
    return new TextThread(worker);
  }

  async function runInThread(order: TextOrder, signal: AbortSignal): Promise<TextOutcome> {
    const thread = await acquire();
    try {
      return await thread.run(order, timeoutMs, signal);
    } finally {
      busy -= 1;
      if (thread.rest()) idle.push(thread);
      waiting.shift()?.();
    }
  }

  return {
    async parse(name, input, { length, dialect, signal }) {
      signal.throwIfAborted();
      const order = { name, input, dialect };
      const outcome = length <= maxInlineChars ? runTextTask(tasks, order) : await runInThread(order, signal);
      if ("failure" in outcome)
        throw new ProviderError("malformed", outcome.failure ?? "failed to read the provider's answer");
      return outcome.value as ReturnType<Known[typeof name]>;
    },
  };
}

/** Answers what `createTextParser` sends to the thread that this is called in. It says that it is ready first. */
export function serveTextTasks<Dialect>(tasks: Tasks<Dialect>): void {
  parentPort?.on("message", (order: TextOrder) => parentPort?.postMessage(runTextTask(tasks, order)));
  parentPort?.postMessage("ready");
}

function runTextTask<Dialect>(tasks: Tasks<Dialect>, { name, input, dialect }: TextOrder): TextOutcome {
  try {
    // `TextParser.parse` makes the order, and its signature matches the input and the dialect to the name.
    const task = tasks[name] as ((input: unknown, dialect: unknown) => unknown) | undefined;
    return { value: task?.(input, dialect) };
  } catch (error) {
    return { failure: error instanceof ProviderError ? error.message : null };
  }
}

/** Reads stored texts of one dialect with a parser. */
export function createTextReader<Dialect>(
  texts: TextParser<ReturnType<typeof textTasksFor<Dialect>>, Dialect>,
  dialect: Dialect,
  signal: AbortSignal,
): TextReader {
  const options = (markdown: string) => ({ length: markdown.length, dialect, signal });
  return {
    referencesIn: (markdown) => texts.parse("references", markdown, options(markdown)),
    titlesIn: (markdown) => texts.parse("shownTitles", markdown, options(markdown)),
    withTitles: (markdown, titles) => texts.parse("retitled", { markdown, titles }, options(markdown)),
  };
}

/** A worker thread. It keeps the process alive only while it runs a task. */
class TextThread {
  readonly #worker: Worker;
  readonly #ended = new AbortController();
  /** The time that the thread takes to start does not count as parsing. */
  readonly #started: Promise<unknown>;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(module: URL) {
    this.#worker = new Worker(module, { resourceLimits });
    this.#started = once(this.#worker, "message", { signal: this.#ended.signal });
    this.#worker.once("exit", () => this.#ended.abort());
    // Without a listener, an error while idle would end the process.
    this.#worker.on("error", () => {});
    this.#started.catch(() => {});
  }

  /** Prepares it for work; false if it has ended. */
  wake(): boolean {
    clearTimeout(this.#idleTimer);
    this.#worker.ref();
    return !this.#ended.signal.aborted;
  }

  /** Lets it wait for more work; false if it has ended. */
  rest(): boolean {
    this.#worker.unref();
    this.#idleTimer = setTimeout(() => this.#end(), idleMs).unref();
    return !this.#ended.signal.aborted;
  }

  /** Runs one task. If that throws, the thread ends. */
  async run(order: TextOrder, timeoutMs: number, signal: AbortSignal): Promise<TextOutcome> {
    const timeout = new AbortController();
    const ends = AbortSignal.any([signal, timeout.signal, this.#ended.signal]);
    const stopWatching = new AbortController();
    try {
      await this.#started;
      // Copying a text to the thread blocks for milliseconds, so other work gets a turn first.
      await setImmediate();
      signal.throwIfAborted();
      // It rejects when it is stopped, and if the thread has ended, which ends the task too.
      cpuTimeUsed(this.#worker, timeoutMs, stopWatching.signal).then(
        () => timeout.abort(),
        () => {},
      );
      this.#worker.postMessage(order);
      const [outcome] = (await once(this.#worker, "message", { signal: ends })) as [TextOutcome];
      return outcome;
    } catch (cause) {
      this.#end();
      signal.throwIfAborted();
      const reason = timeout.signal.aborted ? `: it took more than ${timeoutMs} ms` : "";
      throw new ProviderError("malformed", `failed to parse the page's text${reason}`, { cause });
    } finally {
      stopWatching.abort();
    }
  }

  #end(): void {
    this.#ended.abort();
    void this.#worker.terminate();
  }
}

/** Resolves once a thread has used `limitMs` of CPU time. Elapsed time would fail ordinary texts on a busy machine. */
async function cpuTimeUsed(worker: Worker, limitMs: number, signal: AbortSignal): Promise<void> {
  const before = await worker.cpuUsage();
  for (let remainingMs = limitMs; remainingMs > 0; ) {
    await sleep(remainingMs, undefined, { signal });
    const { user, system } = await worker.cpuUsage(before);
    remainingMs = limitMs - (user + system) / 1000;
  }
}
