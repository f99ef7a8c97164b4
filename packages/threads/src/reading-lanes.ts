import { ThreadError } from "./errors.ts";
import { quickMs, readingLimitMs } from "./reading-limit.ts";
import { Thread, type ThreadOptions } from "./thread.ts";

/** Work on one text of other people's. */
export interface Reading<Call, Part> {
  /** Whose text it is: in a lane, each owner has one reading at a time. */
  readonly owner: object;
  /** The text's length in bytes, or in UTF-16 code units. */
  readonly length: number;
  /** Returns the call that begins after the first parts, which the thread has sent already. */
  readonly callFrom: (parts: number) => Call;
  readonly onPart?: (part: Part) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface LanesOptions
  extends Pick<ThreadOptions, "module" | "errors" | "maxHeapMb" | "maxYoungMb" | "onQuestion"> {
  /** Threads that read texts for up to a second each. With two, no owner waits for all texts of another one. */
  readonly quickThreads: number;
  /** The limit of a reading by the length of its text, in milliseconds of processor time; `readingLimitMs` if left out. */
  readonly limitMs?: (length: number) => number;
}

/** A thread without work ends after this time. */
const idleMs = 10_000;

/** A thread ends after a text of this length: it would keep the memory that the text needed, beside those that read now. */
const longText = 1_048_576;

/**
 * Threads that read other people's texts, one text at a time each. A text that has used a second of processor time continues in the
 * slow lane, whose one thread has a lower priority, so that others never wait for it. It is ended at its limit, which grows with
 * its length: the parts that it has sent until then stay.
 *
 * @example
 * const lanes = new ReadingLanes({ module, quickThreads: 2 });
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

/** A reading that waits for a thread. */
interface Waiting<Call, Result, Part> {
  readonly owner: object;
  readonly limitMs: number;
  readonly begin: (thread: Thread<Call, Result, Part>) => void;
}

interface IdleThread<Call, Result, Part> {
  readonly thread: Thread<Call, Result, Part>;
  readonly timer: NodeJS.Timeout;
}

/** Some threads of the same priority, and the readings that wait for one of them. */
class Lane<Call, Result, Part> {
  readonly #options: ThreadOptions;
  readonly #maxThreads: number;
  readonly #idle: IdleThread<Call, Result, Part>[] = [];
  /** Owners of the readings that run. */
  readonly #running: object[] = [];
  /** In the order in which they came. */
  readonly #waiting: Waiting<Call, Result, Part>[] = [];

  constructor(options: ThreadOptions, maxThreads: number) {
    this.#options = options;
    this.#maxThreads = maxThreads;
  }

  async run(reading: Reading<Call, Part>, parts: number, limitMs: number): Promise<Result> {
    const { owner, length, callFrom, onPart, signal } = reading;
    const turn = Promise.withResolvers<Thread<Call, Result, Part>>();
    this.#waiting.push({ owner, limitMs, begin: turn.resolve });
    this.#beginNext();
    const thread = await turn.promise;
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
      this.#running.splice(this.#running.indexOf(owner), 1);
      if (length < longText) {
        const timer = setTimeout(() => this.#rested(thread), idleMs).unref();
        this.#idle.push({ thread, timer });
      } else void thread.terminate();
      this.#beginNext();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(({ thread }) => thread.terminate()));
  }

  /**
   * Begins the shortest reading of those whose owner is not at work already: with two threads, no owner keeps the others waiting for
   * more than what runs.
   */
  #beginNext(): void {
    if (this.#running.length === this.#maxThreads) return;
    const free = this.#waiting.filter(({ owner }) => !this.#running.includes(owner));
    const next = free.reduce<Waiting<Call, Result, Part> | null>(
      (best, waiting) => (best === null || waiting.limitMs < best.limitMs ? waiting : best),
      null,
    );
    if (next === null) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#running.push(next.owner);
    const idle = this.#idle.pop();
    clearTimeout(idle?.timer);
    next.begin(idle?.thread ?? new Thread(this.#options));
  }

  #rested(thread: Thread<Call, Result, Part>): void {
    const index = this.#idle.findIndex((idle) => idle.thread === thread);
    this.#idle.splice(index, 1);
    void thread.terminate();
  }
}
