import { ThreadError } from "./errors.ts";
import { quickMs, readingLimitMs } from "./reading-limit.ts";
import { Thread, type ThreadOptions } from "./thread.ts";

/** Work on one text of other people's. */
export interface Reading<Call, Part> {
  /** Whose text it is: those that wait take turns. */
  readonly owner: unknown;
  /** The text's length in bytes, or in UTF-16 code units. */
  readonly length: number;
  /** The call that begins after so many parts that were handed over. */
  readonly callFrom: (parts: number) => Call;
  readonly onPart?: (part: Part) => void;
  readonly signal?: AbortSignal | undefined;
}

interface LanesOptions extends Pick<ThreadOptions, "module" | "errors" | "maxHeapMb"> {
  /** Threads that read texts for up to a second each. */
  readonly quickThreads: number;
  /** The limit of a reading by the length of its text, in milliseconds of processor time; `readingLimitMs` if left out. */
  readonly limitMs?: (length: number) => number;
}

/** A thread without work ends after this time. */
const idleMs = 10_000;

/**
 * Threads that read other people's texts, one text at a time each. A text that has used a second of processor time goes on in the
 * slow lane, whose one thread has a lower priority, so that others never wait for it. It is ended at its limit, which grows with
 * its length: what it has handed over until then stays.
 *
 * @example
 * const lanes = new ReadingLanes({ module: new URL("./page-worker.ts", import.meta.url), quickThreads: 1 });
 * await lanes.read({ owner: folder, length: text.length, callFrom: (from) => ({ text, from }), onPart: (part) => parts.push(part) });
 */
export class ReadingLanes<Call, Result, Part = never> {
  readonly #limitMs: (length: number) => number;
  readonly #quick: Lane<Call, Result, Part>;
  readonly #slow: Lane<Call, Result, Part>;

  constructor({ quickThreads, limitMs = readingLimitMs, ...options }: LanesOptions) {
    this.#limitMs = limitMs;
    this.#quick = new Lane(options, quickThreads);
    this.#slow = new Lane({ ...options, workerData: { isSlow: true } }, 1);
  }

  /**
   * Reads a text. Throws `ThreadError` `slow` at the text's limit and `memory` where it needs too much; the errors of the
   * `ErrorCodec`; and the signal's reason once it is aborted.
   */
  async read(reading: Reading<Call, Part>): Promise<Result> {
    const limitMs = this.#limitMs(reading.length);
    let parts = 0;
    const onPart = (part: Part) => {
      parts += 1;
      reading.onPart?.(part);
    };
    try {
      return await this.#quick.run({ ...reading, onPart }, 0, Math.min(quickMs, limitMs));
    } catch (error) {
      const isSlow = error instanceof ThreadError && error.failure === "slow";
      if (!isSlow || limitMs <= quickMs) throw error;
    }
    return this.#slow.run({ ...reading, onPart }, parts, limitMs - quickMs);
  }

  async close(): Promise<void> {
    await Promise.all([this.#quick.close(), this.#slow.close()]);
  }
}

/** Some threads of the same priority, and the readings that wait for one of them. */
class Lane<Call, Result, Part> {
  readonly #options: ThreadOptions;
  readonly #maxThreads: number;
  readonly #idle: IdleThread<Call, Result, Part>[] = [];
  readonly #waiting = new Map<unknown, ((thread: Thread<Call, Result, Part>) => void)[]>();
  #busy = 0;

  constructor(options: ThreadOptions, maxThreads: number) {
    this.#options = options;
    this.#maxThreads = maxThreads;
  }

  async run(reading: Reading<Call, Part>, parts: number, limitMs: number): Promise<Result> {
    const { owner, callFrom, onPart, signal } = reading;
    const thread = await this.#acquire(owner);
    const end = () => void thread.terminate();
    try {
      signal?.throwIfAborted();
      signal?.addEventListener("abort", end);
      return await thread.call(callFrom(parts), { limitMs, ...(onPart && { onPart }) });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", end);
      this.#release(thread);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(({ thread }) => thread.terminate()));
  }

  async #acquire(owner: unknown): Promise<Thread<Call, Result, Part>> {
    if (this.#busy < this.#maxThreads) {
      this.#busy += 1;
      const idle = this.#idle.pop();
      clearTimeout(idle?.timer);
      return idle?.thread ?? new Thread(this.#options);
    }
    const turn = Promise.withResolvers<Thread<Call, Result, Part>>();
    this.#waiting.set(owner, [...(this.#waiting.get(owner) ?? []), turn.resolve]);
    return turn.promise;
  }

  /** Gives a thread to the owner whose turn it is, or lets it rest. */
  #release(thread: Thread<Call, Result, Part>): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#busy -= 1;
      const timer = setTimeout(() => this.#rested(thread), idleMs).unref();
      this.#idle.push({ thread, timer });
      return;
    }
    const [owner, [first, ...others]] = next;
    // The owner waits behind all others with its further texts.
    this.#waiting.delete(owner);
    if (others.length > 0) this.#waiting.set(owner, others);
    first?.(thread);
  }

  #rested(thread: Thread<Call, Result, Part>): void {
    this.#idle.splice(
      this.#idle.findIndex((idle) => idle.thread === thread),
      1,
    );
    void thread.terminate();
  }
}

interface IdleThread<Call, Result, Part> {
  readonly thread: Thread<Call, Result, Part>;
  readonly timer: NodeJS.Timeout;
}
