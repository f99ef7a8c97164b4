import { Worker } from "node:worker_threads";
import { type Clock, ProviderError, type ProviderErrorCode } from "@clew/provider";
import type { FolderReading } from "./read-folder.ts";

/** A folder, as it is named to the thread. */
export interface FolderSettings {
  readonly path: string;
  /** Stores what is remembered of the folder; null keeps it in memory. */
  readonly memoryFile: string | null;
}

/** The log that names what was ignored in a folder, and failures. */
export interface FolderLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** The calls that the thread answers for a folder. Their inputs and results can be sent between threads. */
export type FolderCalls = Pick<FolderReading, "list" | "more" | "end" | "node" | "databaseOf" | "text">;

/** A call, as it is sent to the thread. The thread's clock continues from that of the latest call. */
export interface SentCall {
  readonly id: number;
  /** The folder, by the number that its owner gave it. */
  readonly folder: number;
  readonly settings: FolderSettings;
  readonly now: number;
  readonly name: keyof FolderCalls;
  readonly input: unknown;
}

/** A message of the thread: the result of a call, or a line for the log. */
export type Sent =
  | { readonly type: "result"; readonly id: number; readonly value: unknown }
  | {
      readonly type: "failure";
      readonly id: number;
      readonly code: ProviderErrorCode;
      readonly message: string;
    }
  | {
      readonly type: "log";
      readonly folder: number;
      readonly level: keyof FolderLog;
      readonly details: object;
      readonly message: string;
    };

/** A folder that the thread reads. */
export interface ThreadFolder {
  /** Throws `ProviderError`. */
  call<Name extends keyof FolderCalls>(
    name: Name,
    input: Parameters<FolderCalls[Name]>[0],
  ): Promise<Awaited<ReturnType<FolderCalls[Name]>>>;
}

interface WaitingCall {
  resolve(value: unknown): void;
  reject(error: ProviderError): void;
}

/** Parsed texts are soon forgotten. By default a thread would keep up to 192 MB for such objects. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 };

/**
 * The one thread in which a process reads its folders, so that no file holds up anything else. It starts with the first
 * call. If it ends by an error, the calls that wait for it fail, and the next one starts it again. It keeps the process
 * alive only while calls wait for it.
 */
export class FolderThread {
  readonly #waiting = new Map<number, WaitingCall>();
  readonly #logs: FolderLog[] = [];
  #worker: Worker | null = null;
  #calls = 0;

  /** Adds a folder. Nothing is read before a call. */
  folder(
    settings: FolderSettings,
    { clock, log }: { readonly clock: Clock; readonly log: FolderLog },
  ): ThreadFolder {
    const folder = this.#logs.push(log) - 1;
    return {
      call: (name, input) => {
        this.#calls += 1;
        return this.#send({ id: this.#calls, folder, settings, now: clock(), name, input });
      },
    };
  }

  // The thread calls the method of the call's name.
  #send<Value>(call: SentCall): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(call.id, { resolve, reject });
    const worker = this.#started();
    worker.ref();
    worker.postMessage(call);
    return promise as Promise<Value>;
  }

  /** Ends the thread. A call starts it again. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { resourceLimits });
    this.#worker = worker;
    let cause: unknown;
    worker.on("message", (sent: Sent) => this.#receive(worker, sent));
    worker.on("error", (error) => {
      cause = error;
    });
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = null;
      this.#ended(cause);
    });
    return worker;
  }

  #receive(worker: Worker, sent: Sent): void {
    if (sent.type === "log") {
      this.#logs[sent.folder]?.[sent.level](sent.details, sent.message);
      return;
    }
    const call = this.#waiting.get(sent.id);
    this.#waiting.delete(sent.id);
    if (this.#waiting.size === 0) worker.unref();
    if (sent.type === "failure") call?.reject(new ProviderError(sent.code, sent.message));
    else call?.resolve(sent.value);
  }

  #ended(cause: unknown): void {
    const message = "the thread that reads folders has ended";
    if (cause !== undefined) for (const log of new Set(this.#logs)) log.error({ err: cause }, message);
    for (const { reject } of this.#waiting.values())
      reject(new ProviderError("unavailable", message, { cause }));
    this.#waiting.clear();
  }
}
