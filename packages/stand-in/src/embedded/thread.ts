import { Worker } from "node:worker_threads";
import type { StandInLog, StandInOptions } from "../stand-in.ts";
import type { Calls } from "./calls.ts";

/** The options of a stand-in that can be sent to a thread. */
export type EmbedSettings = Omit<StandInOptions, "clock" | "random" | "log" | "siteUrl"> & {
  /** The address at which the caller mounts the site, without a trailing slash. */
  readonly siteUrl: string;
};

/** The data with which a thread starts. */
export interface ThreadData {
  readonly settings: EmbedSettings;
  readonly now: number;
}

/** A call, as it is sent to the thread. Its clock is that of the caller: it shows the time of the latest call. */
export interface SentCall {
  readonly id: number;
  readonly now: number;
  readonly name: keyof Calls;
  readonly input: unknown;
}

/** A message of the thread: it is ready, the result of a call, or a line for the log. */
export type Sent =
  | { readonly type: "ready" }
  | { readonly type: "result"; readonly id: number; readonly value: unknown }
  | { readonly type: "failure"; readonly id: number; readonly error: unknown }
  | {
      readonly type: "log";
      readonly level: keyof StandInLog;
      readonly details: object;
      readonly message: string;
    };

/** Parsed texts are soon forgotten. By default a thread would keep up to 192 MB for such objects. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 };

interface WaitingCall {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * The thread of an embedded stand-in. If it ends by an error, the calls that wait for it fail, and the next call starts
 * it again. It keeps the process alive only while calls wait for it.
 */
export class StandInThread {
  readonly #settings: EmbedSettings;
  readonly #clock: () => number;
  readonly #log: StandInLog | undefined;
  readonly #waiting = new Map<number, WaitingCall>();
  #worker: Promise<Worker> | null = null;
  #calls = 0;
  #isClosed = false;

  constructor(settings: EmbedSettings, clock: () => number, log: StandInLog | undefined) {
    this.#settings = settings;
    this.#clock = clock;
    this.#log = log;
  }

  /** Starts the thread, if it does not run. Throws what its start throws. */
  async start(): Promise<void> {
    await this.#started();
  }

  /** Throws if the call fails or the thread ends. */
  async call<Name extends keyof Calls>(
    name: Name,
    input: Parameters<Calls[Name]>[0],
  ): Promise<Awaited<ReturnType<Calls[Name]>>> {
    const worker = await this.#started();
    this.#calls += 1;
    const call: SentCall = { id: this.#calls, now: this.#clock(), name, input };
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(call.id, { resolve, reject });
    worker.ref();
    worker.postMessage(call);
    // The thread calls the function of this name.
    return promise as Promise<Awaited<ReturnType<Calls[Name]>>>;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    const worker = await this.#worker;
    if (worker !== null) await this.call("close", null);
    this.#isClosed = true;
    await worker?.terminate();
  }

  #started(): Promise<Worker> {
    if (this.#isClosed) throw new Error("the demo workspace is closed");
    this.#worker ??= this.#start();
    return this.#worker;
  }

  async #start(): Promise<Worker> {
    const workerData: ThreadData = { settings: this.#settings, now: this.#clock() };
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData, resourceLimits });
    const ready = Promise.withResolvers<void>();
    let cause: unknown;
    worker.on("message", (sent: Sent) => {
      if (sent.type === "ready") ready.resolve();
      else this.#receive(worker, sent);
    });
    worker.on("error", (error) => {
      cause = error;
    });
    worker.once("exit", () => {
      this.#worker = null;
      ready.reject(cause);
      this.#ended(cause);
    });
    await ready.promise;
    worker.unref();
    return worker;
  }

  #receive(worker: Worker, sent: Exclude<Sent, { type: "ready" }>): void {
    if (sent.type === "log") {
      this.#log?.[sent.level](sent.details, sent.message);
      return;
    }
    const call = this.#waiting.get(sent.id);
    this.#waiting.delete(sent.id);
    if (this.#waiting.size === 0) worker.unref();
    if (sent.type === "failure") call?.reject(sent.error);
    else call?.resolve(sent.value);
  }

  #ended(cause: unknown): void {
    const error = new Error("the thread of the demo workspace has ended", { cause });
    if (!this.#isClosed) this.#log?.error({ err: cause }, "the thread of the demo workspace has ended");
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
